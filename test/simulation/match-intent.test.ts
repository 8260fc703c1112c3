import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { ConflictError } from '../../src/input/refusals.ts'
import { matchIntent, type Arrival } from '../../src/simulation/match-intent.ts'
import { expectedAt } from '../../src/store/indexes.ts'
import type { Row } from '../../src/store/rows.ts'
import { begin, intent, transaction, worldOf } from '../helpers/simulation.ts'

type Intents = readonly Row<'transaction_intents'>[]

const arrival = (more: Partial<Arrival> = {}): Arrival => ({
  customer_id: 'cus_1',
  amount: 1000,
  currency: 'USD',
  posted_at: '2026-11-10T18:00:00Z',
  ...more,
})

/** The intent that a transaction is matched to; those named here were matched before. */
function matchAmong(
  intents: Intents,
  arriving: Arrival,
  matched: readonly string[] = [],
): string | undefined {
  const transactions = matched.map((intent_id, at) => transaction(`txn_${at}`, { intent_id }))
  return matchIntent(begin(worldOf({ transaction_intents: intents, transactions })), arriving)?.id
}

describe('customer, amount, currency, method', () => {
  it.each<[string, Partial<Row<'transaction_intents'>>, Partial<Arrival>, string | undefined]>([
    ['all alike', {}, {}, 'int_1'],
    ['another customer', { customer_id: 'cus_2' }, {}, undefined],
    ['another amount', { amount: 1001 }, {}, undefined],
    ['the amount with the other sign', { amount: -1000 }, {}, undefined],
    ['another currency', { currency: 'EUR' }, {}, undefined],
    ['the same method', { payment_method_id: 'pm_1' }, { payment_method_id: 'pm_1' }, 'int_1'],
    ['another method', { payment_method_id: 'pm_1' }, { payment_method_id: 'pm_2' }, undefined],
    ['a method on the intent only', { payment_method_id: 'pm_1' }, {}, 'int_1'],
    ['a method on the transaction only', {}, { payment_method_id: 'pm_1' }, 'int_1'],
    ['another network id', { network_transaction_id: 'n1' }, { network_transaction_id: 'n2' }, undefined],
    ['a network id on the intent only', { network_transaction_id: 'n1' }, {}, 'int_1'],
    ['a network id on the transaction only', {}, { network_transaction_id: 'n1' }, 'int_1'],
    ['another merchant', { merchant_name: 'Shop' }, {}, 'int_1'],
    ['canceled', { status: 'CANCELED' }, {}, undefined],
    ['nothing at all, on both sides', { amount: 0 }, { amount: 0 }, 'int_1'],
    ['a refund that was announced', { amount: -1000 }, { amount: -1000 }, 'int_1'],
  ])('%s', (_, more, arriving, found) => {
    expect(matchAmong([intent('int_1', more)], arrival(arriving))).toBe(found)
  })

  it('no intent at all -> none', () => {
    expect(matchAmong([], arrival())).toBeUndefined()
  })

  it('an intent that was matched before -> passed over, for the next one', () => {
    const intents = [
      intent('int_near', { expected_date: '2026-11-10' }),
      intent('int_far', { expected_date: '2026-01-01' }),
    ]
    expect(matchAmong(intents, arrival())).toBe('int_near')
    expect(matchAmong(intents, arrival(), ['int_near'])).toBe('int_far')
    expect(matchAmong(intents, arrival(), ['int_near', 'int_far'])).toBeUndefined()
  })

  it('more intents than are looked at together, all matched but the last -> that one', () => {
    const intents = Array.from({ length: 100 }, (_, at) => intent(`int_${String(at).padStart(2, '0')}`))
    const matched = intents.slice(0, -1).map(({ id }) => id)
    expect(matchAmong(intents, arrival(), matched)).toBe('int_99')
    expect(matchAmong(intents, arrival({ posted_at: '2020-01-01T00:00:00Z' }), matched)).toBe('int_99')
  })
})

