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
  ['a field that is gone before one that changed', '"a":1 "b":2', '"b":3', '-"a":1 ~"b":2/"b":3'],
  ['a header that changed behind a new one', 'etag:1', 'age:0 etag:2', '+age:0 ~etag:1/etag:2'],
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

  it('takes two lines for the same where what makes them so is', () => {
    const keyOf = (line: string): string => line.replace(/,$/, '')
    const kinds = linesBeside(['a,', 'b', 'c,'], ['a', 'x', 'y', 'c'], keyOf).map(
      ({ kind, before, after }) => [kind, before, after],
    )
    expect(kinds).toEqual([
      ['same', 'a,', 'a'],
      ['changed', 'b', 'x'],
      ['added', undefined, 'y'],
      ['same', 'c,', 'c'],
    ])
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
