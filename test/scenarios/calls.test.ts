import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callsText, includesCall, readCalls } from '../../src/scenarios/calls.ts'

describe('which calls a rule acts on', () => {
  it.each([
    ['1', [1]],
    ['4', [4]],
    ['2..', [2, 3, 4, 5, 6, 7, 8, 9]],
    ['1..3', [1, 2, 3]],
    ['3..3', [3]],
    ['every 3', [3, 6, 9]],
    ['every 1', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ])('%s -> of nine calls, %j', (written, expected) => {
    const calls = readCalls(written)
    const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    expect(calls && counts.filter((count) => includesCall(calls, count, () => 1))).toEqual(expected)
  })

  it.each([
    '',
    '0',
    '-1',
    '1.5',
    '01',
    '..3',
    '1...3',
    '3..1',
    '0..2',
    'every',
    'every 0',
    'Every 3',
    '1, 2',
    ' 1',
    '1e3',
    '9999999999',
    '0%',
    '101%',
    '1.5%',
    '10 %',
    '%',
  ])('%j -> none', (written) => {
    expect(readCalls(written)).toBeUndefined()
  })

  it('10% -> the calls whose chance is below a tenth', () => {
    const calls = readCalls('10%')
    const chances = [0, 0.0999, 0.1, 0.5, 0.999]
    expect(calls && chances.filter((chance) => includesCall(calls, 1, () => chance))).toEqual([0, 0.0999])
    expect(calls && callsText(calls)).toBe('10%')
    expect(readCalls('100%')).toEqual({ percent: 100 })
  })

  it('a range holds as many calls as it says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 50 }), (from, more) => {
        const calls = readCalls(`${from}..${from + more}`)
        const counts = Array.from({ length: 120 }, (_, place) => place + 1)
        expect(calls && counts.filter((count) => includesCall(calls, count, () => 1)).length).toBe(more + 1)
      }),
    )
  })
})
