import { describe, expect, it } from 'vitest'
import { stringify } from '../../src/json/stringify.ts'
import { findFaults } from '../../src/json/json-text.ts'
import { readJson } from '../../src/input/read-json.ts'

const rows = Array.from({ length: 6000 }, (_, at) => `{"id":"c${at}"}`)
const tooLong = 'has a number or word of more than 1000 characters'
const digits = (count: number): string => '1'.repeat(count)

describe('readJson', () => {
  it.each([
    ['rows', `{"customers":[${rows.join(',')}],"rewards":[${rows.join(' , ')}]}`],
    ['100,000 keys', `{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join()}}`],
    ['an own key', `{"__proto__":{"a":1},"b":[${rows.join()}]}`],
    ['keys with escapes', `{"a\\"\\u0062":[${rows.join()}],"c":1}`],
    ['white space around', ` \n[${rows.join()}]\n `],
    ['a number of 1,000 characters', `[${'1.'.padEnd(1000, '5')}]`],
    ['a string of digits', `["${digits(50_000)}","a, ${digits(2000)}"]`],
    ['100 levels', '['.repeat(100) + ']'.repeat(100)],
  ])('%s -> the value of JSON.parse', (_title, text) => {
    const { value, faults } = readJson(text, 100)
    expect(faults).toBeUndefined()
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
  })

  it('case 126: numbers are kept as their text where all of it is free-form', () => {
    const exact = '9223372036854775807'
    const text = `{"customers":[{"metadata":{"deep":{"a":[${exact}]},"b":${exact}},"amount":${exact}}]}`
    const { value, faults } = readJson(text, 100)
    expect(faults).toBeUndefined()
    expect(stringify(value)).toBe(text.replace(`"amount":${exact}`, '"amount":9223372036854776000'))
  })

  it.each([
    ['a comma too many', `[${rows.join()},]`],
    ['the wrong bracket inside', `{"a":[${rows.join()}},"b":1}`],
    ['text after the end', `[${rows.join()}] 1`],
    ['a string that never ends', `[${rows.join()},"x`],
    ['a word', `[${rows.join()},nothing,${rows.join()}]`],
    ['the same key twice', `{"a":1,"b":[${rows.join()}],"a":2,"b":3}`],
    ['101 levels', '['.repeat(101) + ']'.repeat(101)],
    ['brackets that never close', '['.repeat(200_000)],
    ['brackets that close', '['.repeat(200_000) + ']'.repeat(200_000)],
  ])('%s -> the faults of a scan', (_title, text) => {
    const { faults } = readJson(text, 100)
    expect(faults).toEqual(findFaults(text, 100))
    expect(faults?.length).toBeGreaterThan(0)
  })

  it.each([
    ['a number of 1,001 digits', `{"a": ${digits(1001)}}`, 6, ['a']],
    ['a fraction of 1,001 characters', `[${'1.'.padEnd(1001, '5')}]`, 1, [0]],
    ['a negative number', `[-${digits(1000)}]`, 1, [0]],
    ['a number that is the whole text', digits(1001), 0, []],
    ['a number of 16 MiB', `{"metadata":${digits(2 ** 24)}}`, 12, ['metadata']],
    ['a word of 16 MiB', `["a", ${'x'.repeat(2 ** 24)}`, 6, [1]],
  ])('%s -> refused', (_title, text, offset, path) => {
    expect(readJson(text, 100).faults).toEqual([{ offset, path, message: tooLong }])
  })

  it('the same key without end -> the first thousand faults', () => {
    expect(readJson(`{${'"a":1,'.repeat(100_000)}"a":1}`, 100).faults).toHaveLength(1000)
  })
})
