import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { timestamp } from '../../src/contract/formats.ts'
import {
  declareIndexes,
  endOfGroup,
  groupOf,
  indexKey,
  newestFirst,
  oldestFirst,
  startOfGroup,
} from '../../src/store/indexes.ts'
import { idField, references } from '../../src/store/references.ts'
import { collectionNames, rowSchemas, type Row } from '../../src/store/rows.ts'
import { samples } from '../setup/samples.ts'

const settings = { numRuns: samples(1000), seed: 20_261_121 }

/** Any instant that RFC 3339 can write. */
const instant = fc.integer({ min: Date.UTC(0, 0, 1) - 6e13, max: Date.UTC(9999, 11, 31) })

describe('sorting instants', () => {
  test('oldestFirst sorts as the instants do, newestFirst the other way, as numbers and as texts', () => {
    fc.assert(
      fc.property(instant, instant, (a, b) => {
        const expected = Math.sign(a - b)
        const compared = (x: string, y: string) => (x < y ? -1 : x > y ? 1 : 0)
        expect(compared(oldestFirst(a), oldestFirst(b))).toBe(expected)
        expect(compared(newestFirst(b), newestFirst(a))).toBe(expected)
        expect(oldestFirst(new Date(a).toISOString())).toBe(oldestFirst(a))
      }),
      settings,
    )
  })

  test('every key is 17 digits, so that a place can be cut from a page token', () => {
    fc.assert(
      fc.property(instant, (at) => {
        expect(oldestFirst(at)).toMatch(/^\d{17}$/)
        expect(newestFirst(at)).toMatch(/^\d{17}$/)
      }),
      settings,
    )
  })

  test.each([
    ['2026-01-02T00:00:00Z', '2026-01-02T02:00:00+02:00'],
    ['2026-01-02T00:00:00Z', '2026-01-01t19:00:00.000-05:00'],
    ['2026-01-02T00:00:00.5Z', '2026-01-02t00:00:00.500z'],
  ])('%s and %s are one instant', (one, other) => {
    expect(newestFirst(one)).toBe(newestFirst(other))
    expect(oldestFirst(one)).toBe(oldestFirst(other))
  })

  test('every timestamp that a row may have can be sorted', () => {
    const two = (most: number, least = 0) =>
      fc.integer({ min: least, max: most }).map((number) => String(number).padStart(2, '0'))
    const text = fc
      .tuple(
        fc.integer({ min: 0, max: 9999 }).map((year) => String(year).padStart(4, '0')),
        two(12, 1),
        two(31, 1),
        fc.constantFrom('T', 't'),
        two(24),
        two(59),
        two(60),
        fc.constantFrom('', '.5', '.123456789'),
        fc.constantFrom('Z', 'z', '+00:00', '-12:00', '+14:00', '+23:59', '-23:59', '+24:00'),
      )
      .map(([year, month, day, t, hour, minute, second, fraction, zone]) =>
        [`${year}-${month}-${day}`, t, `${hour}:${minute}:${second}${fraction}${zone}`].join(''),
      )
    fc.assert(
      fc.property(text, (written) => {
        fc.pre(timestamp.safeParse(written).success)
        expect(newestFirst(written)).toMatch(/^\d{17}$/)
      }),
      settings,
    )
  })
})

describe('keys of an index', () => {
  test('a key lies within its group and no other', () => {
    const part = fc.oneof(
      fc.constantFrom('a', 'a ', 'ab', '~', ' ', ''),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    )
    fc.assert(
      fc.property(part, part, part, part, (group, order, id, other) => {
        const key = indexKey(group, order, id)
        const within = (name: string) => key >= startOfGroup(name) && key < endOfGroup(name)
        expect(within(group)).toBe(true)
        expect(within(other)).toBe(other === group)
      }),
      settings,
    )
  })

  test('groups of several values are alike only when the values are', () => {
    expect(groupOf('ab', 'c')).not.toBe(groupOf('a', 'bc'))
    expect(groupOf('a', '')).not.toBe(groupOf('a'))
  })
})

