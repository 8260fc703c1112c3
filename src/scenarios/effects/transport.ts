import { z } from 'zod'
import { effect } from '../effect.ts'
import { transportFaults, type Moment, type TransportFault } from '../plan.ts'
import { moment, whole } from './fields.ts'

export const transport = effect<TransportFault | { drip: { bytes_per_second: number } }>({
  name: 'transport',
  noun: 'fault',
  help: 'Spoils the connection instead of answering, before or after the writes of the call are committed.',
  schema: z.union(
    [
      z.enum(transportFaults),
      z.strictObject({ drip: z.strictObject({ bytes_per_second: whole(1, 1_000_000) }) }),
    ],
    { error: `must be one of ${transportFaults.join(', ')} or {drip: {bytes_per_second}}` },
  ),
  beside: { at: moment },
  apply(fault, plan, _context, { at }) {
    const kind = typeof fault === 'object' && 'drip' in fault ? fault.drip : fault
    plan.end({ kind: 'transport', fault: kind, at: isMoment(at) ? at : momentOf(kind) })
  },
})

/** A slow answer is one that was made; the others are lost before anything happened, unless they say otherwise. */
function momentOf(fault: TransportFault): Moment {
  return fault === 'reset' || fault === 'hang' || fault === 'empty' ? 'before' : 'after'
}

function isMoment(value: unknown): value is Moment {
  return value === 'before' || value === 'after'
}
