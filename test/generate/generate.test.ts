import { describe, expect, it } from 'vitest'
import { isJsonObject } from '../../src/contract/formats.ts'
import { rewardAmount } from '../../src/contract/reward-amount.ts'
import { paymentMethodTypes } from '../../src/contract/resources/payment-method.ts'
import { rewardStatuses, rewardTypes } from '../../src/contract/resources/reward.ts'
import { statementComponents } from '../../src/contract/resources/statement.ts'
import {
  generateDocument,
  type GeneratedDocument,
  type GenerateOptions,
} from '../../src/generate/generate.ts'
import { load } from '../helpers/documents.ts'

const products = [...(await load([])).state.all('products')]
const generate = (more: Partial<GenerateOptions> = {}): Promise<GeneratedDocument> =>
  generateDocument({ customers: 300, seed: 1, products, rounding: 'down', ...more })
const population = await generate()
const endOfHistory = Date.parse('2026-10-31T23:59:59Z')

describe('a generated population', () => {
  it('passes every check that a document has to', async () => {
    const { state } = await load([JSON.parse(JSON.stringify(population))])
    expect(state.size('customers')).toBe(300)
    // Nothing was missing, and the fields stand in the order in which a dump writes them.
    expect(JSON.stringify([...state.all('customers')])).toBe(JSON.stringify(population.customers))
    expect(JSON.stringify([...state.all('payment_methods')])).toBe(JSON.stringify(population.payment_methods))
    expect(JSON.stringify([...state.all('rewards')])).toBe(JSON.stringify(population.rewards))
    expect(JSON.stringify([...state.all('statements')])).toBe(JSON.stringify(population.statements))
    expect(JSON.stringify([...state.all('transaction_intents')])).toBe(
      JSON.stringify(population.transaction_intents),
    )
  })

  it('is the same for the same seed, and another for another', async () => {
    expect(JSON.stringify(await generate())).toBe(JSON.stringify(population))
    expect((await generate({ seed: 2, customers: 1 })).customers).not.toEqual(
      population.customers.slice(0, 1),
    )
  })

  it('customer 7 is the same whether 10 or 300 are made, whatever the order of the products', async () => {
    const few = await generate({ customers: 10, products: products.toReversed() })
    expect(few.customers).toEqual(population.customers.slice(0, 10))
    const sameOwners = (rows: readonly { customer_id: string }[]): unknown[] =>
      rows.filter(({ customer_id: owner }) => owner <= 'cus_000010')
    expect(few.statements).toEqual(sameOwners(population.statements))
    expect(few.rewards).toEqual(sameOwners(population.rewards))
  })

  it('has some of everything, spread over all products', () => {
    const { customers, payment_methods: methods, rewards, statements, order_events: events } = population
    expect(new Set(customers.map(({ product }) => product))).toEqual(new Set(['mk_summit', 'mk_harbor']))
    expect(new Set(methods.map(({ type }) => type))).toEqual(new Set(paymentMethodTypes))
    const networks = methods.flatMap(({ card }) => card?.network ?? [])
    expect(new Set(networks)).toEqual(new Set(['VISA', 'MASTERCARD', 'AMEX']))
    expect(methods.some((method) => method.secured_credit_card)).toBe(true)
    expect(methods.some(({ card }) => card?.tokens)).toBe(true)
    expect(new Set(rewards.map(({ status }) => status))).toEqual(new Set(rewardStatuses))
    expect(new Set(rewards.map(({ type }) => type))).toEqual(new Set(rewardTypes))
    expect(customers.some(({ authorized_users: users = [] }) => users.length > 0)).toBe(true)
    expect(customers.filter((row) => row.partner_customer_id !== undefined).length).toBeGreaterThan(200)
    expect(population.accounts).toHaveLength(300)
    expect(statements.length).toBeGreaterThan(300)
    expect(events.length).toBeGreaterThan(0)
    expect(population.transaction_intents.length).toBeGreaterThan(0)
  })

  it('0 to 8 rewards and 0 to 18 statements each', () => {
    const perCustomer = (rows: readonly { customer_id: string }[]): number[] => {
      const counts = new Map<string, number>()
      for (const { customer_id: owner } of rows) counts.set(owner, (counts.get(owner) ?? 0) + 1)
      return [...counts.values()]
    }
    expect(Math.max(...perCustomer(population.rewards))).toBe(8)
    expect(Math.max(...perCustomer(population.statements))).toBe(18)
  })

  it('no balance is negative, also once every deduction is complete', async () => {
    for (const seed of [1, 2, 3]) {
      const { customers, rewards } = await generate({ seed, customers: 1_000 })
      const balances = new Map(customers.map(({ id, opening_balance: opening = 0 }) => [id, opening]))
      for (const { customer_id: owner, status, amount } of rewards) {
        const sign = status === 'PENDING' ? 0 : status === 'AVAILABLE' ? 1 : -1
        balances.set(owner, (balances.get(owner) ?? 0) + sign * amount)
      }
      expect([...balances].filter(([, balance]) => balance < 0)).toEqual([])
    }
  })

  it('statements add up, go on from each other month by month, and never end after the end of history', () => {
    const accounts = new Set(population.statements.map((row) => row.account_id))
    for (const account of accounts) {
      const rows = population.statements.filter((row) => row.account_id === account)
      for (const [index, row] of rows.entries()) {
        expect(statementComponents.reduce((sum, name) => sum + row[name], 0)).toBe(row.statement_balance)
        expect(Object.values(row).some((value) => Object.is(value, -0))).toBe(false)
        const before = rows[index - 1]
        expect(row.previous_balance).toBe(before?.statement_balance ?? 0)
        const isPaid = row.previous_balance + row.payments <= 0
        // Less than about half a dollar of debt bears less than a cent.
        if (isPaid) expect(row.interest).toBe(0)
        else if (row.previous_balance + row.payments > 100) expect(row.interest).toBeGreaterThan(0)
        if (before) expect(Date.parse(row.period_start_date) - Date.parse(before.period_end_date)).toBe(1000)
      }
      expect(rows.at(-1)?.period_end_date).toBe('2026-10-31T23:59:59.000Z')
    }
  })

  it('rewards of purchases are what the earn rate of one of the categories gives', async () => {
    for (const rounding of ['down', 'half_up'] as const) {
      const { rewards, customers } = await generate({ rounding })
      const productOf = new Map(
        customers.map((row) => [row.id, products.find((p) => p.merchant_key === row.product)]),
      )
      for (const row of rewards.filter(({ type }) => type === 'TRANSACTION')) {
        const program = productOf.get(row.customer_id)?.rewards
        const purchase = isJsonObject(row.metadata) ? Number(row.metadata['purchase_amount']) : Number.NaN
        const possible = program?.categories.map((category) =>
          rewardAmount({
            amount: purchase,
            currency: 'USD',
            earnRate: category.earn_rate,
            rewardCurrency: program.currency,
            rounding,
          }),
        )
        expect(possible).toContain(row.amount)
      }
    }
  })

  it('nothing is made before its customer, changed before it was made, or after the end of history', () => {
    const made = new Map(population.customers.map((row) => [row.id, Date.parse(row.created_at)]))
    const rows = [...population.payment_methods, ...population.rewards, ...population.transaction_intents]
    for (const row of rows) {
      const createdAt = Date.parse(row.created_at)
      expect(createdAt).toBeGreaterThan(made.get(row.customer_id) ?? Number.NaN)
      expect(createdAt).toBeLessThanOrEqual(endOfHistory)
      if (row.updated_at === undefined) continue
      expect(Date.parse(row.updated_at)).toBeGreaterThan(createdAt)
    }
    for (const row of population.statements) {
      expect(Date.parse(row.period_start_date)).toBeGreaterThan(
        (made.get(row.customer_id) ?? 0) - 32 * 86_400_000,
      )
    }
  })

  it('emails fit names, and what is left of a card fits its number', () => {
    for (const row of population.customers) {
      const name = row.last_name.replaceAll(/[^A-Za-z]/g, '').toLowerCase()
      expect(row.email).toContain(name)
    }
    for (const row of population.payment_methods) {
      const card = row.card ?? row.secured_credit_card
      if (card) expect(card.pci_details?.pan?.slice(-4)).toBe(card.last4)
    }
  })
})

