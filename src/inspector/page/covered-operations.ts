// The points of a coverage report by operation, as the page shows them.
import { rowsOf, type GridRow } from '../../coverage/reports/grid-rows.ts'
import type { CoveredPoint } from '../../coverage/reports/coverage-report.ts'

/** An operation with its points. */
export interface CoveredOperation {
  operation: string
  total: number
  covered: number
  rows: readonly GridRow[]
  missing: readonly CoveredPoint[]
}

/** In the order of the points. */
export function coveredOperations(points: readonly CoveredPoint[]): CoveredOperation[] {
  const names = [...new Set(points.map(({ operation }) => operation))]
  return names.map((operation) => {
    const own = points.filter((point) => point.operation === operation)
    const missing = own.filter(({ covered }) => !covered)
    const rows = rowsOf(own)
    return { operation, total: own.length, covered: own.length - missing.length, rows, missing }
  })
}
