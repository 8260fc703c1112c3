import { fileURLToPath } from 'node:url'
import { shown } from './report.mjs'
import { library, Program } from './server.mjs'
import { mean, meanInterval, median } from './stats.mjs'
import { buildVariant } from './variant.mjs'

const program = fileURLToPath(new URL('../programs/part-cost.mjs', import.meta.url))

/**
 * What a part of the sandbox costs: CPU per request of the build as it is, less that of the same build with the part
 * replaced by nothing.
 *
 * @param {import('../index.mjs').Context} context
 * @param {string} name
 * @param {Readonly<Record<string, string>>} replaced see `buildVariant`.
 * @returns {Promise<import('../index.mjs').Measured>} microseconds; the mean of the rounds, with its 95 % interval.
 */
export async function costOfPart({ folder, quick }, name, replaced) {
  const without = await buildVariant(folder, name, replaced)
  const rounds = quick ? 60 : 200
  // What a process happens to compile first differs by more than a small part costs, so several are asked.
  const processes = quick ? 3 : 7
  /** @type {{ on: number[], off: number[] }[]} */
  const raw = []
  for (let at = 0; at < processes; at++) {
    const order = at % 2 === 0 ? [library, without] : [without, library]
    const measuring = new Program([program, ...order], { core: 0 })
    await measuring.ask({ rounds: 20 })
    const { on, off } = await measuring.ask({ rounds })
    raw.push(at % 2 === 0 ? { on, off } : { on: off, off: on })
    await measuring.stop()
  }
  // A collection of garbage falls into one turn or another, so the median of a process says what is usual in it.
  const differences = raw.map(({ on, off }) =>
    median(on.map((cpu, round) => cpu - (off[round] ?? Number.NaN))),
  )
  return {
    value: mean(differences),
    ...meanInterval(differences),
    details: [
      `with it ${shown(median(raw.flatMap(({ on }) => on)))} µs CPU, without ${shown(median(raw.flatMap(({ off }) => off)))} µs CPU; ${processes} processes of ${rounds} rounds in turns: ${differences.map(shown).join(', ')} µs`,
    ],
    raw,
  }
}