describe('the nearest expected date', () => {
  it.each<[string, string, string, string]>([
    // two expectations, when it was posted, the one that is matched
    ['2026-11-10', '2026-11-12', '2026-11-10T18:00:00Z', '2026-11-10'],
    ['2026-11-10', '2026-11-11', '2026-11-10T23:59:59Z', '2026-11-10'],
    ['2026-11-10', '2026-11-11', '2026-11-11T00:00:01Z', '2026-11-11'],
    ['2026-11-09', '2026-11-11', '2026-11-10T12:00:00Z', '2026-11-09'],
    ['2026-11-10T10:00:00Z', '2026-11-10T20:00:00Z', '2026-11-10T14:59:59Z', '2026-11-10T10:00:00Z'],
    ['2026-11-10T10:00:00Z', '2026-11-10T20:00:00Z', '2026-11-10T15:00:01Z', '2026-11-10T20:00:00Z'],
    [
      '2026-11-10T10:00:00Z',
      '2026-11-10t08:00:00-05:00',
      '2026-11-10T12:00:00Z',
      '2026-11-10t08:00:00-05:00',
    ],
    ['2016-12-31T23:59:60Z', '2017-01-02', '2017-01-01T00:00:00Z', '2016-12-31T23:59:60Z'],
    ['0001-01-01', '9999-12-31', '2026-11-10T12:00:00Z', '0001-01-01'],
  ])('%s or %s, posted %s -> %s', (one, other, posted_at, expected) => {
    const intents = [one, other].map((expected_date) => intent(expected_date, { expected_date }))
    expect(matchAmong(intents, arrival({ posted_at }))).toBe(expected)
    expect(matchAmong(intents.toReversed(), arrival({ posted_at }))).toBe(expected)
  })

  it('without an expected date -> when the intent was made', () => {
    const intents = [
      intent('int_dated', { expected_date: '2026-11-13' }),
      intent('int_made', { created_at: '2026-11-09T18:00:00Z' }),
    ]
    expect(matchAmong(intents, arrival())).toBe('int_made')
    expect(matchAmong(intents, arrival({ posted_at: '2026-11-12T00:00:00Z' }))).toBe('int_dated')
  })

  it('is the one that looking at every intent would find', () => {
    const some = fc.record({
      customer_id: fc.constantFrom('cus_1', 'cus_2'),
      amount: fc.constantFrom(1000, 2000),
      status: fc.constantFrom('CONFIRMED', 'CANCELED'),
      payment_method_id: fc.constantFrom('pm_1', 'pm_2', undefined),
      expected_date: fc.integer({ min: 1, max: 400 }).map((days) => {
        const date = new Date(Date.UTC(2026, 0, days)).toISOString()
        return days % 2 === 0 ? date.slice(0, 10) : date
      }),
      matched: fc.boolean(),
    })
    const arriving = fc.record({
      payment_method_id: fc.constantFrom('pm_1', 'pm_2', undefined),
      posted_at: fc
        .integer({ min: -50, max: 450 })
        .map((days) => new Date(Date.UTC(2026, 0, days)).toISOString()),
    })
    fc.assert(
      fc.property(fc.array(some, { maxLength: 120, size: 'max' }), arriving, (drawn, posted) => {
        const intents = drawn.map(({ matched: _matched, ...more }, at) => intent(`int_${at}`, more))
        const matched = intents.filter((_, at) => drawn[at]?.matched).map(({ id }) => id)
        const found = matchAmong(intents, arrival(posted), matched)
        const distance = (row: Row<'transaction_intents'>) =>
          Math.abs(expectedAt(row) - Date.parse(posted.posted_at))
        const suitable = intents.filter(
          (row) =>
            row.customer_id === 'cus_1' &&
            row.amount === 1000 &&
            row.status === 'CONFIRMED' &&
            !matched.includes(row.id) &&
            new Set([row.payment_method_id, posted.payment_method_id, undefined]).size < 3,
        )
        const least = Math.min(...suitable.map(distance))
        const nearest = suitable.filter((row) => distance(row) === least)
        const earlier = Math.min(...nearest.map(expectedAt))
        expect(nearest.filter((row) => expectedAt(row) === earlier).map(({ id }) => id)).toEqual(
          found === undefined ? [] : expect.arrayContaining([found]),
        )
      }),
    )
  })
})

describe('the network id', () => {
  it('finds its intent, whatever amount, currency, method and date have become', () => {
    const intents = [
      intent('int_near'),
      intent('int_named', {
        network_transaction_id: 'ntx_1',
        amount: 900,
        currency: 'EUR',
        payment_method_id: 'pm_1',
        expected_date: '2020-01-01',
      }),
    ]
    const named = arrival({ network_transaction_id: 'ntx_1', payment_method_id: 'pm_2' })
    expect(matchAmong(intents, named)).toBe('int_named')
  })

  it('of another customer -> not looked at', () => {
    const intents = [
      intent('int_other', { customer_id: 'cus_2', network_transaction_id: 'ntx_1' }),
      intent('int_near'),
    ]
    expect(matchAmong(intents, arrival({ network_transaction_id: 'ntx_1' }))).toBe('int_near')
  })

  it('on several intents -> the nearest that can still be matched', () => {
    const network_transaction_id = 'ntx_1'
    const intents = [
      intent('int_1', { network_transaction_id, expected_date: '2026-11-10' }),
      intent('int_2', { network_transaction_id, expected_date: '2026-11-12' }),
      intent('int_3', { network_transaction_id, expected_date: '2026-11-11', status: 'CANCELED' }),
    ]
    expect(matchAmong(intents, arrival({ network_transaction_id }))).toBe('int_1')
    expect(matchAmong(intents, arrival({ network_transaction_id }), ['int_1'])).toBe('int_2')
    expect(() => matchAmong(intents, arrival({ network_transaction_id }), ['int_1', 'int_2'])).toThrow(
      ConflictError,
    )
  })

  test.each([
    [
      'matched before',
      'CONFIRMED',
      ['int_1'],
      "intent 'int_1' was matched to transaction 'txn_0'; an intent matches once",
    ],
    ['canceled', 'CANCELED', [], "intent 'int_1' is CANCELED; only a CONFIRMED one can be matched"],
  ] as const)('of an intent that was %s -> a conflict, not another intent', (_, status, matched, message) => {
    const intents = [intent('int_1', { network_transaction_id: 'ntx_1', status }), intent('int_2')]
    expect(() => matchAmong(intents, arrival({ network_transaction_id: 'ntx_1' }), matched)).toThrow(
      new ConflictError(message),
    )
  })

  it.each(['a\u0000b', '\u0000', 'a\u0001b'])(
    'the id %j, which a client chose -> names itself at most',
    (id) => {
      const intents = [intent('int_1', { network_transaction_id: id, amount: 5 })]
      expect(matchAmong(intents, arrival({ network_transaction_id: 'a' }))).toBeUndefined()
      expect(matchAmong(intents, arrival({ network_transaction_id: '' }))).toBeUndefined()
    },
  )
})
