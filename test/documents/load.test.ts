import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rewardStatuses } from '../../src/contract/resources/reward.ts'
import { statementComponents } from '../../src/contract/resources/statement.ts'
import { fillers } from '../../src/documents/fill/index.ts'
import type { StateDocumentInput } from '../../src/documents/state-document.ts'
import type { Baseline } from '../../src/documents/load.ts'
import { groupOf } from '../../src/store/indexes.ts'
import { idField, references } from '../../src/store/references.ts'
import { collectionNames, rowSchemas } from '../../src/store/rows.ts'
import { formatProblems, type Problem } from '../../src/reading/problems.ts'
import { load, messageOf, writeFiles, writeFolder } from '../helpers/documents.ts'

const ids = (rows: Iterable<{ id: string }>): string[] => Array.from(rows, ({ id }) => id)

describe('what is not given comes from the default fixture', () => {
  it('one customer is enough', async () => {
    const { state, sources, firstProduct } = await load({ customers: [{ id: 'cus_1' }] })
    expect(sources).toEqual(['fixtures'])
    expect(firstProduct).toBe('mk_summit')
    expect(ids(state.all('customers'))).toEqual(['cus_1'])
    expect(state.size('products')).toBe(2)
    expect(state.find('api_keys', 'by_api_key', 'sk_sandbox_full')?.secret).toBe('secret_full')
    expect(state.account.saved_version).toEqual({ sandbox: '2026-10-13', production: '2025-05-05' })
    expect(state.size('rewards')).toBe(0)
  })

  it.each<[string, StateDocumentInput, { products: number; keys: number; customers: number }]>([
    ['nothing', {}, { products: 2, keys: 10, customers: 0 }],
    ['no keys on purpose', { api_keys: [] }, { products: 2, keys: 0, customers: 0 }],
    ['its own products', { products: [{ merchant_key: 'mk_own' }] }, { products: 1, keys: 10, customers: 0 }],
    ['its own key', { api_keys: [{ id: 'key_own' }] }, { products: 2, keys: 1, customers: 0 }],
  ])('a document with %s', async (_title, document, expected) => {
    const { state } = await load(document)
    const found = {
      products: state.size('products'),
      keys: state.size('api_keys'),
      customers: state.size('customers'),
    }
    expect(found).toEqual(expected)
  })

  it('without any document it is loaded whole', async () => {
    const { state, sources } = await load([])
    expect(sources).toEqual(['built-in rows'])
    expect(state.get('customers', 'cus_ada')?.first_name).toBe('Ada')
  })

  it('default keys serve the products that are given', async () => {
    const two = await load({ products: [{ merchant_key: 'mk_a' }, { merchant_key: 'mk_b' }] })
    expect(two.state.get('api_keys', 'key_full')?.products).toEqual(['mk_a'])
    expect(two.state.get('api_keys', 'key_multi')?.products).toEqual(['mk_a', 'mk_b'])
    const one = await load({ products: [{ merchant_key: 'mk_harbor' }] })
    expect(one.state.get('api_keys', 'key_full')?.products).toEqual(['mk_harbor'])
    expect(one.state.get('api_keys', 'key_multi')?.products).toEqual(['mk_harbor'])
  })
})

describe('the same id in two files', () => {
  const files = {
    'a.yaml': 'customers:\n  - { id: cus_1, first_name: Ada }\n  - id: cus_2\n',
    'b.yaml': 'customers:\n  - { id: cus_3 }\n  - { id: cus_1, first_name: Ida }\n',
  }
  const told = async (fixtures: readonly string[]): Promise<string[]> => {
    const warnings: Problem[] = []
    const displayPath = (path: string): string => basename(path)
    const { state } = await load(fixtures, { displayPath, onWarning: (warning) => warnings.push(warning) })
    expect(state.get('customers', 'cus_1')?.first_name).toBe('Ida')
    return warnings.map((warning) => formatProblems([warning]).split('\n')[0] ?? '')
  }

  it('of one folder -> the later one wins, and a warning tells the other', async () => {
    expect(await told([writeFolder(files)])).toEqual([
      'b.yaml:3:11 customers[1].id: is also in a.yaml: what this file says of it wins, field by field',
    ])
  })

  it('that were named one by one, or stand in two folders -> that was meant', async () => {
    const folder = writeFolder(files)
    expect(await told([join(folder, 'a.yaml'), join(folder, 'b.yaml')])).toEqual([])
    expect(
      await told([writeFolder({ 'a.yaml': files['a.yaml'] }), writeFolder({ 'b.yaml': files['b.yaml'] })]),
    ).toEqual([])
  })
})