describe('generating into a baseline', () => {
  it('adds to the documents; what they say goes first', async () => {
    const { state } = await load(
      [
        {
          customers: [
            { id: 'cus_000002', first_name: 'Mine' },
            {
              id: 'cus_mine',
              partner_customer_id: population.customers[0]?.partner_customer_id,
              product: population.customers[0]?.product,
            },
          ],
        },
      ],
      { generate: { customers: 5 } },
    )
    expect(state.get('customers', 'cus_000002')?.first_name).toBe('Mine')
    expect(state.get('accounts', 'acct_000002')).toBeUndefined()
    expect(state.get('customers', 'cus_000001')).toBeUndefined()
    expect(state.get('customers', 'cus_000003')).toEqual(population.customers[2])
    expect(state.size('customers')).toBe(5)
  })

  it('without products there is nobody to make', async () => {
    const { state } = await load({ products: [], api_keys: [] }, { generate: { customers: 5 } })
    expect(state.size('customers')).toBe(0)
  })

  it('works for products of other shapes', async () => {
    const { state } = await load(
      { products: [{ merchant_key: 'mk_1', name: '特典', rewards: { currency: 'JPY', categories: [] } }] },
      { generate: { customers: 20 } },
    )
    expect(Object.keys(state.get('customers', 'cus_000001')?.statuses ?? {})).toEqual(['特典'])
    expect(state.size('rewards')).toBeGreaterThan(0)
  })
})

describe('progress', () => {
  it('says nothing while it is quick, and about once a second when it is not', async () => {
    const said: string[] = []
    let now = 0
    await generate({ customers: 1000, progress: (line) => said.push(line), elapsed: () => now })
    expect(said).toEqual([])
    await generate({ customers: 1000, progress: (line) => said.push(line), elapsed: () => (now += 600) })
    expect(said.at(0)).toBe('generated 500 of 1,000 customers')
    expect(said.at(-1)).toBe('generated 1,000 of 1,000 customers')
  })
})
