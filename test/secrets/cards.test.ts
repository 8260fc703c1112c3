import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hostileDigits } from '../helpers/digits.ts'
import {
  couldBeReal,
  eachCardNumber,
  holdsRealCard,
  isTestPan,
  mayHoldCard,
  passesLuhn,
  testCards,
} from '../../src/secrets/cards.ts'
import { samples } from '../setup/samples.ts'

it('every test number passes the check of card numbers and stands in the list once', () => {
  for (const { pan } of testCards) expect([pan, passesLuhn(pan)]).toEqual([pan, true])
  expect(new Set(testCards.map(({ pan }) => pan)).size).toBe(testCards.length)
  expect(new Set(testCards.map(({ network }) => network)).size).toBeGreaterThan(5)
})

it('no test number begins with another', () => {
  for (const { pan } of testCards) {
    expect(testCards.filter((other) => other.pan.startsWith(pan)).map((other) => other.pan)).toEqual([pan])
  }
})

it('a long run of digits is read once', () => {
  let reads = 0
  const text = '1 '.repeat(5_000)
  const run = { length: text.length, charCodeAt: (at: number) => (reads++, text.charCodeAt(at)) }
  eachCardNumber(run as unknown as string, 12, () => undefined)
  expect(reads).toBe(10_000)
})

it('finds what a plain look at all neighboring groups finds', () => {
  fc.assert(
    fc.property(hostileDigits, (text) => {
      expect(holdsRealCard(text)).toBe(plainlyHoldsRealCard(text))
    }),
    { numRuns: samples(3_000) },
  )
})

/** The intended result, as simple code. */
function plainlyHoldsRealCard(text: string): boolean {
  const runs = text.match(/(?<![\w+]|\w-|\d\.)\d(?:[ -]?\d){12,}(?!\w|-\w|\.\d)/g) ?? []
  return runs.some((run) => {
    const groups = run.split(/[ -]/)
    const numbers = groups.flatMap((_, from) =>
      groups
        .map((__, last) => ({ from, to: last + 1, pan: groups.slice(from, last + 1).join('') }))
        .filter(({ pan }) => pan.length >= 13 && pan.length <= 19),
    )
    const tests = numbers.filter(({ pan }) => isTestPan(pan))
    return numbers.some(
      ({ from, to, pan }) =>
        couldBeReal(pan) &&
        /^(?:[3-6]|2[2-7])/.test(pan) &&
        tests.every((test) => test.to <= from || test.from >= to),
    )
  })
}

it.each([
  ['4242424242424242', false],
  ['378282246310005', false],
  ['4242424242424241', false],
  ['4539578763621486', true],
  ['0000000000000000', true],
])('%s could be real: %s', (pan, real) => {
  expect(couldBeReal(pan)).toBe(real)
})

it.each([
  ['4539578763621486', true],
  ['4539 5787 6362 1486', true],
  ['4539-5787-6362-1486', true],
  ['4 5 3 9 5 7 8 7 6 3 6 2 1 4 8 6', true],
  ['paid with 4539578763621486, thanks', true],
  ['12 4539578763621486 34', true],
  ['apt5 4539578763621486.', true],
  ['4242424242424242 4539578763621486', true],
  // A test number, also with what often stands beside one.
  ['4242 4242 4242 4242', false],
  ['4242 4242 4242 4242 123', false],
  ['5 4242424242424242 12/31', false],
  // No card has these.
  ['4539578763621487', false],
  ['453957876362', false],
  ['45395787636214861234', false],
  ['2026-10-13 2026-10-14', false],
  // Parts of something longer.
  ['txn_4539578763621486', false],
  ['4539578763621486abc', false],
  ['ord-4539578763621486', false],
  ['+4539578763621486', false],
  ['0.4539578763621486', false],
  ['4539  5787  6362  1486', false],
])('%s holds a real card: %s', (text, holds) => {
  expect(holdsRealCard(text)).toBe(holds)
  if (holds)
    expect([mayHoldCard(text), mayHoldCard({ a: [text] }), mayHoldCard({ [text]: 1 })]).toEqual([
      true,
      true,
      true,
    ])
})
