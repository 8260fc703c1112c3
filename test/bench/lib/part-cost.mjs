import { fileURLToPath } from 'node:url'
import { shown } from './report.mjs'
import { Program } from './server.mjs'
import { mean, meanInterval } from './stats.mjs'
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
  const whole = await buildVariant(folder, 'whole', {})
  const without = await buildVariant(folder, name, replaced)
  const rounds = quick ? 60 : 200
  // What a process happens to compile first differs by more than a small part costs, so several pairs are asked.
  const pairs = quick ? 3 : 7
  /** @type {{ on: number[], off: number[] }[]} */
  const raw = []
  for (let at = 0; at < pairs; at++) raw.push(await measurePair(whole, without, rounds))
  // Means, and a heap for each of the two: what the part leaves to be collected as garbage is part of its cost.
  const differences = raw.map(({ on, off }) => mean(on) - mean(off))
  return {
    value: mean(differences),
    ...meanInterval(differences),
    details: [
      `with it ${shown(mean(raw.flatMap(({ on }) => on)))} µs CPU, without ${shown(mean(raw.flatMap(({ off }) => off)))} µs CPU; ${pairs} pairs of processes, ${rounds} rounds in turns: ${differences.map(shown).join(', ')} µs`,
    ],
    raw,
  }
}

/** Requests of a turn: long enough for some garbage to be collected, short enough for both to meet the same neighbours. */
const perTurn = 2_000

/**
 * @param {string} withPart
 * @param {string} withoutPart
 * @param {number} rounds
 */
async function measurePair(withPart, withoutPart, rounds) {
  const on = new Program([program, withPart, String(perTurn)], { core: 0 })
  const off = new Program([program, withoutPart, String(perTurn)], { core: 0 })
  /** @type {{ on: number[], off: number[] }} */
  const cpu = { on: [], off: [] }
  const warmUp = 20
  for (let round = -warmUp; round < rounds; round++) {
    // Each goes first in every other round, so that neither always follows the other.
    const turns = /** @type {const} */ (round % 2 === 0 ? ['on', 'off'] : ['off', 'on'])
    for (const turn of turns) {
      const answer = await (turn === 'on' ? on : off).ask({})
      if (round >= 0) cpu[turn].push(answer.cpu)
    }
  }
  await Promise.all([on.stop(), off.stop()])
  return cpu
}
