// One request: why it was answered so, what was sent and answered, what it changed, and ways to have it again.

export function RequestView({ id }: { id: string }) {
  return (
    <section class="request" aria-label="Request">
      <h1>{id}</h1>
    </section>
  )
}
