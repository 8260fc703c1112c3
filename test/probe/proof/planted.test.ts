// The long form of planted values, for `npm run probe:proof`: targets by seed, each of random values of everything; and
// the table of what was found in them. `PROBE_PROOF` says how many.
import { afterAll, describe, expect, it } from 'vitest'
import { randomAssumptions } from '../../helpers/probed-sandbox.ts'
import {
  everything,
  foundIn,
  harmsOf,
  observableIds,
  plantedRun,
  wrongsOf,
  type PlantedRun,
} from '../../helpers/planted-run.ts'

const targets = Number(process.env['PROBE_PROOF'] ?? 0)

describe.runIf(targets > 0)('calibrate finds what was planted, and does no harm', () => {
  const runs: PlantedRun[] = []

  it.for(Array.from({ length: targets }, (_, seed) => seed + 1))(
    'in target %i',
    { timeout: 120_000 },
    async (seed) => {
      const planted = randomAssumptions(seed)
      const allowed = [everything, [], ...(seed % 10 === 0 ? [['write' as const]] : [])]
      for (const allow of allowed) {
        const run = await plantedRun(planted, { allow })
        runs.push(run)
        expect(harmsOf(run)).toEqual([])
        if (allow === everything) expect(wrongsOf(run)).toEqual([])
      }
    },
  )

  afterAll(() => {
    const whole = runs.filter(({ allow }) => allow === everything)
    const rows = observableIds.map((id) => {
      const found = whole.map((run) => foundIn(run, id))
      const count = (what: string): number => found.filter((one) => one === what).length
      const values = new Set(whole.map(({ planted }) => planted[id])).size
      return [id, values, found.length, count('observed'), count('not observable'), count('wrong')]
    })
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
    const totals = [2, 3, 4, 5].map((column) => sum(rows.map((row) => Number(row[column]))))
    const lines = [
      ['assumption', 'values', 'planted', 'observed', 'not observable', 'wrong'],
      ...rows,
      ['all', '', ...totals],
    ].map(
      ([id, ...numbers]) => String(id).padEnd(34) + numbers.map((one) => String(one).padStart(15)).join(''),
    )
    const sums = [everything, ['write'], []].map((allow) => {
      const some = runs.filter((run) => String(run.allow) === String(allow))
      const [sent, planned] = [
        sum(some.map(({ requests }) => requests.sent)),
        Math.max(0, ...some.map(({ requests }) => requests.planned)),
      ]
      const changed = sum(some.map(({ changes }) => changes.length))
      const harms = sum(some.map((run) => harmsOf(run).length))
      return `${some.length} runs, allow ${allow.join(',') || 'nothing'}: ${sent} requests (at most ${planned} planned for one), ${changed} rows changed, ${harms} that may not be`
    })
    console.log([...lines, '', ...sums].join('\n'))
  })
})
