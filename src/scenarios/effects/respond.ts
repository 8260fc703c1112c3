// The effect `respond`: any answer, such as one of a gateway or proxy.
import { z } from 'zod'
import { effect } from '../effect.ts'

/** Headers that delimit an answer: a wrong one would corrupt the next answer on the connection. */
const framing = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export const respond = effect({
  name: 'respond',
  help: 'Ends the call with any answer at all; off contract.',
  schema: z.strictObject({
    status: z.int('must be a status').min(200, 'must be 200 to 599').max(599, 'must be 200 to 599'),
    headers: z
      .record(
        z
          .string()
          .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header')
          .refine((name) => !framing.has(name.toLowerCase()), 'controls how an answer is sent: omit it'),
        z.string('must be a text').regex(/^[\x20-\x7e]*$/, 'must be printable ASCII'),
      )
      .optional(),
    body: z.unknown().optional(),
  }),
  apply({ status, headers = {}, body }, call) {
    call.offContract = true
    call.end({ kind: 'answer', status, headers, body })
  },
})