describe('the declared indexes', () => {
  const indexes = (customers_order: string) => declareIndexes(resolveAssumptions({ customers_order }))
  const base = { email: '', first_name: '', last_name: '', statuses: {}, product: 'mk_1' }
  const [older, newer] = [
    { ...base, id: 'a', created_at: '2026-01-01T00:00:00Z' },
    { ...base, id: 'b', created_at: '2026-01-02T00:00:00Z' },
  ]

  test.each([
    ['newest_first', 'newer'],
    ['oldest_first', 'older'],
    ['id', 'neither'],
  ])('customers_order=%s -> %s comes first', (order, first) => {
    const { by_product: index } = indexes(order).customers
    const [a, b] = [index.order(older), index.order(newer)]
    expect(a === b ? 'neither' : a < b ? 'older' : 'newer').toBe(first)
  })

  test('customers: a group per product, counted; partner identifiers within their product', () => {
    const { by_product, by_partner_customer_id } = indexes('newest_first').customers
    expect([by_product.group(older), by_product.counted]).toEqual(['mk_1', true])
    expect(by_partner_customer_id.group(older)).toBeUndefined()
    expect(by_partner_customer_id.group({ ...older, partner_customer_id: 'x' })).toBe(groupOf('mk_1', 'x'))
  })

  test.each([
    ['a card', { card: { last4: '4242', pci_details: { pan: '4242424242424242' } } }, '4242424242424242'],
    [
      'a secured card',
      { secured_credit_card: { last4: '0005', pci_details: { pan: '378282246310005' } } },
      '378282246310005',
    ],
    ['a card without its number', { card: { last4: '4242' } }, undefined],
    ['a bank account', { bank_account: { last4: '6789' } }, undefined],
  ])('payment methods: %s -> found by the number it has', (_, own, pan) => {
    const row = {
      id: 'pm',
      type: 'CARD',
      customer_id: 'cus',
      status: 'ACTIVE',
      created_at: older.created_at,
      ...own,
    }
    expect(indexes('id').payment_methods.by_pan.group(row as never)).toBe(pan)
  })
})

