import { describe, expect, it } from 'vitest'
import { columnsOf, idOf } from '../../../src/inspector/page/row-columns.ts'
import { idFieldOf, referencesIn, targetOf } from '../../../src/inspector/page/row-references.ts'

describe('the rows that a row names', () => {
  it.each([
    [
      'rewards',
      { id: 'rwd_1', customer_id: 'cus_1', transaction_event_id: 'txn_1', metadata: { customer_id: 'x' } },
      [{ field: 'customer_id', collection: 'customers', id: 'cus_1' }],
    ],
    [
      'customers',
      { id: 'cus_1', product: 'p', authorized_users: [{ payment_method_id: 'pm_1' }] },
      [
        { field: 'product', collection: 'products', id: 'p' },
        { field: 'payment_method_id', collection: 'payment_methods', id: 'pm_1' },
      ],
    ],
    [
      'api_keys',
      { id: 'key_1', products: ['p', 'q', 'p'] },
      [
        { field: 'products', collection: 'products', id: 'p' },
        { field: 'products', collection: 'products', id: 'q' },
      ],
    ],
    [
      'statements',
      { statement_id: 'stm_1', account_id: 'acct_1' },
      [{ field: 'account_id', collection: 'accounts', id: 'acct_1' }],
    ],
    ['transactions', { id: 't' }, []],
    [
      'links',
      { id: 'cus_1', partner_customer_id: 'p', metadata: { id: 'x' } },
      [{ field: 'id', collection: 'customers', id: 'cus_1' }],
    ],
    ['rewards', undefined, []],
  ])('%s %j', (collection, row, found) => {
    expect(referencesIn(collection, row)).toEqual(found)
  })

  it.each([
    ['statements', 'statement_id', 'statement_id', undefined],
    ['transactions', 'statement_id', 'id', 'statements'],
    ['products', 'name', 'merchant_key', undefined],
    ['links', 'id', 'id', 'customers'],
    ['customers', 'id', 'id', undefined],
    ['nope', 'id', 'id', undefined],
  ])('%s: %s', (collection, field, id, target) => {
    expect([idFieldOf(collection), targetOf(collection, field)]).toEqual([id, target])
  })
})

describe('the columns of a collection', () => {
  const rows = [
    { statement_id: 's1', a: 1, b: { c: 1 }, d: null },
    { statement_id: 's2', e: 1, f: 1, g: 1, h: 1, i: 1 },
  ]

  it('are the first fields without objects, beside the id', () => {
    expect(columnsOf('statements', rows)).toEqual(['a', 'd', 'e', 'f', 'g', 'h'])
    expect(rows.map((row) => idOf('statements', row))).toEqual(['s1', 's2'])
  })
})
