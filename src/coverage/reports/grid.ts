// Groups the points of a report by operation and kind.
import { endpoints } from '../../endpoints/index.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import type { CoverageReport } from './coverage-report.ts'
import { coveredOperations, type CoveredOperation } from './grid-rows.ts'

/** The part of a report about one operation: its points, row by row. */
export type OperationGrid = CoveredOperation & Pick<Endpoint, 'method' | 'path' | 'summary'>

/** Returns one grid for each operation that has points. */
export function gridsOf({ points }: CoverageReport): OperationGrid[] {
  return coveredOperations(points).flatMap((operation) => {
    const endpoint = endpoints.find(({ id }) => id === operation.operation)
    if (!endpoint) return []
    const { method, path, summary } = endpoint
    return [{ ...operation, method, path, summary }]
  })
}
