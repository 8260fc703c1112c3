import { describe, expect, it } from 'vitest'
import { fieldDifferences } from '../../../src/inspector/page/field-differences.ts'
import { parseExact } from '../../../src/json/parse-exact.ts'

const row = { id: 'a', metadata: { note: 'x', tags: [1] }, empty: {} }

const cases: [string, object | undefined, object | undefined, string[]][] = [
  [
    'a new row',
    undefined,
    row,
    ['id:  -> "a"', 'metadata.note:  -> "x"', 'metadata.tags:  -> [1]', 'empty:  -> {}'],
  ],
  ['a deleted row', { id: 'a' }, undefined, ['id: "a" -> ']],
  ['a field within', row, { ...row, metadata: { note: 'y', tags: [1] } }, ['metadata.note: "x" -> "y"']],
  ['a field that is gone', { id: 'a', note: 'x' }, { id: 'a' }, ['note: "x" -> ']],
  ['null is no field that is gone', { note: null }, {}, ['note: null -> ']],
  ['the same', row, row, []],
]

describe('the fields of a row', () => {
  it.each(cases)('%s', (_what, before, after, expected) => {
    const changed = fieldDifferences(before, after).filter(({ isChanged }) => isChanged)
    expect(changed.map((one) => `${one.field}: ${one.before ?? ''} -> ${one.after ?? ''}`)).toEqual(expected)
  })

  it('tells numbers apart that JavaScript would round', () => {
    const rowOf = (number: string): object => ({ metadata: parseExact(`{"n":${number}}`, true) })
    expect(fieldDifferences(rowOf('9007199254740993'), rowOf('9007199254740992'))).toEqual([
      { field: 'metadata.n', before: '9007199254740993', after: '9007199254740992', isChanged: true },
    ])
  })
})
