// The status of a success, and whether it has a body.
import type { Assumptions } from '../../contract/assumptions.ts'
import type { Endpoint } from '../../endpoints/define.ts'

/** The status of a success, under the assumptions in force. */
export function statusOf({ status }: Endpoint, values: Assumptions): number {
  return typeof status === 'number' ? status : status((id) => values[id])
}

/** Whether a success has a body to look at. */
export function showsResult(endpoint: Endpoint, values: Assumptions): boolean {
  return endpoint.result !== undefined && statusOf(endpoint, values) !== 204
}
