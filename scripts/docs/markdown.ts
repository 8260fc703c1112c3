/** Formats a table as prettier does, so that prettier does not change it. */
export function table(head: string[], rows: string[][]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [first = [], ...rest] = cells
  return [
    line(first),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...rest.map(line),
    '',
  ].join('\n')
}

/** Formats a name, value or piece of code within a line. */
export function code(text: string | number): string {
  return `\`${text}\``
}

export function codeList(texts: readonly (string | number)[]): string {
  return texts.map(code).join(', ')
}

/** Formats a block of code. */
export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`
}

export function json(value: unknown): string {
  return block('json', JSON.stringify(value, null, 2))
}

/** Returns the link target that Markdown renderers create for a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-')
}
