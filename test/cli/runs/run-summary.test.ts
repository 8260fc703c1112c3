import { describe, expect, it } from 'vitest'
import { strictGates, summaryText, verdictOf, type RunResults } from '../../../src/cli/runs/run-summary.ts'
import type { CoveredPoint } from '../../../src/coverage/reports/coverage-report.ts'
import type { RuleRecord } from '../../../src/explain/sandbox-findings.ts'
import { RunTally } from '../../../src/sandbox/runs/run-tally.ts'
import { callRecord } from '../../helpers/runs.ts'

const point = (operation: string, place: number, covered: boolean): CoveredPoint => ({
  id: `${operation}/success/${place}`,
  operation,
  sentence: 's',
  section: 't',
  covered,
  hits: covered ? 1 : 0,
})

/** A run that exercised so many of so many points of one operation, by one call. */
function results(covered: number, total: number, tally = tallyOf()): RunResults {
  const points = Array.from({ length: total }, (_, place) => point('retrieveReward', place, place < covered))
  const percent = Math.floor((covered * 1000) / total) / 10
  return { coverage: { total, covered, percent, points }, tally }
}

/** A run of one call that found these rules and paths that no endpoint has. */
function tallyOf(rules: readonly RuleRecord[] = [], paths: readonly string[] = []): RunTally {
  const tally = new RunTally()
  tally.add(callRecord())
  tally.addRules('', rules)
  for (const path of paths) tally.unmatched.add('GET', path)
  return tally
}

const rule: RuleRecord = {
  id: 'x#1',
  scenario: 'x',
  operations: ['retrieveReward'],
  asked: 0,
  calls: 0,
  hits: 0,
  among: '1..',
}
const other = { ...rule, id: 'x#2' }

describe('strictGates', () => {
  const calls = ['/v2/teapots', '/v2/teapots']

  it.each<[string, RunTally, string[]]>([
    ['nothing to look into', tallyOf(), []],
    ['a rule', tallyOf([rule]), ['--strict: 1 rule of active scenarios never fired']],
    ['two rules', tallyOf([rule, other]), ['--strict: 2 rules of active scenarios never fired']],
    ['one that fired', tallyOf([{ ...rule, hits: 1 }]), []],
    ['calls', tallyOf([], calls), ['--strict: 2 calls met no endpoint']],
    [
      'both',
      tallyOf([rule], calls),
      ['--strict: 2 calls met no endpoint', '--strict: 1 rule of active scenarios never fired'],
    ],
  ])('%s', (_what, tally, failed) => {
    expect(strictGates(tally)).toEqual(failed)
  })
})

describe('verdictOf', () => {
  it.each([
    ['a call, no gate failed', tallyOf(), 0, [], 'covered'],
    ['a gate failed', tallyOf(), 0, ['a gate'], 'gate_failed'],
    ['no call', new RunTally(), 0, [], 'no_calls'],
    ['no call, and a gate', new RunTally(), 0, ['a gate'], 'no_calls'],
    ['the command failed', tallyOf(), 1, [], 'child_failed'],
    ['the command failed before any call', new RunTally(), 1, ['a gate'], 'child_failed'],
  ])('%s', (_what, tally, code, failed, verdict) => {
    expect(verdictOf(tally, code, failed)).toBe(verdict)
  })
})

describe('summaryText', () => {
  it('coverage by operation, how to see what is missing, rules and calls', () => {
    const paths = ['/v2/teapots', '/v2/teapots', '/v2/teapots', '/v2/reward/x/']
    expect(summaryText(results(1, 3, tallyOf([rule], paths)))).toBe(
      `Contract coverage: 33.3 %, 1 of 3 points, by 1 call: 1 over HTTP, 0 in process
  retrieveReward  1 of 3
  2 are missing; --report coverage.html shows each with a request that exercises it
Rules that never fired:
  x#1: no call was for retrieveReward
Calls that met no endpoint:
  GET /v2/teapots and 2 more like it; no similar one
  GET /v2/reward/x/; the nearest is GET /v2/rewards/{reward_id}: 'reward' should be 'rewards'; it ends in a slash
`,
    )
  })

  it('refused calls -> how often and why, the most frequent first, alike whatever the row', () => {
    const tally = tallyOf()
    const missing = (id: string) =>
      callRecord({ status: 404, refused_because: `No reward '${id}' is there.`, over_http: false })
    tally.add(callRecord({ status: 403, refused_because: 'The key lacks a scope.' }))
    tally.add(missing('a'))
    tally.add(missing('b'))
    expect(summaryText(results(1, 1, tally))).toBe(
      `Contract coverage: 100 %, 1 of 1 points, by 4 calls: 2 over HTTP, 2 in process
  retrieveReward  1 of 1
Refused, though no scenario caused it:
  2 × 404 retrieveReward: No reward 'a' is there.
  1 × 403 retrieveReward: The key lacks a scope.
`,
    )
  })

  it.each<[string, (tally: RunTally) => void, string[]]>([
    [
      'nothing else is known',
      () => undefined,
      ['  The command did not call SANDBOX_URL, and created no sandbox by a test kit or createSandbox.'],
    ],
    [
      'it made sandboxes',
      (tally) => {
        tally.addReported('a', { joined: { process: 1, sandbox: 2 } })
        tally.addReported('b', { joined: { process: 1, sandbox: 3 } })
      },
      ['  It created 2 sandboxes by createSandbox, and called none of them.'],
    ],
    [
      'it started another',
      (tally) => tally.addReported('a', { other: 'start' }),
      [
        '  The command started another sandbox (start), whose calls do not belong to this run: let it call SANDBOX_URL instead.',
      ],
    ],
  ])('no call, %s -> that', (_what, act, lines) => {
    const tally = new RunTally()
    act(tally)
    expect(summaryText(results(0, 3, tally)).split('\n')).toEqual([
      'The run saw no call of the API, so nothing was exercised.',
      ...lines,
      'Contract coverage: 0 %, 0 of 3 points, by 0 calls: 0 over HTTP, 0 in process',
      '',
    ])
  })

  it('nothing missing, nothing to look into -> nothing is said of it', () => {
    expect(summaryText(results(2, 2))).toBe(
      'Contract coverage: 100 %, 2 of 2 points, by 1 call: 1 over HTTP, 0 in process\n  retrieveReward  2 of 2\n',
    )
  })

  it('a long list -> its first 20, and how many more', () => {
    const unfired = Array.from({ length: 23 }, (_, place) => ({ ...rule, id: `x#${place + 1}` }))
    const lines = summaryText(results(1, 1, tallyOf(unfired))).split('\n')
    expect(lines.slice(-4)).toEqual([
      '  x#19: no call was for retrieveReward',
      '  x#20: no call was for retrieveReward',
      '  and 3 more',
      '',
    ])
  })
})