it('keys at the top that begin with x- are passed over: a place for anchors', async () => {
  const path = writeFiles({
    'x.yaml':
      'x-usual: &usual { customer_id: cus_1, amount: 5 }\nx-1: [1]\ncustomers: [{ id: cus_1 }]\nrewards:\n  - { <<: *usual, id: rwd_1 }\n  - { <<: *usual, id: rwd_2, amount: 6 }\n',
  })
  const { state } = await load([path])
  expect([state.get('rewards', 'rwd_1')?.amount, state.get('rewards', 'rwd_2')?.amount]).toEqual([5, 6])
  expect(await messageOf(load({ x_usual: {} } as StateDocumentInput))).toContain(
    'x_usual: unknown collection',
  )
})

it('rewards and intents that are left sparse begin plain, whatever the seed', async () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({ id: `r_${n}`, customer_id: 'cus_1' }))
  const methods = [{ id: 'pm_1', customer_id: 'cus_1' }]
  const intents = rows.map((row) => ({ ...row, payment_method_id: 'pm_1' }))
  const { state } = await load({
    customers: [{ id: 'cus_1' }],
    payment_methods: methods,
    rewards: rows,
    transaction_intents: intents,
  })
  expect(new Set(Array.from(state.all('rewards'), ({ status }) => status))).toEqual(new Set(['PENDING']))
  expect(new Set(Array.from(state.all('transaction_intents'), ({ status }) => status))).toEqual(
    new Set(['CONFIRMED']),
  )
})

describe('several documents', () => {
  const base: StateDocumentInput = {
    customers: [
      {
        id: 'cus_1',
        first_name: 'Ada',
        phone: '+1',
        address: { city: 'Austin', state: 'TX' },
        metadata: { a: 1, b: null, c: { d: null } },
        authorized_users: [{ authorized_user_id: 'au_1' }],
      },
      { id: 'cus_2', first_name: 'Ben' },
    ],
  }

  it('merge row by row as JSON Merge Patch; the later one wins', async () => {
    const { state } = await load([
      base,
      {
        customers: [
          { id: 'cus_3' },
          { id: 'cus_1', first_name: 'Ida', phone: null, address: { city: 'Dallas' } },
        ],
      },
      { customers: [{ id: 'cus_1', metadata: { a: null, e: [null] }, authorized_users: [] }] },
    ])
    expect(ids(state.all('customers'))).toEqual(['cus_1', 'cus_2', 'cus_3'])
    const row = state.get('customers', 'cus_1')
    expect(row).not.toHaveProperty('phone')
    expect(row).toMatchObject({
      first_name: 'Ida',
      address: { city: 'Dallas', state: 'TX' },
      authorized_users: [],
    })
    expect(row?.metadata).toEqual({ b: null, c: { d: null }, e: [null] })
  })

  it('null removes an optional field of a first document too, but metadata is free', async () => {
    const { state } = await load([
      { customers: [{ id: 'cus_1', phone: null, address: { city: null }, metadata: { a: null } }] },
    ])
    const row = state.get('customers', 'cus_1')
    expect(row).not.toHaveProperty('phone')
    expect(row?.address).toEqual({})
    expect(row?.metadata).toEqual({ a: null })
  })

  it('account and sandbox merge as well, and the sandbox part is given back', async () => {
    const { state, seed, clock } = await load([
      { account: { saved_version: { sandbox: '2025-05-05' } }, sandbox: { seed: 7, ids: 12 } },
      {
        account: { saved_version: { production: '2026-10-13' } },
        sandbox: { ids: 40, clock: { now: '2026-01-01T00:00:00Z', frozen: true } },
      },
    ])
    expect(state.account.saved_version).toEqual({ sandbox: '2025-05-05', production: '2026-10-13' })
    expect([seed, state.ids, clock]).toEqual([7, 40, { now: '2026-01-01T00:00:00Z', frozen: true }])
  })

  it('a folder is its documents in the order of their names', async () => {
    const folder = writeFolder({
      '2.yaml': 'customers: [{ id: cus_1, first_name: Two }]',
      '10.yml': 'customers: [{ id: cus_1, first_name: Ten, last_name: Ten }]',
      '3.json':
        '{"$schema": "./x.json", "schema_version": 1, "customers": [{"id": "cus_1", "first_name": "Three"}]}',
      'notes.txt': 'not a document',
    })
    const { state, sources } = await load([folder])
    expect(sources).toEqual(['10.yml', '2.yaml', '3.json'])
    expect(state.get('customers', 'cus_1')).toMatchObject({ first_name: 'Three', last_name: 'Ten' })
  })
})

