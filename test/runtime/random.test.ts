import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hash32, mix32, sign, signingKey } from '../../src/runtime/random.ts'

describe('hash32', () => {
  test.each([
    [
      ['ab', 'c'],
      ['a', 'bc'],
    ],
    [['a'], ['a', '']],
    [[], ['']],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['1', 2], ['12']],
  ])('%j and %j -> different numbers', (one, other) => {
    expect(hash32(...one)).not.toBe(hash32(...other))
  })

  test('a number and its text are the same word', () => {
    expect(hash32('ids', 7)).toBe(hash32('ids', '7'))
  })

  test('always an unsigned 32-bit integer, spread over the whole range', () => {
    const buckets = Array.from({ length: 16 }, () => 0)
    for (let at = 0; at < 16_000; at++) {
      const hash = hash32('row', at)
      expect(hash).toBe(hash >>> 0)
      buckets[hash >>> 28] = (buckets[hash >>> 28] ?? 0) + 1
    }
    expect(Math.min(...buckets)).toBeGreaterThan(850)
    expect(Math.max(...buckets)).toBeLessThan(1150)
  })
})

describe('mix32', () => {
  test('different numbers stay different, in order and far apart', () => {
    const seen = new Set<number>()
    for (let at = 0; at < 100_000; at++) {
      seen.add(mix32(at))
      seen.add(mix32(0xffff_ffff - at))
    }
    expect(seen.size).toBe(200_000)
  })

  test.each([0, 1, -1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff])(
    '%i -> an unsigned 32-bit integer',
    (value) => {
      expect(mix32(value)).toBe(mix32(value) >>> 0)
    },
  )
})

describe('signing', () => {
  const key = signingKey(1, 'cursors')

  test('a key per purpose and seed, the same each time', () => {
    expect(signingKey(1, 'cursors')).toEqual(key)
    expect(key).toHaveLength(32)
    expect(signingKey(1, 'statement-links')).not.toEqual(key)
    expect(signingKey(2, 'cursors')).not.toEqual(key)
  })

  test('a signature -> 22 characters of base64url: the first 128 bits of an HMAC-SHA-256', () => {
    const expected = createHmac('sha256', key).update('text').digest().subarray(0, 16).toString('base64url')
    expect(sign(key, 'text')).toBe(expected)
    expect(expected).toMatch(/^[\w-]{22}$/)
    expect(sign(key, 'texu')).not.toBe(expected)
    expect(sign(signingKey(2, 'cursors'), 'text')).not.toBe(expected)
  })
})
