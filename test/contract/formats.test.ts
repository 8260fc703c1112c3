import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { docs } from '../../src/contract/docs.ts'
import {
  currencyCode,
  dateOrTimestamp,
  dateParts,
  decimalString,
  endpointSecret,
  id,
  integer,
  isJsonObject,
  metadata,
  minorUnits,
  partnerCustomerId,
  rewardCurrency,
  timestamp,
} from '../../src/contract/formats.ts'

// A description that one field gave to a shared format would show at every field of that format.
test('a format that documents nothing itself has no documentation, whatever documents its fields', async () => {
  await import('../../src/index.ts')
  await import('../../src/openapi/index.ts')
  await import('../../src/contract/resources/event-only.ts')
  for (const format of [id, integer, decimalString, endpointSecret, dateParts])
    expect(docs.get(format)).toBeUndefined()
})

/** The rule that a value breaks, or undefined when it fits. */
function broken(schema: z.ZodType, value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.message
}

const visible = (value: unknown): string =>
  typeof value === 'string' && value.length > 60 ? `${value.length} characters` : JSON.stringify(value)

const rows = (...values: unknown[]): (readonly [string, unknown])[] =>
  values.map((value) => [visible(value), value] as const)

describe('a date-time of RFC 3339', () => {
  const good = [
    '2026-02-28T10:00:00Z',
    '2026-02-28t10:00:00z',
    '2026-02-28T10:00:00z',
    '2026-02-28T10:00:00.1Z',
    '2026-02-28T10:00:00.123456789012Z',
    '2026-02-28T10:00:00+05:30',
    '2026-02-28t10:00:00.5-08:00',
    '2026-02-28T10:00:00-00:00',
    '2026-02-28T10:00:00+23:59',
    '2026-02-28T00:00:00Z',
    '2026-12-31T23:59:59Z',
    '2024-02-29T10:00:00Z',
    '2000-02-29T10:00:00Z',
    '1937-01-01T12:00:27.87+00:20',
  ]
  const bad = [
    '',
    'now',
    '1772272800',
    '2026-02-28T10:00',
    '2026-02-28T10:00Z',
    '2026-02-28T10:00:00',
    '2026-02-28 10:00:00Z',
    '2026-02-28T10:00:00 Z',
    ' 2026-02-28T10:00:00Z',
    '2026-02-28T10:00:00Z\n',
    '2026-02-28T10:00:00.Z',
    '2026-02-28T10:00:00,5Z',
    '2026-02-28T10:00:00+0530',
    '2026-02-28T10:00:00+05',
    '2026-02-28T10:00:00+24:00',
    '2026-02-28T10:00:00+05:60',
    '2026-02-28T24:00:00Z',
    '2026-02-28T10:60:00Z',
    '2026-02-28T10:00:61Z',
    '2026-02-30T10:00:00Z',
    '2026-02-29T10:00:00Z',
    '1900-02-29T10:00:00Z',
    '2026-04-31T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-00-01T10:00:00Z',
    '2026-01-00T10:00:00Z',
    '26-02-28T10:00:00Z',
    '+002026-02-28T10:00:00Z',
    '20260228T100000Z',
    '2026-W09-6T10:00:00Z',
    '2026-02-28T10:00:00Zulu',
    '２０２６-02-28T10:00:00Z',
  ]
  test.each(rows(...good))('%s -> a timestamp', (_, value) => {
    expect(broken(timestamp, value)).toBeUndefined()
    expect(timestamp.parse(value)).toBe(value)
  })

  test.each(rows(...bad))('%s -> none', (_, value) => {
    expect(broken(timestamp, value)).toBe('must be an RFC 3339 date-time')
  })

  test.each(rows(...good, '2026-02-28', '2024-02-29', '2026-12-31', '0001-01-01'))(
    '%s -> a date or date-time',
    (_, value) => {
      expect(broken(dateOrTimestamp, value)).toBeUndefined()
      expect(dateOrTimestamp.parse(value)).toBe(value)
    },
  )

  test.each(rows(...bad, '2026-02-30', '2026-02-29', '2026-2-28', '2026-02-28T', '2026-02', '28.02.2026'))(
    '%s -> neither a date nor a date-time',
    (_, value) => {
      expect(broken(dateOrTimestamp, value)).toBe('must be an RFC 3339 date or date-time')
    },
  )

  // RFC 3339, 5.8 has the first two as examples. A hint can be one; a timestamp of ours is an instant.
  test.each(rows('1990-12-31T23:59:60Z', '1990-12-31T15:59:60-08:00', '2016-12-31t23:59:60.5z'))(
    'leap second %s -> a date-time as a hint, no timestamp',
    (_, value) => {
      expect(broken(dateOrTimestamp, value)).toBeUndefined()
      expect(broken(timestamp, value)).toBe('must be an RFC 3339 date-time')
    },
  )

  test.each(
    rows('2016-12-31T23:58:60Z', '2016-12-31T10:00:60Z', '2016-12-31T23:59:60-08:00', '2016-12-32T23:59:60Z'),
  )('second 60 away from the end of a UTC day: %s -> none', (_, value) => {
    expect(broken(dateOrTimestamp, value)).toBe('must be an RFC 3339 date or date-time')
  })

  // Work that grew with the square of the length would outlast the runner's patience.
  test.each([timestamp, dateOrTimestamp])('a text of a megabyte -> refused', (schema) => {
    const long = '2026-02-28T10:00:00.' + '1'.repeat(1_000_000)
    expect(broken(schema, long)).toMatch(/^must be an RFC 3339/)
  })

  test.each(rows(null, 1772272800, true, {}, []))('%s -> none', (_, value) => {
    expect(broken(timestamp, value)).toBeDefined()
    expect(broken(dateOrTimestamp, value)).toBeDefined()
  })
})

