// The status of a success, and the schema of its body.
import type { z } from 'zod'
import type { Assumptions } from '../../contract/assumptions.ts'
import type { Endpoint } from '../../endpoints/define.ts'

/** The status of a success under the current assumptions. */
export function statusOf({ status }: Endpoint, values: Assumptions): number {
  return typeof status === 'number' ? status : status((id) => values[id])
}

/** The schema of the body of a success under the current assumptions; undefined if it has no body. */
export function bodyOfSuccess(endpoint: Endpoint, values: Assumptions): z.ZodType | undefined {
  return statusOf(endpoint, values) === 204 ? undefined : endpoint.result?.(values)
}
