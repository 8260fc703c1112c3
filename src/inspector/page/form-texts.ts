// Reads the texts of a form.

/** Returns the texts of its fields by name; '' for an empty one. @param form the target of its submit event. */
export function textsOf(form: EventTarget | null): Record<string, string> {
  if (!(form instanceof HTMLFormElement)) return {}
  const texts = [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : ''])
  return Object.fromEntries(texts) as Record<string, string>
}
