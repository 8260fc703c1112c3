// The effect `latency`: a delay, fixed, uniform or lognormal.
import { z } from 'zod'
import { effect } from '../effect.ts'

const milliseconds = z
  .number('must be a number of milliseconds')
  .min(0, 'must be 0 to 600000')
  .max(600_000, 'must be 0 to 600000')

const distribution = z.union(
  [
    milliseconds,
    z
      .strictObject({ min: milliseconds, max: milliseconds })
      .refine(({ min, max }) => min <= max, 'must have a min that is not above max'),
    z.strictObject({
      median: milliseconds,
      sigma: z.number('must be a number from 0 to 5').min(0, 'must be 0 to 5').max(5, 'must be 0 to 5'),
    }),
  ],
  { error: 'must be milliseconds from 0 to 600000, {min, max} or {median, sigma}' },
)

export const latency = effect({
  name: 'latency',
  help: 'Delays the call: fixed, uniform between min and max, or lognormal around a median.',
  schema: distribution,
  apply(value, call, { random }) {
    call.latency += drawLatency(value, random)
  },
})

/** Returns a delay in ms drawn from a distribution; at most ten minutes. */
function drawLatency(value: z.output<typeof distribution>, random: () => number): number {
  if (typeof value === 'number') return value
  if ('min' in value) return Math.round(value.min + (value.max - value.min) * random())
  // Box-Muller turns two uniform numbers into a normal one; 1 - x keeps the logarithm finite.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.min(600_000, Math.round(value.median * Math.exp(value.sigma * normal)))
}
