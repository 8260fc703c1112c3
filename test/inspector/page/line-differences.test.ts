import { describe, expect, it } from 'vitest'
import { linesBeside } from '../../../src/inspector/page/line-differences.ts'

const marks = { same: '=', changed: '~', removed: '-', added: '+' } as const

const cases: [string, string, string, string][] = [
  ['the same', 'a b', 'a b', '=a =b'],
  ['nothing at all', '', '', ''],
  ['a changed line', 'a b c', 'a x c', '=a ~b/x =c'],
  ['a new line', 'a c', 'a b c', '=a +b =c'],
  ['a line that is gone', 'a b c', 'a c', '=a -b =c'],
  ['a line that moved', 'a b c d', 'b c a d', '-a =b =c +a =d'],
  ['nothing in common', 'a b', 'x', '~a/x -b'],
  ['one of them empty', '', 'a b', '+a +b'],
  ['several changes', 'a b c d e', 'a x c y e', '=a ~b/x =c ~d/y =e'],
  ['the same line again', 'a a a', 'a a', '=a =a -a'],
]

const lines = (text: string): string[] => (text === '' ? [] : text.split(' '))

describe('lines beside each other', () => {
  it.each(cases)('%s', (_what, before, after, expected) => {
    const pairs = linesBeside(lines(before), lines(after)).map(({ kind, before: one, after: other }) => {
      const text = kind === 'changed' ? `${one}/${other}` : (one ?? other)
      return `${marks[kind]}${text}`
    })
    expect(pairs.join(' ')).toBe(expected)
  })

  it('lays texts of any length beside each other, and loses no line', () => {
    const before = Array.from({ length: 30_000 }, (_, at) => `b${at}`)
    const after = Array.from({ length: 20_000 }, (_, at) => `a${at}`)
    const pairs = linesBeside(['same', ...before], ['same', ...after])
    expect(pairs.map(({ before: line }) => line).filter((line) => line !== undefined)).toEqual([
      'same',
      ...before,
    ])
    expect(pairs.map(({ after: line }) => line).filter((line) => line !== undefined)).toEqual([
      'same',
      ...after,
    ])
  })
})
