// The rows that an observation read: recognized by digests that do not depend on order and pages, as far as possible.
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/probe/request-sender.ts'
import { areOther, rowsOf, type RowsRead } from '../../src/probe/rows-read.ts'
import { testTarget } from '../helpers/probing.ts'

const target = testTarget(() => Promise.reject(new Error()), {
  ids: { customer: 'cus 1', reward: 'rwd_1' },
  expendable: { pending_rewards: ['rwd_2'] },
})

function exchange(path: string, json: unknown, request: Partial<Exchange['request']> = {}): Exchange {
  return {
    request: { method: 'GET', path, headers: {}, ...request },
    answer: { status: 200, headers: {}, text: '', json },
  }
}

const page = (ids: readonly string[], total = ids.length): unknown => ({
  data: ids.map((id) => ({ id })),
  total,
})
const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => `cus_${from + n}`)
const rows = (...exchanges: Exchange[]): RowsRead => rowsOf(exchanges, target) ?? {}

describe('the rows of an observation', () => {
  it('are those that the target names and requests name, with a digest each', () => {
    const { named } = rows(
      exchange('/v2/customers/cus%201/rewards_balance', {}),
      exchange('/v2/rewards/rwd_2', {}),
      exchange('/v2/rewards/rwd_10', {}),
    )
    expect(Object.keys(named ?? {})).toEqual(['customer'])
    expect(named?.['customer']).toMatch(/^[0-9a-f]{8}$/)
    const inBody = exchange('/v2/payment_methods', {}, { method: 'POST', body: '{"customer_id":"cus 1"}' })
    expect(rows(inBody).named).toEqual(named)
  })

  it('are the union of the pages of a list, of which the least digests are kept', () => {
    const { lists } = rows(
      exchange('/v2/customers?limit=30', page(range(0, 30), 60)),
      exchange('/v2/customers?limit=30&starting_after=cus_29', page(range(30, 60), 60)),
    )
    const [[key, list] = []] = Object.entries(lists ?? {})
    expect([key?.split('/')[0], list?.total, list?.shown, list?.rows.split(' ').length]).toEqual([
      'searchCustomers',
      60,
      60,
      16,
    ])
    expect(rows(exchange('/v2/customers', page(range(0, 60).toReversed()))).lists).toEqual(lists)
    expect(JSON.stringify(lists)).not.toContain('cus_')
  })

  it.each<[string, Exchange]>([
    [
      'refused',
      { ...exchange('/v2/customers', {}), answer: { status: 400, headers: {}, text: '', json: page(['a']) } },
    ],
    ['not called', { ...exchange('/v2/customers', {}), answer: { notCalled: 'x' } }],
    ['empty', exchange('/v2/customers', page([]))],
    ['chosen by a filter', exchange('/v2/customers?partner_customer_id=p-1', page(['cus_1']))],
    [
      'chosen by a card',
      exchange('/v2/payment_methods', page(['pm_1']), { method: 'POST', body: '{"pan":"4"}' }),
    ],
    ['of no operation', exchange('/v2/others', page(['a']))],
  ])('are none of a list that is %s', (_, exchanged) => {
    expect(rowsOf([exchanged], target)).toBeUndefined()
  })

  it('are told apart by whose they are: those of two customers or products are two lists', () => {
    const statements = (customer: string) =>
      exchange(`/v2/customers/${customer}/accounts/acct/statements`, { data: [{ statement_id: 's' }] })
    const ofProduct = (product: string) =>
      exchange('/v2/customers', page(['cus_1']), { headers: { 'x-service-merchant-key': product } })
    const methods = (customer: string) => {
      const body = JSON.stringify({ customer_id: customer })
      return exchange('/v2/payment_methods', page(['pm_1']), { method: 'POST', body })
    }
    for (const of of [statements, ofProduct, methods]) {
      expect(Object.keys(rows(of('a'), of('b'), of('a')).lists ?? {})).toHaveLength(2)
    }
  })

  it('cannot be compared between two hosts by their digests', () => {
    const elsewhere = { ...target, host: 'b' }
    const read = exchange('/v2/rewards/rwd_1', {})
    expect(rowsOf([read], elsewhere)).not.toEqual(rowsOf([read], target))
  })
})

describe('rows are those of the same account', () => {
  const all = range(0, 500)
  const shuffled = all.toSorted(
    (a, b) => ((Number(a.slice(4)) * 7919) % 500) - ((Number(b.slice(4)) * 7919) % 500),
  )
  const first = (of: readonly string[], size: number) =>
    rows(exchange('/v2/customers', page(of.slice(0, size), 500)))

  it.each([1, 10, 100, 500])('with any order and any page size, of %i shown before', (size) => {
    for (const order of [all, all.toReversed(), shuffled]) {
      for (const other of [1, 25, 100, 500])
        expect(areOther(first(all, size), first(order, other))).toBe(false)
    }
  })

  it('unless there are more of them', () => {
    const grown = rows(exchange('/v2/customers', page(shuffled.slice(0, 10), 501)))
    expect(areOther(first(all, 10), grown)).toBe(true)
  })
})
