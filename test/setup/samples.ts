// How many cases a generated test tries, and from which seed.
import fc from 'fast-check'

const seed = 20_261_121

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

/**
 * Rows of a generated table: all of them, or with fewer samples a part, which is the same each time.
 *
 * @example it.each(drawn(operations))('%s answers as ever', …)
 */
export function drawn<Row>(rows: readonly Row[]): Row[] {
  const count = samples(rows.length)
  if (count >= rows.length) return [...rows]
  const [picked = []] = fc.sample(fc.shuffledSubarray([...rows], { minLength: rows.length }), {
    seed,
    numRuns: 1,
  })
  return picked.slice(0, count)
}

// A property that fails must fail again: every run draws the same values. Try others with another seed by hand.
fc.configureGlobal({ seed, numRuns: samples(100) })