describe('the indexes of what simulation looks up', () => {
  const {
    transaction_intents: intents,
    transactions,
    transaction_events: steps,
    accounts,
  } = declareIndexes(resolveAssumptions())
  const purchase = { id: 'a', customer_id: 'cus', amount: 5, currency: 'USD' }
  const intent = { ...purchase, status: 'CONFIRMED' as const, created_at: '2026-01-02T03:04:05Z' }
  const transaction = { ...purchase, merchant_name: 'Shop', created_at: '2026-01-02T03:04:05Z' }

  test('intents: by customer, currency and amount, in the order in which they are expected', () => {
    const { by_expectation: index } = intents
    expect(index.group(intent)).toBe(groupOf('cus', 'USD', '5'))
    expect(index.order(intent)).toBe(oldestFirst('2026-01-02T03:04:05Z'))
  })

  test.each([
    ['2026-05-06', '2026-05-06T12:00:00Z'],
    ['2026-05-06T07:08:09+02:00', '2026-05-06T05:08:09Z'],
    ['2026-05-06t07:08:09z', '2026-05-06T07:08:09Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59Z'],
    ['2017-01-01T05:29:60.5+05:30', '2016-12-31T23:59:59.5Z'],
    ['0000-01-01', '0000-01-01T12:00:00Z'],
  ])('an intent with expected_date %s -> expected at %s', (expected_date, expected) => {
    for (const index of [intents.by_expectation, intents.by_network_id]) {
      expect(index.order({ ...intent, expected_date })).toBe(oldestFirst(expected))
    }
  })

  test.each([
    ['ntx_1', groupOf('cus', 'ntx_1')],
    ['', groupOf('cus', '')],
    [undefined, undefined],
    ['ntx\u0000other', undefined],
  ])('intents: with network id %j -> group %j', (network_transaction_id, group) => {
    expect(intents.by_network_id.group({ ...intent, network_transaction_id })).toBe(group)
  })

  test('transactions: by their customer, the newest first; by their intent', () => {
    expect(transactions.by_customer.group(transaction)).toBe('cus')
    expect(transactions.by_customer.order(transaction)).toBe(newestFirst('2026-01-02T03:04:05Z'))
    expect(transactions.by_intent.group(transaction)).toBeUndefined()
    expect(transactions.by_intent.group({ ...transaction, intent_id: 'int' })).toBe('int')
  })

  test('payments and credits: by their account until they are billed, in the order of posting', () => {
    const { unbilled_by_account: index } = transactions
    const onAccount = { ...transaction, account_id: 'acct' }
    expect(index.group(transaction)).toBeUndefined()
    expect(index.group(onAccount)).toBe('acct')
    expect(index.group({ ...onAccount, statement_id: 'stm' })).toBeUndefined()
    expect(index.group({ ...onAccount, status: 'CAPTURED' })).toBeUndefined()
    expect(index.order(onAccount)).toBe(oldestFirst('2026-01-02T03:04:05Z'))
    expect(index.order({ ...onAccount, posted_at: '2026-02-02T03:04:05Z' })).toBe(
      oldestFirst('2026-02-02T03:04:05Z'),
    )
  })

  const step = {
    id: 'txe',
    transaction_id: 'a',
    status: 'CAPTURED',
    amount: 5,
    posted_at: '2026-01-02T03:04:05Z',
    account_id: 'acct',
  } as const

  test('steps: by their transaction, in the order of posting, then of their number', () => {
    const { by_transaction: index } = steps
    expect(index.group(step)).toBe('a')
    const posted = oldestFirst(step.posted_at)
    expect([step, { ...step, n: 1 }, { ...step, n: 12 }].map(index.order)).toEqual([
      `${posted}0000000000000000`,
      `${posted}0000000000000001`,
      `${posted}0000000000000012`,
    ])
    const late = { ...step, posted_at: '2026-01-02T03:04:05.001Z' }
    const inOrder = [step, ...[1, 2, 9, 10, Number.MAX_SAFE_INTEGER].map((n) => ({ ...step, n })), late]
    const keys = inOrder.map(index.order)
    expect(keys.toSorted()).toEqual(keys)
  })

  test.each<[string, Partial<Row<'transaction_events'>>, string | undefined]>([
    ['a capture', {}, 'acct'],
    ['a refund', { status: 'REFUNDED' }, 'acct'],
    ['an authorisation', { status: 'APPROVED' }, undefined],
    ['an update', { status: 'UPDATED' }, undefined],
    ['a void', { status: 'VOIDED' }, undefined],
    ['one on no account', { account_id: undefined }, undefined],
    ['one that is billed', { statement_id: 'stm' }, undefined],
  ])('steps: %s -> unbilled by account or not', (_, more, group) => {
    const { unbilled_by_account: index } = steps
    expect(index.group({ ...step, ...more })).toBe(group)
    expect(index.order({ ...step, ...more })).toBe(oldestFirst('2026-01-02T03:04:05Z'))
  })

  test('accounts: by their customer', () => {
    expect(accounts.by_customer.group({ id: 'acct', customer_id: 'cus', currency: 'USD' })).toBe('cus')
  })
})

describe('the collections', () => {
  test('every collection has a schema with its id field, indexes and references', () => {
    const declared = indexesByCollection()
    for (const name of collectionNames) {
      const { shape } = rowSchemas[name]
      expect([name, idField(name) in shape]).toEqual([name, true])
      expect([name, name in declared]).toEqual([name, true])
      for (const [field, target] of Object.entries(references[name])) {
        expect([name, field, field in shape, collectionNames.includes(target)]).toEqual([
          name,
          field,
          true,
          true,
        ])
      }
    }
  })

  function indexesByCollection(): object {
    return declareIndexes(resolveAssumptions())
  }
})
