// How many cases a generated test tries, and from which seed.
import fc from 'fast-check'

/**
 * The number of runs of a generated test: `runs` times `SAMPLES`, a factor from the environment that is 1 by default.
 * `npm test` sets 0.1; a failure there fails again with `SAMPLES=1`, as each run draws the same values.
 *
 * @example fc.assert(property, { numRuns: samples(300) })
 */
export function samples(runs: number): number {
  const factor = Number(process.env['SAMPLES'] ?? 1)
  if (!(factor > 0)) throw new Error(`SAMPLES must be a number above 0, not ${process.env['SAMPLES']}`)
  return Math.max(1, Math.round(runs * factor))
}

// A property that fails must fail again: every run draws the same values. Try others with another seed by hand.
fc.configureGlobal({ seed: 20_261_121, numRuns: samples(100) })
