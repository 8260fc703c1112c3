import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { currencyCode, dateOrTimestamp, metadata, minorUnits } from '../../src/contract/formats.ts'
import { address } from '../../src/contract/resources/address.ts'
import { pan, paymentMethodType } from '../../src/contract/resources/payment-method.ts'
import { describeIssues, fieldName } from '../../src/contract/violations.ts'

const body = z.object({
  customer_id: z.string(),
  amount: minorUnits,
  currency: currencyCode,
  type: paymentMethodType.optional(),
  pan: pan.optional(),
  limit: z.int('must be an integer').min(1, 'must be at least 1').optional(),
  merchant_address: address.optional(),
  expected_date: dateOrTimestamp.optional(),
  metadata: metadata.optional(),
  tokens: z.array(z.object({ type: z.string() })).optional(),
  live: z.boolean().optional(),
  labels: z.record(z.string(), z.string()).optional(),
})

/** The reported violations of a body. */
function details(value: unknown, whole?: string): string[] {
  const { error } = body.safeParse(value, { reportInput: true })
  return describeIssues(error?.issues ?? [], whole)
}

const good = { customer_id: 'cus_ada', amount: 100, currency: 'USD' }

describe('one sentence per violation, naming the field and the rule', () => {
  test.each<[string, object, string[]]>([
    ['nothing wrong', {}, []],
    ['a field left out', { customer_id: undefined }, ['customer_id: is required']],
    ['a field with a rule of its own left out', { amount: undefined }, ['amount: is required']],
    ['null', { customer_id: null }, ['customer_id: must be a string']],
    ['a number for text', { customer_id: 1 }, ['customer_id: must be a string']],
    ['text for a number', { amount: '100' }, ['amount: must be an integer']],
    ['a fraction', { amount: 1.5 }, ['amount: must be an integer']],
    ['too large to be exact', { amount: 2 ** 53 }, ['amount: must be at most 9007199254740991']],
    ['infinity', { amount: Infinity }, ['amount: must be an integer']],
    ['below a bound', { limit: 0 }, ['limit: must be at least 1']],
    ['a pattern', { currency: 'usd' }, ['currency: must be a 3-letter ISO 4217 code in upper case']],
    ['an enum', { type: 'card' }, ['type: must be one of CARD, BANK_ACCOUNT, LOAN']],
    ['an enum of another type', { type: 7 }, ['type: must be one of CARD, BANK_ACCOUNT, LOAN']],
    ['a date', { expected_date: '2026-02-30' }, ['expected_date: must be an RFC 3339 date or date-time']],
    ['free-form', { metadata: [] }, ['metadata: must be a JSON object']],
    ['an object', { merchant_address: 'x' }, ['merchant_address: must be a JSON object']],
    ['a nested field', { merchant_address: { city: 7 } }, ['merchant_address.city: must be a string']],
    [
      'unknown fields',
      { merchant_address: { zip: 'x', planet: 'y' } },
      ['merchant_address.zip: is not a known field', 'merchant_address.planet: is not a known field'],
    ],
    ['a list', { tokens: {} }, ['tokens: must be an array']],
    ['a field in a list', { tokens: [{ type: 'x' }, { type: 1 }] }, ['tokens[1].type: must be a string']],
    ['true or false', { live: 'yes' }, ['live: must be true or false']],
    ['a map', { labels: { a: 1 } }, ['labels.a: must be a string']],
    ['no map', { labels: 'a' }, ['labels: must be a JSON object']],
  ])('%s', (_, fields, expected) => {
    expect(details({ ...good, ...fields })).toEqual(expected)
  })

  test('several -> all of them, in the order of the declaration, whatever the order of the body', () => {
    const expected = [
      'customer_id: is required',
      'amount: must be an integer',
      'currency: must be a 3-letter ISO 4217 code in upper case',
      'metadata: must be a JSON object',
    ]
    expect(details({ metadata: 1, currency: 'x', amount: null })).toEqual(expected)
    expect(details({ amount: null, currency: 'x', metadata: 1 })).toEqual(expected)
  })

  test.each([
    [undefined, 'body: must be a JSON object'],
    ['filter', 'filter: must be a JSON object'],
  ])('the whole input, called %s -> %s', (whole, expected) => {
    expect(details([], whole)).toEqual([expected])
  })

  test('what was sent is never told, as it may be a card number', () => {
    const sent = '4242 4242 4242 4242'
    const told = details({
      customer_id: [sent],
      amount: sent,
      currency: sent,
      type: sent,
      pan: sent,
      expected_date: sent,
      metadata: sent,
    })
    expect(told).toHaveLength(7)
    expect(told.join()).not.toContain('4242')
  })

  test('a rule of zod that has no words of ours -> told as it is', () => {
    const issues = z.string().max(2).safeParse('abc').error?.issues ?? []
    expect(describeIssues(issues)).toEqual([
      'body: is invalid: Too big: expected string to have <=2 characters',
    ])
  })
})

describe('the name of a field', () => {
  test.each<[PropertyKey[], string]>([
    [[], 'body'],
    [['amount'], 'amount'],
    [['merchant_address', 'city'], 'merchant_address.city'],
    [['tokens', 0, 'type'], 'tokens[0].type'],
    [[0], '[0]'],
    [['__proto__'], '__proto__'],
    [['x'.repeat(300)], 'x'.repeat(200)],
  ])('%o -> %s', (path, name) => {
    expect(fieldName(path, 'body')).toBe(name)
  })
})
