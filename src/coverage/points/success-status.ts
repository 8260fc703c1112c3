// The status of a success, and whether the answer has a body.
import type { Assumptions } from '../../contract/assumptions.ts'
import type { Endpoint } from '../../endpoints/define.ts'

/** The status of a success under the current assumptions. */
export function statusOf({ status }: Endpoint, values: Assumptions): number {
  return typeof status === 'number' ? status : status((id) => values[id])
}

/** Whether the answer of a success has a body. */
export function showsResult(endpoint: Endpoint, values: Assumptions): boolean {
  return endpoint.result !== undefined && statusOf(endpoint, values) !== 204
}
