// The field that narrows a list by what is typed; the key / goes there.
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
