// Puts a text on the clipboard, also where a page over plain http is given none.

/** @returns whether the text is on the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  const { clipboard } = navigator as { clipboard?: Clipboard }
  try {
    if (clipboard) {
      await clipboard.writeText(text)
      return true
    }
  } catch {
    // It may be forbidden; the way from before may not be.
  }
  return copySelected(text)
}

function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  // Within a dialog nothing outside of it can be selected.
  const place = focused?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- all that an insecure context has
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
