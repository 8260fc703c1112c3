// The effect `event`: a delivery of an event that is repeated, lost, late, forged, or has contents or bytes that the
// receiver does not expect.
import { z } from 'zod'
import { attemptFaults } from '../../contract/event-types.ts'
import { durationMs, durationPattern } from '../../runtime/duration.ts'
import { effect } from '../effect.ts'

/** The effects that have no value of their own. */
export const eventEffects = ['duplicate', 'drop', ...attemptFaults] as const

const durationRule = 'must be a duration, such as 5s, 5m or 24h'

export const event = effect({
  name: 'event',
  noun: 'event effect',
  help: 'Changes the deliveries of webhook events: the rule names event types, and its calls count events. See events.md.',
  schema: z.union(
    [
      z.enum(eventEffects),
      z.strictObject({ delay: z.string(durationRule).regex(durationPattern, durationRule) }),
    ],
    { error: `must be one of ${eventEffects.join(', ')}, or {delay: 5m}` },
  ),
  applyToEvent(value, plan) {
    if (typeof value === 'object') plan.delay += durationMs(value.delay) ?? 0
    else if (value === 'drop') plan.isDropped = true
    else if (value === 'duplicate') plan.duplicates += 1
    else {
      if (value === 'concurrent') plan.duplicates += 1
      plan.faults.add(value)
    }
  },
})
