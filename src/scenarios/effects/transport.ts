// The effect `transport`: connection faults, such as resets, timeouts, truncated and slow (dripping) answers.
import { z } from 'zod'
import { transportFaults, type Moment, type TransportFault } from '../consequences.ts'
import { effect } from '../effect.ts'
import { moment, whole } from './fields.ts'

export const transport = effect({
  name: 'transport',
  noun: 'fault',
  help: 'Breaks the connection instead of answering, before or after the writes of the call are committed. `truncate` sends half of the body; without a body (204, HEAD), it cuts the status line.',
  schema: z.union(
    [
      z.enum(transportFaults),
      z.strictObject({ drip: z.strictObject({ bytes_per_second: whole(1, 1_000_000) }) }),
    ],
    { error: `must be one of ${transportFaults.join(', ')} or {drip: {bytes_per_second}}` },
  ),
  extra: { at: moment },
  apply(value, call, _context, { at }) {
    const fault = typeof value === 'object' ? value.drip : value
    call.end({ kind: 'fault', fault, at: at ?? momentOf(fault) })
  },
})

/** The default of `at`: faults without any response come before the commit, all others after it. */
function momentOf(fault: TransportFault): Moment {
  return fault === 'reset' || fault === 'hang' || fault === 'empty' ? 'before' : 'after'
}
