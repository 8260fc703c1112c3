// Arranges points by operation, and in rows by their kind; brings no declaration, so that the page can use it.
import type { CoveredPoint } from './coverage-report.ts'

/** An operation with its points. */
export interface CoveredOperation {
  operation: string
  total: number
  covered: number
  rows: readonly GridRow[]
  missing: readonly CoveredPoint[]
}

export interface GridRow {
  title: string
  cells: GridCell[]
}

export interface GridCell {
  /** The point's id without what its row says. */
  label: string
  point: CoveredPoint
}

/** What a row is called, by the second part of the ids in it. */
const titles: Readonly<Record<string, string>> = {
  success: 'Answer',
  error: 'Answer',
  auth: 'Credential',
  version: 'Version',
  product: 'Product',
  scope: 'Scope',
  page: 'Page',
  boundary: 'Limit',
  sent: 'Sent value',
  locale: 'Locale',
}

/** Each operation that has points, in their order. */
export function coveredOperations(points: readonly CoveredPoint[]): CoveredOperation[] {
  const names = [...new Set(points.map(({ operation }) => operation))]
  return names.map((operation) => {
    const own = points.filter((point) => point.operation === operation)
    const missing = own.filter(({ covered }) => !covered)
    return { operation, total: own.length, covered: own.length - missing.length, rows: rowsOf(own), missing }
  })
}

/** The rows of an operation's points, in the order of the points. */
function rowsOf(points: readonly CoveredPoint[]): GridRow[] {
  const rows = new Map<string, GridCell[]>()
  for (const point of points) {
    const [, kind = '', ...rest] = point.id.split('/')
    const title = titles[kind] ?? `Shown ${kind}`
    const label = rest.length === 0 ? kind : rest.map(words).join(' ')
    rows.set(title, [...(rows.get(title) ?? []), { label, point }])
  }
  return [...rows].map(([title, cells]) => ({ title, cells }))
}

/** Names of fields keep their underscores; words of our own are written as words. */
function words(part: string, place: number, parts: readonly string[]): string {
  return place === parts.length - 1 && /^[a-z_]+$/.test(part) ? part.replaceAll('_', ' ') : part
}
