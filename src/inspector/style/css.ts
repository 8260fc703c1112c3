// Marks a text as CSS, so that editors and the formatter know it.

/** The text itself. */
export function css(texts: TemplateStringsArray): string {
  return texts.join('')
}
