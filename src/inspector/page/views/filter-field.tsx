// The field that filters a list by its text; the key / focuses it.
export function FilterField({ onText }: { onText: (text: string) => void }) {
  return (
    <label>
      Filter
      <input
        type="search"
        data-key="/"
        onInput={(event: Event) => onText((event.target as HTMLInputElement).value)}
      />
    </label>
  )
}
