import { expect, it } from 'vitest'
import { couldBeReal, passesLuhn, testCards } from '../../src/seed/cards.ts'

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
