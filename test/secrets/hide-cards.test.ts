import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hideCards } from '../../src/secrets/hide-cards.ts'
import { isTestPan, passesLuhn, testCards } from '../../src/secrets/cards.ts'
import { hostileDigits } from '../helpers/digits.ts'
import { samples } from '../setup/samples.ts'

describe('hideCards', () => {
  it.each([
    ['alone', '4242424242424242', '************4242'],
    ['in groups', '4242 4242 4242 4242', '**** **** **** 4242'],
    ['in groups with dashes', '3782-822463-10005', '****-******-*0005'],
    ['in groups with pluses, as queries have spaces', '4242+4242+4242+4242', '****+****+****+4242'],
    ['in a text', 'paid with 5555555555554444, thanks', 'paid with ************4444, thanks'],
    ['beside its expiry', '4242 4242 4242 4242 09/29', '**** **** **** 4242 09/29'],
    ['beside its expiry and code', '4242424242424242 09 29 737', '************4242 09 29 737'],
    ['behind a date', '2026-11-21 4242424242424242', '2026-11-21 ************4242'],
    ['between letters', 'x4242424242424242y', 'x************4242y'],
    ['within a longer number', '99424242424242424299', '99************424299'],
    ['twice', '4242424242424242 5555555555554444', '************4242 ************4444'],
    ['the shortest', '4222222222222', '*********2222'],
    ['the longest', '6304000000000000', '************0000'],
  ])('%s: %s -> %s', (_, text, hidden) => {
    expect(hideCards(text)).toBe(hidden)
  })

  it.each([
    ['too short', '42424242424'],
    ['no card number has it', '4242424242424241'],
    ['a time', '2026-11-21T12:00:00.000Z'],
    ['an id', 'int_1mavfg50541m'],
    ['an amount', '12345.67'],
    ['nothing', ''],
  ])('%s: %s stays', (_, text) => {
    expect(hideCards(text)).toBe(text)
  })

  it('every published number, in one piece or in fours, wherever it stands', () => {
    const around = fc.string({ unit: fc.constantFrom(...'ab09 -+/:,"_') })
    fc.assert(
      fc.property(
        fc.constantFrom(...testCards.map(({ pan }) => pan)),
        fc.constantFrom('', ' ', '-'),
        around,
        around,
        (pan, separator, before, after) => {
          const written = pan.replace(/(\d{4})(?=\d)/g, `$1${separator}`)
          // Digits right beside groups make other groups of them.
          const [left, right] = separator === '' ? [before, after] : [`${before}x`, `x${after}`]
          const hidden = hideCards(`${left}${written}${right}`)
          expect(hidden).not.toContain(written)
          expect(hidden.length).toBe(left.length + written.length + right.length)
        },
      ),
      { numRuns: samples(500) },
    )
  })

  it('hides what a plain look at each number in each run of digits hides', () => {
    fc.assert(
      fc.property(hostileDigits, (text) => {
        expect(hideCards(text)).toBe(text.replace(/\d(?:[ +-]?\d){11,}/g, plainlyHidden))
      }),
      { numRuns: samples(3_000) },
    )
  })
})

/** The intended result, as simple code: each selection of neighboring groups, and each part of each group. */
function plainlyHidden(run: string): string {
  const groups = [...run.matchAll(/\d+/g)].map(({ 0: digits, index }) =>
    Array.from(digits, (digit, offset) => ({ digit, place: index + offset })),
  )
  const hidden = new Set<number>()
  const judge = (number: { digit: string; place: number }[], isCard: (pan: string) => boolean): void => {
    const isLong = number.length >= 12 && number.length <= 19
    if (!isLong || !isCard(number.map(({ digit }) => digit).join(''))) return
    for (const { place } of number.slice(0, -4)) hidden.add(place)
  }
  for (const [from, group] of groups.entries()) {
    for (let to = from + 1; to <= groups.length; to++) judge(groups.slice(from, to).flat(), passesLuhn)
    for (let at = 0; at < group.length; at++) {
      for (let end = at + 12; end <= group.length; end++) judge(group.slice(at, end), isTestPan)
    }
  }
  return [...run].map((char, at) => (hidden.has(at) ? '*' : char)).join('')
}