describe('filling the gaps', () => {
  const sparse: StateDocumentInput = {
    customers: [{ id: 'cus_1' }, { id: 'cus_2', first_name: 'Zoë', last_name: "O'Neill" }],
    accounts: [{ id: 'acct_1', customer_id: 'cus_1' }],
    payment_methods: [
      { id: 'pm_card', customer_id: 'cus_1' },
      { id: 'pm_pan', customer_id: 'cus_1', card: { pci_details: { pan: '5555555555554444' } } },
      { id: 'pm_secured', customer_id: 'cus_1', secured_credit_card: {} },
      { id: 'pm_bank', customer_id: 'cus_1', type: 'BANK_ACCOUNT' },
      { id: 'pm_loan', customer_id: 'cus_1', loan: { apr: '1.5' } },
    ],
    rewards: [{ id: 'rwd_1', customer_id: 'cus_1' }],
    transaction_intents: [{ id: 'int_1', customer_id: 'cus_1' }],
    statements: [{ statement_id: 'stm_1', customer_id: 'cus_1', account_id: 'acct_1' }],
    order_events: [{ id: 'ord_1', customer_id: 'cus_1' }],
    transactions: [{ id: 'txn_1', customer_id: 'cus_1' }],
    api_keys: [{ id: 'key_1' }],
  }

  it('every field that a row must have is an id, a reference, or filled', () => {
    for (const collection of collectionNames) {
      const required = Object.entries(rowSchemas[collection].shape)
        .filter(([, schema]) => !schema.isOptional())
        .map(([field]) => field)
      const known = [
        idField(collection),
        ...Object.keys(references[collection]),
        ...Object.keys(fillers[collection]),
      ]
      expect(required.filter((field) => !known.includes(field))).toEqual([])
      expect(required).toEqual(expect.arrayContaining(Object.keys(fillers[collection])))
    }
  })

  it('gives rows that are whole and fit together', async () => {
    const { state } = await load(sparse)
    expect(state.get('customers', 'cus_2')?.email).toMatch(/^zoe\.oneill\d{3}@example\.com$/)
    expect(state.get('customers', 'cus_1')).toMatchObject({ authorized_users: [], product: 'mk_summit' })
    expect(Object.keys(state.get('customers', 'cus_1') ?? {})).not.toContain('phone')

    const card = state.get('payment_methods', 'pm_card')?.card
    expect(card?.pci_details?.pan?.slice(-4)).toBe(card?.last4)
    expect(Number(card?.exp_year)).toBeGreaterThan(2027)
    expect(card?.exp_month).toMatch(/^(0[1-9]|1[0-2])$/)
    expect(state.get('payment_methods', 'pm_pan')).toMatchObject({ type: 'CARD', card: { last4: '4444' } })
    expect(state.get('payment_methods', 'pm_secured')?.secured_credit_card?.last4).toMatch(/^\d{4}$/)
    expect(state.get('payment_methods', 'pm_bank')?.bank_account).toBeDefined()
    expect(state.get('payment_methods', 'pm_loan')).toMatchObject({ type: 'LOAN', loan: { apr: '1.5' } })

    expect(rewardStatuses).toContain(state.get('rewards', 'rwd_1')?.status)
    expect(state.get('api_keys', 'key_1')).toMatchObject({
      scopes: [],
      products: ['mk_summit'],
      environment: 'sandbox',
      api_key: expect.stringMatching(/^sk_sandbox_[0-9a-z]{24}$/),
      secret: expect.stringMatching(/^secret_[0-9a-z]{24}$/),
    })
  })

  it('depends on the seed, and on nothing but the row', async () => {
    const { state } = await load(sparse)
    const alone = await load({ customers: [{ id: 'cus_0' }, { id: 'cus_1' }], api_keys: [{ id: 'key_1' }] })
    expect(alone.state.get('customers', 'cus_1')).toEqual(state.get('customers', 'cus_1'))
    expect(alone.state.get('api_keys', 'key_1')).toEqual(state.get('api_keys', 'key_1'))
    expect(state.get('customers', 'cus_2')?.created_at).not.toBe(state.get('customers', 'cus_1')?.created_at)
    const other = await load(sparse, { seed: 2 })
    expect(other.state.get('api_keys', 'key_1')?.secret).not.toBe(state.get('api_keys', 'key_1')?.secret)
    expect(other.state.get('customers', 'cus_1')).not.toEqual(state.get('customers', 'cus_1'))
  })

  it('rows of a customer come after the customer, and nothing is changed before it is made', async () => {
    const { state } = await load({
      customers: [{ id: 'cus_1', created_at: '2026-06-01T00:00:00Z' }],
      rewards: [
        { id: 'rwd_1', customer_id: 'cus_1' },
        { id: 'rwd_2', customer_id: 'cus_1', updated_at: '2026-05-01T00:00:00Z' },
      ],
    })
    expect(state.get('rewards', 'rwd_1')?.created_at).toBe('2026-06-01T00:01:00Z')
    expect(state.get('rewards', 'rwd_2')?.created_at).toBe('2026-05-01T00:00:00Z')
  })

  it.each([
    ['nothing', {}],
    ['a balance', { statement_balance: 5000 }],
    ['a balance in their favour', { statement_balance: -5000 }],
    ['a balance and a purchase', { statement_balance: 5000, purchases: 200 }],
    ['a balance, a purchase and a payment', { statement_balance: 5000, purchases: 200, payments: -100 }],
    ['a balance from before', { previous_balance: 700 }],
    ['fees and refunds', { fees: 300, refunds: -20, statement_balance: 0 }],
    ['a period that starts in a month', { period_start_date: '2026-02-01T00:00:00Z' }],
    ['a period that starts within a month', { period_start_date: '2026-01-31T23:00:00Z' }],
    ['a period that ends on a first', { period_end_date: '2026-03-01T00:00:00Z' }],
    ['a period with an offset', { period_end_date: '2026-03-15T00:00:00+02:00' }],
  ])('a statement with %s adds up', async (_title, given) => {
    const { state } = await load({
      customers: [{ id: 'cus_1' }],
      accounts: [{ id: 'acct_1', customer_id: 'cus_1', currency: 'EUR' }],
      statements: [{ statement_id: 'stm_1', customer_id: 'cus_1', account_id: 'acct_1', ...given }],
    })
    const row = state.get('statements', 'stm_1')
    expect(row).toMatchObject({ ...given, currency: 'EUR' })
    expect(statementComponents.reduce((sum, name) => sum + (row?.[name] ?? Number.NaN), 0)).toBe(
      row?.statement_balance,
    )
    const days =
      (Date.parse(row?.period_end_date ?? '') - Date.parse(row?.period_start_date ?? '')) / 86_400_000
    expect(days).toBeGreaterThan(0)
    expect(days).toBeLessThan(32)
    expect(row?.minimum_due).toBeGreaterThanOrEqual(0)
  })

  it('a product that says nothing counts points; one in a currency shows it', async () => {
    const { state } = await load({
      products: [
        { merchant_key: 'mk_1' },
        {
          merchant_key: 'mk_2',
          rewards: { currency: 'EUR', categories: [{ name: { en: 'All', es: 'Todo' } }] },
        },
      ],
    })
    expect(state.get('products', 'mk_1')?.rewards).toMatchObject({ currency: 'POINTS', symbol: 'points' })
    expect(state.get('products', 'mk_2')?.rewards).toMatchObject({
      currency: 'EUR',
      symbol: 'EUR',
      categories: [{ description: { en: 'All', es: 'Todo' }, earn_rate: '1', merchants: [] }],
    })
  })
})

