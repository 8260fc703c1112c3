import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from '../../src/json/stringify.ts'
import { findFaults, hidesFaults } from '../../src/json/json-text.ts'
import { readJson, type JsonReading } from '../../src/input/read-json.ts'
import { samples } from '../setup/samples.ts'

/** The value of a text, and the number of chunks. */
function read(text: string): JsonReading & { pieces: number } {
  const reader = readJson(text, 100)
  for (let pieces = 0; ; pieces++) {
    const step = reader.next()
    if (step.done === true) return { ...step.value, pieces }
  }
}

/** Longer than a piece, and than the pieces of what stands in it. */
const long = 'x'.repeat(70_000)
const manyRows = (count: number): string[] => Array.from({ length: count }, (_, at) => `{"id":"c${at}"}`)

/** The value that was read in one chunk before. */
function atOnce(text: string): JsonReading {
  try {
    const value: unknown = JSON.parse(text)
    return hidesFaults(text, value, 100) ? { faults: findFaults(text, 100) } : { value }
  } catch {
    return { faults: findFaults(text, 100) }
  }
}

const rows = manyRows(6000)
const whole = `{"customers":[${rows.join(',')}],"rewards":[${rows.join(' , ')}],"x":{"y":"${long}","z":[]}}`

describe('a long text, in pieces', () => {
  it.each([
    ['rows', whole],
    ['a list', `[${rows.join(',')}]`],
    ['long texts', `["${long}","${long}",{"a":"${long}","b":1}]`],
    ['many keys', `{${rows.map((row, at) => `"k${at}":${row}`).join(',\n')}}`],
    ['a key of its own', `{"__proto__":{"a":"${long}"},"b":[${rows.join()}]}`],
    ['keys with escapes', `{"a\\"\\u0062":[${rows.join()}],"c":1}`],
    ['a text alone', `"${long}"`],
    ['nothing but space around', ` \n[${rows.join()}]\n `],
  ])('%s -> what JSON.parse makes of it', (_title, text) => {
    const { value, faults } = read(text)
    expect(faults).toBeUndefined()
    expect(value).toEqual(JSON.parse(text))
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
  })

  it('case 126: numbers are kept as their text where all of it is free-form, whatever piece they stand in', () => {
    const exact = '9223372036854775807'
    const numbers = Array.from({ length: 6000 }, () => exact).join()
    const text = `{"customers":[{"metadata":{"deep":{"a":[${numbers}]},"b":${exact}},"amount":${exact}}]}`
    const { value, faults } = read(text)
    expect(faults).toBeUndefined()
    expect(stringify(value)).toBe(text.replace(`"amount":${exact}`, '"amount":9223372036854776000'))
  })

  it('twice as long -> twice as many pieces', () => {
    const piecesOf = (count: number): number => read(`{"customers":[${manyRows(count).join()}]}`).pieces
    expect(piecesOf(100_000)).toBeGreaterThan(20)
    expect(piecesOf(200_000) / piecesOf(100_000)).toBeCloseTo(2, 0)
  })

  const broken: [string, string][] = [
    ['a comma too many', `[${rows.join()},]`],
    ['a comma too many in the middle', `[${rows.join()},,${rows.join()}]`],
    ['a comma first', `[,${rows.join()}]`],
    ['no comma between long values', `[[${rows.join()}] [${rows.join()}]]`],
    ['the wrong bracket', `[${rows.join()}}`],
    ['the wrong bracket inside', `{"a":[${rows.join()}},"b":1}`],
    ['a bracket too many', `[${rows.join()}]]`],
    ['a bracket too few', `{"a":[${rows.join()}]`],
    ['something after the end', `[${rows.join()}] 1`],
    ['a text that never ends', `[${rows.join()},"${long}`],
    ['a key without quotes', `{a:[${rows.join()}]}`],
    ['a key without a colon', `{"a"[${rows.join()}]}`],
    ['an escape in a key', `{"\\x":[${rows.join()}]}`],
    ['a word', `[${rows.join()},nothing,${rows.join()}]`],
    ['the same key of long values', `{"a":[${rows.join()}],"b":1,"a":[${rows.join()}]}`],
    ['the same key far apart', `{"a":1,"b":[${rows.join()}],"a":2,"b":3}`],
    ['the same key among many', `{${rows.map((row, at) => `"k${at % 5900}":${row}`).join()}}`],
    ['the same key in rows', `[${rows.join()},{"a":1,"a":2},${rows.join()},{"b":1,"b":2}]`],
    ['too many levels', `${'['.repeat(101)}${rows.join()}${']'.repeat(101)}`],
    ['too many levels inside', `{"a":[${rows.join()},${'['.repeat(100)}1${']'.repeat(100)}]}`],
    ['brackets that never close', '['.repeat(200_000)],
  ]
  it.each(broken)('%s -> the faults that looking at each sign finds', (_title, text) => {
    const { faults } = read(text)
    expect(faults).toEqual(atOnce(text).faults)
    expect(faults?.length).toBeGreaterThan(0)
  })

  it('the same key without end -> a thousand faults, and no more pieces', () => {
    const { faults = [], pieces } = read(`{${'"a":1,'.repeat(1_000_000)}"a":1}`)
    expect(faults.length).toBeGreaterThanOrEqual(1000)
    expect(pieces).toBe(1)
  })

  it.each([
    [100_000, undefined],
    [100_001, [{ path: ['a'], message: 'has more than 100000 keys' }]],
  ])('an object of %i keys -> %j', (count, expected) => {
    const keys = Array.from({ length: count }, (_, at) => `"k${at}":1`)
    const { faults } = read(`{"a":{${keys.join()}},"b":${JSON.stringify(rows)}}`)
    expect(faults?.map(({ path, message }) => ({ path, message }))).toEqual(expected)
  })

  it('any value among long ones, whole or broken anywhere, is judged as all at once', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.nat(),
        fc.constantFrom('', ',', ']', '}', '"', '1', '\\'),
        (value, at, sign) => {
          const text = `[${rows.join()},${JSON.stringify(value)},{"a":[${rows.join()}],"b":${JSON.stringify(value)}}]`
          const place = at % text.length
          const changed = sign === '' ? text : text.slice(0, place) + sign + text.slice(place + (at % 2))
          const { value: found, faults } = read(changed)
          const expected = atOnce(changed)
          expect(faults).toEqual(expected.faults)
          expect(JSON.stringify(found) === JSON.stringify(expected.value)).toBe(true)
        },
      ),
      { seed: 1, numRuns: samples(15) },
    )
  })
})