describe('a currency', () => {
  test.each(rows('USD', 'EUR', 'JPY', 'XXX', 'ZZZ'))('%s -> fits', (_, value) => {
    expect(broken(currencyCode, value)).toBeUndefined()
  })

  test.each(
    rows('usd', 'Usd', 'US', 'USDT', '', 'US$', 'U D', ' USD', 'USD ', 'USD\n', 'ÜSD', 'ＵＳＤ', '840'),
  )('%s -> not the form of ISO 4217', (_, value) => {
    expect(broken(currencyCode, value)).toBe('must be a 3-letter ISO 4217 code in upper case')
  })

  test.each(rows('USD', 'POINTS', 'MILES', 'AIR_MILES', `A${'B'.repeat(31)}`))(
    '%s -> fits as the currency of a reward',
    (_, value) => {
      expect(broken(rewardCurrency, value)).toBeUndefined()
    },
  )

  test.each(rows('points', 'PT', '', '_POINTS', 'POINTS2', 'POINTS\n', `A${'B'.repeat(32)}`))(
    '%s -> no currency of a reward',
    (_, value) => {
      expect(broken(rewardCurrency, value)).toBe(
        'must be a 3-letter ISO 4217 code or a reward unit such as POINTS',
      )
    },
  )
})

describe("a partner's customer id", () => {
  const printable = Array.from({ length: 0x7e - 0x20 + 1 }, (_, at) => String.fromCharCode(0x20 + at)).join(
    '',
  )

  test.each(rows('a', ' ', '~', ' a ', 'Partner-1', 'x'.repeat(128), printable, '"\\', '<script>'))(
    '%s -> fits, byte for byte',
    (_, value) => {
      expect(partnerCustomerId.parse(value)).toBe(value)
    },
  )

  test.each(rows('', 'x'.repeat(129), 'é', '\t', '\u007f', 'a\n', '\u0000', '\u00a0', '😀', '\ud800', 'ａ'))(
    '%s -> not 1 to 128 printable ASCII characters',
    (_, value) => {
      expect(broken(partnerCustomerId, value)).toBe('must be 1 to 128 printable ASCII characters')
    },
  )

  test('every character from 0x00 to 0xff fits exactly when it is printable ASCII', () => {
    for (let code = 0; code <= 0xff; code++) {
      const fits = broken(partnerCustomerId, String.fromCharCode(code)) === undefined
      expect([code, fits]).toEqual([code, code >= 0x20 && code <= 0x7e])
    }
  })
})

