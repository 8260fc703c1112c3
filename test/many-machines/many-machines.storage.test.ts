import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithEngine } from '../helpers/engine.ts'
import { lineOf, prove, reportOf, undecidedOf, type Proved } from './prove.ts'
import { Reference } from './sandbox-model.ts'

/** `npm run proof:many` says which and how many; without it, a few show that it works. */
const first = Number(process.env['PROOF_FROM'] ?? 1)
const seeds = Array.from({ length: Number(process.env['PROOF_SEEDS'] ?? 2) }, (_, place) => first + place)
const isOfProcesses = (seed: number): boolean => seed % 10 === 0 || process.env['PROOF_PROCESSES'] === 'all'
const isShown = process.env['PROOF_SEEDS'] !== undefined

describeWithEngine('three replicas on one engine', () => {
  let reference: Reference
  const all: Proved[] = []

  beforeAll(async () => {
    reference = await Reference.create()
  })
  afterAll(async () => {
    await reference.close()
    if (!isShown) return
    const sum = (of: (proved: Proved) => number): number => all.reduce((total, one) => total + of(one), 0)
    const violations = sum((one) => one.violations.length + one.faults.length)
    const undecided = sum((one) => one.undecided.length)
    process.stdout.write(
      `${all.length} seeds: ${sum((one) => one.calls)} calls, ${sum((one) => one.acknowledged)} acknowledged, ` +
        `${sum((one) => one.unknown)} unknown, ${sum((one) => one.histories)} histories, ${violations} violations, ` +
        `${undecided} undecided, ${sum((one) => one.lost)} lost by the engine\n`,
    )
  })

  test.each(seeds)('are one sandbox, whatever goes wrong: seed %i', { timeout: 300_000 }, async (seed) => {
    const proved = await prove(reference, { seed, processes: isOfProcesses(seed) })
    all.push(proved)
    if (isShown) process.stdout.write(`${lineOf(proved)}\n`)
    const report = reportOf(proved)
    const open = undecidedOf(proved)
    if (isShown && open !== '') process.stdout.write(`Given up: ${open}\n`)
    // Runners shorten what they show.
    if (isShown && report !== '') process.stdout.write(`${report}\n`)
    expect(report).toBe('')
    expect(proved.acknowledged).toBeGreaterThan(500)
  })

  test('hardly any search is given up', () => {
    expect(all.reduce((sum, { undecided }) => sum + undecided.length, 0)).toBeLessThanOrEqual(
      Math.ceil(all.length / 100),
    )
  })
})
