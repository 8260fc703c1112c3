import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitsGlob, isLongGlob } from '../../src/scenarios/glob.ts'
import { samples } from '../setup/samples.ts'

/** The meaning of a pattern, written down as plainly as possible: what is left of both after their first signs. */
function reference(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] === '*') {
    return reference(pattern.slice(1), text) || (text !== '' && reference(pattern, text.slice(1)))
  }
  return (
    text !== '' &&
    (pattern[0] === '?' || pattern[0] === text[0]) &&
    reference(pattern.slice(1), text.slice(1))
  )
}

describe('fitsGlob', () => {
  it.each([
    ['rwd_*_pending', 'rwd_ada_pending', true],
    ['rwd_*_pending', 'rwd__pending', true],
    ['rwd_*_pending', 'rwd_ada_pending_deduction', false],
    ['*', '', true],
    ['?', '', false],
    ['??', 'a', false],
    ['', '', true],
    ['', 'a', false],
    ['a', 'A', false],
    ['a.c', 'abc', false],
    ['[ab]', 'a', false],
    ['(a|b)+', 'a', false],
    ['a*b*c', 'a-b-b-c', true],
    ['ab*ba', 'aba', false],
    ['ab*ba', 'abba', true],
    ['*ab', 'aab', true],
    ['ab*', 'aab', false],
  ])('%j on %j -> %s', (pattern, text, fits) => {
    expect(fitsGlob(pattern, text)).toBe(fits)
  })

  it('means the same as the reference, whatever the pattern and the text', () => {
    const signs = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.', '\\'), maxLength: 8 })
    fc.assert(
      fc.property(signs, signs, (pattern, text) => {
        expect(fitsGlob(pattern, text)).toBe(reference(pattern, text))
      }),
      { numRuns: samples(2000) },
    )
  })

  it('a text fits itself unless it holds signs, and "*" around any part of it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, part, after) => {
        const plain = part.replaceAll(/[*?]/g, '.')
        expect(fitsGlob(plain, plain)).toBe(true)
        expect(fitsGlob(`*${plain}*`, before + plain + after)).toBe(true)
      }),
    )
  })

  it.each([
    ['a long part between stars', `*${'a'.repeat(197)}b*`],
    ['stars that would make a regular expression explode', '*a'.repeat(100)],
    ['signs for any character', `*${'?'.repeat(98)}b*${'?'.repeat(99)}`],
  ])('%s -> each character of the text is read once', (_title, pattern) => {
    const readsOf = (length: number): number => {
      let reads = 0
      const text = { length, charCodeAt: () => (reads++, 'a'.charCodeAt(0)) }
      fitsGlob(pattern, text as unknown as string)
      return reads
    }
    expect([readsOf(5000), readsOf(10_000)]).toEqual([5000, 10_000])
  })

  it.each([31, 32, 33, 63, 64, 65, 200])('a pattern of %i signs means what its parts mean', (length) => {
    const rest = 'ab'.repeat(100).slice(0, length - 1)
    expect(fitsGlob(`*${rest}`, `xyz${rest}`)).toBe(true)
    expect(fitsGlob(`*${rest}`, `${rest}x`)).toBe(false)
    expect(fitsGlob(`${rest}?`, `${rest}x`)).toBe(true)
    expect(fitsGlob(`${rest}?`, rest)).toBe(false)
  })
})

describe('isLongGlob', () => {
  it.each([
    ['200 characters with a sign', `*${'a'.repeat(199)}`, false],
    ['201 characters with a star', `*${'a'.repeat(200)}`, true],
    ['201 characters with a question mark', `?${'a'.repeat(200)}`, true],
    ['an exact value of 300 characters', 'a'.repeat(300), false],
  ])('%s -> %s', (_title, pattern, isLong) => {
    expect(isLongGlob(pattern)).toBe(isLong)
  })
})
