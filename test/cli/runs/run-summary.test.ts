import { describe, expect, it } from 'vitest'
import { failedGates, summaryText, type RunResults } from '../../../src/cli/runs/run-summary.ts'
import type { Minimum } from '../../../src/coverage/gates.ts'
import type { CoveredPoint } from '../../../src/coverage/reports/coverage-report.ts'
import type { UnmatchedCall } from '../../../src/findings/unmatched-calls.ts'
import type { UnfiredRule } from '../../../src/findings/sandbox-findings.ts'

const point = (operation: string, place: number, covered: boolean): CoveredPoint => ({
  id: `${operation}/success/${place}`,
  operation,
  sentence: 's',
  section: 't',
  covered,
  hits: covered ? 1 : 0,
})

/** A run that exercised so many of so many points of one operation. */
function results(covered: number, total: number, rest: Partial<RunResults> = {}): RunResults {
  const points = Array.from({ length: total }, (_, place) => point('retrieveReward', place, place < covered))
  const percent = Math.floor((covered * 1000) / total) / 10
  return {
    coverage: { total, covered, percent, points },
    unfired: [],
    unmatched: { total: 0, kinds: [] },
    ...rest,
  }
}

const rule: UnfiredRule = {
  id: 'x#1',
  scenario: 'x',
  operations: ['retrieveReward'],
  asked: 0,
  calls: 0,
  reason: 'no call was for retrieveReward',
}
const call: UnmatchedCall = { method: 'GET', path: '/v2/teapots', count: 1, nearest: null, differs: [] }

describe('failedGates', () => {
  it('what coverage misses comes first', () => {
    const coverageMin: Minimum[] = [{ percent: 50 }, { operation: 'retrieveReward', percent: 100 }]
    expect(failedGates(results(1, 3), { coverageMin, strict: true })).toEqual([
      '--coverage-min 50: coverage is 33.3 %, 1 more of the points are needed',
      '--coverage-min retrieveReward=100: coverage of it is 33.3 %, 2 more of its points are needed',
    ])
    expect(failedGates(results(3, 3), { coverageMin, strict: true })).toEqual([])
  })

  const unfired = { unfired: [rule] }
  const unmatched = { unmatched: { total: 2, kinds: [call] } }

  it.each<[string, Partial<RunResults>, string[]]>([
    ['nothing to look into', {}, []],
    ['a rule', unfired, ['--strict: 1 rule of active scenarios never fired']],
    ['two rules', { unfired: [rule, rule] }, ['--strict: 2 rules of active scenarios never fired']],
    ['calls', unmatched, ['--strict: 2 calls met no endpoint']],
    [
      'both',
      { ...unfired, ...unmatched },
      ['--strict: 2 calls met no endpoint', '--strict: 1 rule of active scenarios never fired'],
    ],
  ])('%s -> told when it is strict, and only then', (_what, rest, failed) => {
    expect(failedGates(results(1, 1, rest), { coverageMin: [], strict: true })).toEqual(failed)
    expect(failedGates(results(1, 1, rest), { coverageMin: [], strict: false })).toEqual([])
  })
})

describe('summaryText', () => {
  it('coverage by operation, how to see what is missing, rules and calls', () => {
    const kinds: UnmatchedCall[] = [
      { ...call, count: 3 },
      {
        method: 'GET',
        path: '/v2/reward/x',
        count: 1,
        nearest: 'GET /v2/rewards/{reward_id}',
        differs: ["'reward' should be 'rewards'", 'it ends in a slash'],
      },
    ]
    expect(summaryText(results(1, 3, { unfired: [rule], unmatched: { total: 4, kinds } }))).toBe(
      `Contract coverage: 33.3 %, 1 of 3 points
  retrieveReward  1 of 3
  2 are missing; --report coverage.html shows each with a request that exercises it
Rules that never fired:
  x#1: no call was for retrieveReward
Calls that met no endpoint:
  GET /v2/teapots and 2 more like it; none is like it
  GET /v2/reward/x; the nearest is GET /v2/rewards/{reward_id}: 'reward' should be 'rewards'; it ends in a slash
`,
    )
  })

  it('nothing missing, nothing to look into -> nothing is said of it', () => {
    expect(summaryText(results(2, 2))).toBe(
      'Contract coverage: 100 %, 2 of 2 points\n  retrieveReward  2 of 2\n',
    )
  })

  it('a long list -> its first 20, and how many more', () => {
    const unfired = Array.from({ length: 23 }, (_, place) => ({ ...rule, id: `x#${place + 1}` }))
    const lines = summaryText(results(1, 1, { unfired })).split('\n')
    expect(lines.slice(-4)).toEqual([
      '  x#19: no call was for retrieveReward',
      '  x#20: no call was for retrieveReward',
      '  and 3 more',
      '',
    ])
  })
})
