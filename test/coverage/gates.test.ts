import { describe, expect, it } from 'vitest'
import {
  baselineOf,
  isGate,
  lostSince,
  missedMinimums,
  requireCounted,
  type Minimum,
} from '../../src/coverage/gates.ts'
import { narrowed } from '../../src/coverage/reports/narrow.ts'
import { InvalidError } from '../../src/input/refusals.ts'
import { reportOfPoints } from '../helpers/coverage-reports.ts'

/** So many of so many points of one operation were covered. */
const some = (covered: number, total: number, operation = 'retrieveReward') =>
  Object.fromEntries(
    Array.from({ length: total }, (_, place) => [`${operation}/success/${place}`, place < covered ? 1 : 0]),
  )

describe('missedMinimums: a percentage is compared as the report shows it', () => {
  it.each<[string, number, number, number, string | undefined]>([
    ['nothing is asked', 0, 3, 0, undefined],
    ['just enough', 9, 10, 90, undefined],
    ['all of them', 3, 3, 100, undefined],
    ['one short of all', 332, 333, 100, 'is 99.6 %; points still needed: 1'],
    ['less than is needed', 1, 3, 50, 'is 33.3 %; points still needed: 1'],
    ['a third is shown as 33.3', 1, 3, 33.3, undefined],
    ['33.33 is more than that', 1, 3, 33.33, 'is 33.3 %; points still needed: 1'],
    ['the least that is shown', 1, 1000, 0.1, undefined],
    ['nothing at all', 0, 333, 0.1, 'is 0 %; points still needed: 1'],
    ['a tenth that is no binary fraction, reached', 161, 1000, 16.1, undefined],
    ['and not reached', 160, 1000, 16.1, 'is 16 %; points still needed: 1'],
    ['many are missing', 3, 300, 90, 'is 1 %; points still needed: 267'],
  ])('%s', (_what, covered, total, percent, missed) => {
    expect(missedMinimums(reportOfPoints(some(covered, total)), [{ percent }])).toEqual(
      missed === undefined ? [] : [`--coverage-min ${percent}: coverage ${missed}`],
    )
  })

  it('so many as it names are enough, and one less is not', () => {
    for (const [least, total] of [
      [16.1, 331],
      [33.34, 7],
      [99.9, 331],
      [0.1, 13],
    ] as const) {
      const [sentence = ''] = missedMinimums(reportOfPoints(some(0, total)), [{ percent: least }])
      const needed = Number(/needed: (\d+)/.exec(sentence)?.[1])
      const missed = (covered: number) =>
        missedMinimums(reportOfPoints(some(covered, total)), [{ percent: least }])
      expect([missed(needed), missed(needed - 1).length]).toEqual([[], 1])
    }
  })

  it('one of an operation looks at its points alone', () => {
    const report = reportOfPoints({ ...some(1, 4, 'updateReward'), ...some(6, 6) })
    const minimums: Minimum[] = [
      { percent: 70 },
      { operation: 'retrieveReward', percent: 100 },
      { operation: 'updateReward', percent: 50 },
    ]
    expect(missedMinimums(report, minimums)).toEqual([
      '--coverage-min updateReward=50: coverage of it is 25 %; points still needed: 1',
    ])
  })
})

describe('minimums', () => {
  it.each<[Minimum, boolean]>([
    [{ percent: 0 }, false],
    [{ percent: 0.1 }, true],
    [{ percent: 0, operation: 'updateReward' }, true],
  ])('%j is a gate: %s', (minimum, expected) => {
    expect(isGate(minimum)).toBe(expected)
  })

  it('one of an operation of which nothing counts is refused', () => {
    const { points } = narrowed(reportOfPoints({ ...some(1, 1), ...some(1, 1, 'updateReward') }), {
      only: ['updateReward'],
    })
    requireCounted([{ percent: 1 }, { percent: 1, operation: 'updateReward' }], points)
    expect(() => requireCounted([{ percent: 1, operation: 'retrieveReward' }], points)).toThrow(
      new InvalidError(
        "no contract point that counts belongs to operation 'retrieveReward', expected one of: updateReward",
      ),
    )
    expect(() => requireCounted([{ percent: 1, operation: 'updateRewards' }], points)).toThrow(
      "no contract point that counts belongs to operation 'updateRewards', did you mean 'updateReward'?",
    )
  })
})

describe('lostSince', () => {
  const before = reportOfPoints({
    'updateReward/success': 1,
    'updateReward/auth/bearer': 2,
    'retrieveReward/success': 0,
  })

  it('a baseline holds what was covered, and the same report has lost nothing', () => {
    expect(baselineOf(before)).toEqual(['updateReward/success', 'updateReward/auth/bearer'])
    expect(lostSince(baselineOf(before), before)).toEqual([])
  })

  it('points that are no longer covered, or no longer there', () => {
    const after = reportOfPoints({
      'updateReward/success': 0,
      'updateReward/auth/bearer': 0,
      'retrieveReward/success': 1,
    })
    expect(lostSince(baselineOf(before), after)).toEqual([
      'updateReward/success, updateReward/auth/bearer are no longer covered',
    ])
    expect(lostSince(['updateReward/success', 'a/b'], after)).toEqual([
      'updateReward/success is no longer covered',
      'a/b is no point of the contract',
    ])
  })

  it('what a report leaves out is not looked at', () => {
    const after = reportOfPoints({
      'updateReward/success': 1,
      'updateReward/auth/bearer': 0,
      'retrieveReward/success': 1,
    })
    expect(lostSince(baselineOf(before), narrowed(after, { skip: ['auth'] }))).toEqual([])
    expect(lostSince(baselineOf(before), narrowed(after, { only: ['retrieveReward'] }))).toEqual([])
    expect(lostSince(baselineOf(before), after)).toEqual(['updateReward/auth/bearer is no longer covered'])
  })

  it('many -> the first ten, and how many more', () => {
    const [sentence] = lostSince(baselineOf(reportOfPoints(some(12, 12))), reportOfPoints(some(0, 12)))
    expect(sentence).toMatch(/^retrieveReward\/success\/0, .*\/9 and 2 more are no longer covered$/)
  })
})
