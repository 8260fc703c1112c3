// Answers as text for people, where an operation has no text of its own: lists as columns, objects as `key: value`.
import { isJsonObject } from '../../contract/formats.ts'
import { stringify } from '../../json/stringify.ts'

/**
 * @example
 * tableOf({ workspaces: [{ name: 'default', api_key: 'sk_1' }] })   // 'default  sk_1\n'
 * tableOf({ delivered: 1, failed: 0 })                              // 'delivered: 1\nfailed: 0\n'
 */
export function tableOf(answer: unknown): string {
  if (answer === undefined) return ''
  if (!isJsonObject(answer)) return `${cell(answer)}\n`
  const [only, ...others] = Object.values(answer)
  if (Array.isArray(only) && others.every((value) => !Array.isArray(value))) return columns(only)
  if (isJsonObject(only) && others.length === 0) return tableOf(only)
  return lines(Object.entries(answer).map(([name, value]) => `${name}: ${cell(value)}`))
}

function columns(rows: readonly unknown[]): string {
  if (rows.length === 0) return 'none\n'
  const cells = rows.map((row) => (isJsonObject(row) ? Object.values(row).map(cell) : [cell(row)]))
  const widths = cells.reduce<number[]>(
    (most, row) => row.map((text, at) => Math.max(most[at] ?? 0, text.length)),
    [],
  )
  return lines(
    cells.map((row) =>
      row
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  )
}

const cell = (value: unknown): string => (typeof value === 'string' ? value : stringify(value))

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('')