describe('card numbers', () => {
  const withPan = (pan: string): StateDocumentInput => ({
    customers: [{ id: 'cus_1' }],
    payment_methods: [{ id: 'pm_1', customer_id: 'cus_1', card: { pci_details: { pan } } }],
  })

  it.each([
    ['a published test number', '4242424242424242', false],
    ['a number that fails the check of card numbers', '4242424242424241', false],
    ['a real-looking number with --allow-any-pan', '4539578763621486', true],
  ])('%s is accepted', async (_title, pan, allowAnyPan) => {
    await expect(load(withPan(pan), { allowAnyPan })).resolves.toBeDefined()
  })

  it('a real-looking number is refused', async () => {
    await expect(load(withPan('4539578763621486'))).rejects.toThrow('could be a real card')
  })

  const pan = '4539 5787 6362 1486'
  const customer = (more: object): StateDocumentInput => ({ customers: [{ id: 'cus_1', ...more }] })
  const owned = (collection: string, more: object): StateDocumentInput => ({
    customers: [{ id: 'cus_1' }],
    [collection]: [{ id: 'x_1', customer_id: 'cus_1', ...more }],
  })

  it.each([
    ['metadata', customer({ metadata: { card: pan } }), 'customers[0].metadata.card: holds what'],
    [
      'nested metadata',
      customer({ metadata: { a: [{ b: `old: ${pan}` }] } }),
      'customers[0].metadata.a[0].b: holds what',
    ],
    ['a number in metadata', customer({ metadata: { a: 4539578763621486 } }), 'metadata.a: holds what'],
    [
      'a key of metadata',
      customer({ metadata: { a: { [pan]: 1 } } }),
      'customers[0].metadata.a: has a key that',
    ],
    ['a name', customer({ last_name: pan }), 'customers[0].last_name: holds what'],
    ['an id', { customers: [{ id: '4539578763621486' }] }, 'customers[0].id: holds what'],
    [
      'a merchant name',
      owned('transactions', { merchant_name: pan }),
      'transactions[0].merchant_name: holds',
    ],
    ['a reward', owned('rewards', { metadata: { pan } }), 'rewards[0].metadata.pan: holds what'],
  ])('a real-looking number in %s is refused', async (_title, document, message) => {
    const text = await messageOf(load(document))
    expect(text).toContain(message)
    expect(text).toMatch(
      /^[^:]+: (holds what|has a key that) could be a real card; take a well-known test number, or allow it with --allow-any-pan$/,
    )
    await expect(load(document, { allowAnyPan: true })).resolves.toBeDefined()
  })

  it('test numbers, ids and amounts are no real cards', async () => {
    const metadata = { test: '4111 1111 1111 1111', id: 'txn_4539578763621486', at: '2026-10-13 2026-10-14' }
    await expect(load(customer({ metadata, opening_balance: 4539578763621486 }))).resolves.toBeDefined()
  })
})

