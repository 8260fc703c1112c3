import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitsGlob } from '../../src/scenarios/glob.ts'

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
  ])('%j on %j -> %s', (pattern, text, fits) => {
    expect(fitsGlob(pattern, text)).toBe(fits)
  })

  it('means the same as the reference, whatever the pattern and the text', () => {
    const signs = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.', '\\'), maxLength: 8 })
    fc.assert(
      fc.property(signs, signs, (pattern, text) => {
        expect(fitsGlob(pattern, text)).toBe(reference(pattern, text))
      }),
      { numRuns: 2000 },
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

  it('a pattern that would make a regular expression explode -> takes no time', () => {
    expect(fitsGlob('*a'.repeat(50), `${'a'.repeat(5000)}b`)).toBe(false)
  })
})
