import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signingKey } from '../../src/runtime/random.ts'
import { Cursors } from '../../src/store/cursors.ts'
import { samples } from '../setup/samples.ts'

const cursorsOf = (seed: number): Cursors => new Cursors(signingKey(seed, 'cursors'))
const cursors = cursorsOf(1)
const settings = { numRuns: samples(500), seed: 20_261_121 }
const list = 'default/acct_1'
/** Any text at all, lone surrogates included. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  maxLength: 200,
})
const place = fc.string({ unit: 'grapheme', maxLength: 60 })

describe('page tokens', () => {
  test('any place of any list -> opens again for this list, and can stand in a URL as it is', () => {
    fc.assert(
      fc.property(place, place, (boundTo, where) => {
        const token = cursors.seal(boundTo, where)
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(cursors.open(boundTo, token)).toBe(where)
      }),
      settings,
    )
  })

  test('the longest id there can be, in the widest characters -> opens', () => {
    const where = `${'9'.repeat(17)}${'王'.repeat(200)}`
    expect(cursors.open(list, cursors.seal(list, where))).toBe(where)
  })

  test('the same place, list and seed -> the same token', () => {
    expect(cursorsOf(1).seal(list, 'x')).toBe(cursors.seal(list, 'x'))
  })

  test.each([
    ['another account', 'default/acct_2'],
    ['another workspace', 'w1/acct_1'],
    ['a list whose name is its own and more', 'default/acct_1x'],
    ['nothing', ''],
  ])('opened for %s -> refused', (_, other) => {
    expect(cursors.open(other, cursors.seal(list, 'x'))).toBeUndefined()
  })

  test('another seed -> refused', () => {
    expect(cursorsOf(2).open(list, cursors.seal(list, 'x'))).toBeUndefined()
  })

  test('list and place do not run into each other', () => {
    expect(cursors.seal('a', 'bc')).not.toBe(cursors.seal('ab', 'c'))
  })

  test('any one character changed, taken out or put in -> refused', () => {
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ .'
    fc.assert(
      fc.property(place, fc.nat(), fc.constantFrom(...characters), fc.nat(2), (where, at, put, kind) => {
        const token = cursors.seal(list, where)
        const spot = at % token.length
        const tail = token.slice(kind === 0 ? spot : spot + 1)
        const changed = token.slice(0, spot) + (kind === 1 ? '' : put) + tail
        fc.pre(changed !== token)
        expect(cursors.open(list, changed)).toBeUndefined()
      }),
      settings,
    )
  })

  test.each([
    ['empty', ''],
    ['a row id', 'stm_ada_27'],
    ['too short for a signature', 'A'.repeat(21)],
    ['only a signature', 'A'.repeat(30)],
    ['very long', 'A'.repeat(100_000)],
    ['not base64url', '🙂'.repeat(20)],
  ])('a text that is %s -> refused', (_, text) => {
    expect(cursors.open(list, text)).toBeUndefined()
  })

  test('any text -> refused', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(cursors.open(list, text)).toBeUndefined()
      }),
      settings,
    )
  })
})