describe('an amount', () => {
  test.each([
    [0, 0],
    [-0, 0],
    [1, 1],
    [-1, -1],
    [100.0, 100],
    [1e2, 100],
    [Number.MAX_SAFE_INTEGER, 9007199254740991],
    [Number.MIN_SAFE_INTEGER, -9007199254740991],
  ])('%s -> %s', (value, read) => {
    expect(minorUnits.parse(value)).toBe(read)
  })

  test.each([
    ['text', '100'],
    ['a fraction', 1.5],
    ['the smallest fraction', 5e-324],
    ['infinity', Infinity],
    ['minus infinity', -Infinity],
    ['no number', Number.NaN],
    ['null', null],
    ['true', true],
    ['a list', [100]],
    ['an object', {}],
    ['nothing', undefined],
  ])('%s -> must be an integer', (_, value) => {
    expect(broken(minorUnits, value)).toBe('must be an integer')
  })

  test.each([
    ['one beyond what a number holds exactly', 9007199254740992, 'at most 9007199254740991'],
    ['as much below', -9007199254740992, 'at least -9007199254740991'],
  ])('case 127: %s -> %s, must be %s', (_, value, rule) => {
    expect(broken(minorUnits, value)).toBe(`must be ${rule}`)
  })
})

describe('the other formats', () => {
  test.each(rows('cus_1', 'a b', 'é', '😀', 'x'.repeat(200), '__proto__', '../x'))(
    '%s -> an id',
    (_, value) => {
      expect(broken(id, value)).toBeUndefined()
    },
  )

  test.each(rows('', 'x'.repeat(201), 'a\u0000', 'a\nb', '\u007f'))('%s -> no id', (_, value) => {
    expect(broken(id, value)).toBe('must be 1 to 200 characters without control characters')
  })

  test.each(rows('0', '1.50', '0.015', '12', '0.12345678', '123456789012'))('%s -> a decimal', (_, value) => {
    expect(broken(decimalString, value)).toBeUndefined()
  })

  test.each(rows('', '.5', '5.', '-1', '+1', '1e2', '1,5', ' 1', '1\n', '1.123456789', '1234567890123', 'x'))(
    '%s -> no decimal',
    (_, value) => {
      expect(broken(decimalString, value)).toBe('must be a decimal string such as "1.50"')
    },
  )

  test.each([
    ['{}', {}, true],
    ['fields', { a: { b: [1] } }, true],
    ['null', null, false],
    ['a list', [], false],
    ['text', '{}', false],
    ['a number', 1, false],
    ['nothing', undefined, false],
  ])('%s -> metadata: %s', (_, value, fits) => {
    expect(isJsonObject(value)).toBe(fits)
    expect(broken(metadata, value)).toBe(fits ? undefined : 'must be a JSON object')
  })

  test('metadata is passed through as it is, __proto__ included', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"b":2}')
    expect(metadata.parse(value)).toBe(value)
  })

  test.each([
    [{ year: 1985, month: 12, day: 10 }, undefined],
    [{ year: 1900, month: 1, day: 1 }, undefined],
    [{ year: 1899, month: 1, day: 1 }, 'must be 1900 or later'],
    [{ year: 1985, month: 0, day: 1 }, 'must be 1 to 12'],
    [{ year: 1985, month: 13, day: 1 }, 'must be 1 to 12'],
    [{ year: 1985, month: 1, day: 32 }, 'must be 1 to 31'],
    [{ year: 1985, month: 1, day: 1.5 }, 'must be an integer'],
  ])('%o as a date in parts -> %s', (value, rule) => {
    expect(broken(dateParts, value)).toBe(rule)
  })
})
