import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { samples } from '../setup/samples.ts'
import { findLongToken } from '../../src/json/long-tokens.ts'
import { runToEnd } from '../../src/runtime/time-slices.ts'
import { faultsOf } from '../helpers/documents.ts'

const number = 'has a number or word of more than 1000 characters'
const space = 'has more than 10000 characters of white space in a row'
const faultIn = (text: string) => runToEnd(findLongToken(text))

describe('findLongToken', () => {
  it.each([
    ['a number of 1,000 digits', `{"a": ${'1'.repeat(1000)}}`, undefined],
    ['a number of 1,001 digits', `{"a": ${'1'.repeat(1001)}}`, { offset: 6, message: number }],
    ['a fraction of 1,001 characters', `[${'1.'.padEnd(1001, '5')}]`, { offset: 1, message: number }],
    ['a number that is the text', '1'.repeat(1001), { offset: 0, message: number }],
    ['a word of 16 MiB', `["a", ${'x'.repeat(2 ** 24)}`, { offset: 6, message: number }],
    ['10,000 spaces', `[1,${' '.repeat(10_000)}2]`, undefined],
    ['10,001 spaces', `[1,${' '.repeat(10_001)}2]`, { offset: 3, message: space }],
    ['10,001 lines before the text', `${'\n'.repeat(10_001)}{}`, { offset: 0, message: space }],
    ['10,001 tabs after the text', `{}${'\t'.repeat(10_001)}`, { offset: 2, message: space }],
    ['digits in a string', `["${'1'.repeat(50_000)}"]`, undefined],
    ['spaces in a string with quotes', `["a\\"${' '.repeat(50_000)}\\"b"]`, undefined],
    ['a string that never ends', `["${'1'.repeat(50_000)}`, undefined],
    ['a number after long strings', `["${'1'.repeat(5000)}", "${' '.repeat(50_000)}", ${'1'.repeat(1001)}]`, { offset: 55_009, message: number }], // prettier-ignore
    ['many short numbers', `[${'1234567890,'.repeat(10_000)}1]`, undefined],
    ['much white space in pieces', `[${`${' '.repeat(10_000)}1,`.repeat(20)}1]`, undefined],
  ])('%s', (_name, text, fault) => {
    expect(faultIn(text)).toEqual(fault && { ...fault, path: [] })
  })

  it('finds what looking at each character finds', () => {
    const piece = fc.oneof(
      fc.constantFrom('"', '\\"', '\\', ',', ':', '[', '{'),
      fc
        .tuple(fc.constantFrom('1', ' ', 'x', '\\"'), fc.integer({ min: 990, max: 1010 }))
        .map(([sign, n]) => sign.repeat(n)),
      fc.integer({ min: 9990, max: 10_010 }).map((n) => ' '.repeat(n)),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        expect(faultIn(text)?.offset).toBe(firstLong(text))
      }),
      { numRuns: samples(1000) },
    )
  })
})

/** The offset of the first long token, by going through all tokens. */
function firstLong(text: string): number | undefined {
  const tokens = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|[ \t\r\n]+|[^ \t\r\n,:{}[\]"]+|[^]/gy
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token.startsWith('"')) continue
    if (token.length > (/^[ \t\r\n]/.test(token) ? 10_000 : 1000)) return index
  }
  return undefined
}

it.each([
  ['.json', `{"a": ${'1'.repeat(1001)}}`, `x.json:1:7: ${number}`],
  ['', `{"a": ${'1'.repeat(1001)}}`, `x:1:7: ${number}`],
  ['.json', `{"a":\n${' '.repeat(10_001)}1}`, `x.json:1:6: ${space}`],
])('a document %s with a long token -> refused at its place', async (extension, text, message) => {
  expect((await faultsOf(text, extension)).split('\n')[0]).toBe(message)
})
