import { z } from 'zod'
import { effect } from '../effect.ts'

export const respond = effect<{
  status: number
  headers?: Record<string, string> | undefined
  body?: unknown
}>({
  name: 'respond',
  help: 'Ends the call with any answer at all; off contract.',
  schema: z.strictObject({
    status: z.int('must be a status').min(200, 'must be 200 to 599').max(599, 'must be 200 to 599'),
    headers: z
      .record(
        z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header'),
        z.string('must be a text').regex(/^[\x20-\x7e]*$/, 'must be printable ASCII'),
      )
      .optional(),
    body: z.unknown().optional(),
  }),
  offContract: () => true,
  apply({ status, headers, body }, plan) {
    plan.offContract = true
    plan.end({ kind: 'respond', status, headers: headers ?? {}, body })
  },
})
