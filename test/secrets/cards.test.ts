import { expect, it } from 'vitest'
import { couldBeReal, holdsRealCard, mayHoldCard, passesLuhn, testCards } from '../../src/secrets/cards.ts'

it('every test number passes the check of card numbers and stands in the list once', () => {
  for (const { pan } of testCards) expect([pan, passesLuhn(pan)]).toEqual([pan, true])
  expect(new Set(testCards.map(({ pan }) => pan)).size).toBe(testCards.length)
  expect(new Set(testCards.map(({ network }) => network)).size).toBeGreaterThan(5)
})

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
