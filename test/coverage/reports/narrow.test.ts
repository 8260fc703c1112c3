import { describe, expect, it } from 'vitest'
import { narrowed, type Narrowing } from '../../../src/coverage/reports/narrow.ts'
import { InvalidError } from '../../../src/input/refusals.ts'
import { reportOfPoints } from '../../helpers/coverage-reports.ts'

const report = reportOfPoints({
  'updateReward/success': 1,
  'updateReward/auth/bearer': 0,
  'updateReward/auth/basic_key': 3,
  'updateReward/sent/status/PENDING': 0,
  'retrieveReward/success': 0,
  'retrieveReward/version/none': 1,
})

const ids = ({ points }: typeof report): string[] => points.map(({ id }) => id)

describe('narrowed', () => {
  it.each<[string, Narrowing]>([
    ['nothing', {}],
    ['empty lists', { only: [], skip: [] }],
  ])('%s asked for -> the report itself', (_what, narrowing) => {
    expect(narrowed(report, narrowing)).toBe(report)
  })

  it('only some operations -> their points, counted anew', () => {
    const { points, ...counts } = narrowed(report, { only: ['retrieveReward'] })
    expect(counts).toEqual({
      total: 2,
      covered: 1,
      percent: 50,
      left_out: { points: 4, only: ['retrieveReward'] },
    })
    expect(points).toEqual(report.points.slice(4))
  })

  it('without a facet -> it is the part of the id after the operation, and no other', () => {
    const { left_out: leftOut, percent, ...rest } = narrowed(report, { skip: ['auth', 'version'] })
    expect(ids({ ...rest, percent })).toEqual([
      'updateReward/success',
      'updateReward/sent/status/PENDING',
      'retrieveReward/success',
    ])
    expect([percent, leftOut]).toEqual([33.3, { points: 3, skip: ['auth', 'version'] }])
    expect(ids(narrowed(report, { skip: ['success'] }))).toHaveLength(4)
  })

  it('both at once', () => {
    const both = narrowed(report, { only: ['updateReward'], skip: ['sent'] })
    expect(ids(both)).toEqual([
      'updateReward/success',
      'updateReward/auth/bearer',
      'updateReward/auth/basic_key',
    ])
    expect(both.left_out).toEqual({ points: 3, only: ['updateReward'], skip: ['sent'] })
  })

  it.each<[Narrowing, string]>([
    [{ only: ['updateRewards'] }, "only: unknown operation 'updateRewards', did you mean 'updateReward'?"],
    [{ only: ['x'] }, "only: unknown operation 'x', expected one of: updateReward, retrieveReward"],
    [{ skip: ['aut'] }, "skip: unknown facet 'aut', did you mean 'auth'?"],
    [{ skip: ['status'] }, "skip: unknown facet 'status', expected one of: success, auth, sent, version"],
    [{ only: [''] }, "only: unknown operation '', expected one of: updateReward, retrieveReward"],
    [{ only: ['retrieveReward'], skip: ['success', 'version'] }, 'only and skip together leave no point'],
  ])('%j -> refused', (narrowing, message) => {
    expect(() => narrowed(report, narrowing)).toThrow(new InvalidError(message))
  })
})