describe('large documents', () => {
  const row = { id: 'cus_0', metadata: { a: 1 }, email: 'x@example.com', first_name: 'Ada' }
  const many = (more: object): StateDocumentInput => ({
    customers: [
      { ...row, ...more },
      ...Array.from({ length: 1500 }, (_, index) => ({ id: `cus_${index + 1}` })),
    ],
  })

  it('are stored in the same order whatever the order of their rows, and can be changed afterwards', async () => {
    const rows = Array.from({ length: 700 }, (_, index) => ({
      id: `cus_${String((index * 37) % 700).padStart(3, '0')}`,
      ...(index % 3 === 0 ? {} : { partner_customer_id: `p${index}` }),
    }))
    const { state } = await load({ customers: rows })
    const other = await load({ customers: rows.toReversed() })
    const lists = ({ state: from }: Baseline): unknown[] => [
      [...from.all('customers')],
      from.scan('customers', 'by_product', 'mk_summit'),
      from.count('customers', 'by_product', 'mk_summit'),
    ]
    expect(lists(other)).toEqual(lists({ ...other, state }))
    expect([...state.all('customers')].map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted())
    expect(state.count('customers', 'by_product', 'mk_summit')).toBe(700)
    expect(state.find('customers', 'by_partner_customer_id', groupOf('mk_summit', 'p1'))?.id).toBe('cus_037')

    const fork = state.fork()
    for (const { id } of rows.slice(1)) fork.delete('customers', id)
    expect(fork.scan('customers', 'by_product', 'mk_summit').map(({ id }) => id)).toEqual(['cus_000'])
    expect(state.size('customers')).toBe(700)
    expect(() => state.load('customers', []).next()).toThrow('only an empty table can be loaded')
  })

  it('are filled and checked as small ones', async () => {
    const { state } = await load(many({ phone: null, last_name: 'Lee' }))
    const small = await load({ customers: [{ ...row, last_name: 'Lee' }] })
    expect(state.get('customers', 'cus_0')).toEqual(small.state.get('customers', 'cus_0'))
    expect(state.size('customers')).toBe(1501)
    await expect(load(many({ emall: 'x' }))).rejects.toThrow(
      "fixtures customers[0].emall: unknown field, did you mean 'email'?",
    )
    await expect(load(many({ email: 5 }))).rejects.toThrow('fixtures customers[0].email: must be a string')
    const lost = JSON.parse('{"statuses": {"__proto__": "x"}}')
    await expect(load(many(lost))).rejects.toThrow('customers[0].statuses.__proto__: must have another name')
    await expect(load(many(JSON.parse('{"__proto__": {"x": 1}}')))).rejects.toThrow('customers[0].__proto__')
  })
})
