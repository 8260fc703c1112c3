// Groups points by operation, and by kind into rows. It imports no endpoint declarations, so that the page can use it.
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
  /** The point's id without the parts that its row's title expresses. */
  label: string
  point: CoveredPoint
}

/** The titles of rows, by the second part of the point ids. */
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

/** Groups points by operation, in the order of the points. */
export function coveredOperations(points: readonly CoveredPoint[]): CoveredOperation[] {
  const names = [...new Set(points.map(({ operation }) => operation))]
  return names.map((operation) => {
    const own = points.filter((point) => point.operation === operation)
    const missing = own.filter(({ covered }) => !covered)
    return { operation, total: own.length, covered: own.length - missing.length, rows: rowsOf(own), missing }
  })
}

/** Groups the points of an operation into rows, in the order of the points. */
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

/** Names of fields retain their underscores; the sandbox's own words get spaces. */
function words(part: string, place: number, parts: readonly string[]): string {
  return place === parts.length - 1 && /^[a-z_]+$/.test(part) ? part.replaceAll('_', ' ') : part
}
