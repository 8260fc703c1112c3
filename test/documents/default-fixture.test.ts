import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  paymentMethodStatuses,
  paymentMethodTypes,
  subObjectsOfType,
} from '../../src/contract/resources/payment-method.ts'
import { rewardStatuses, rewardTypes } from '../../src/contract/resources/reward.ts'
import { scopeNames } from '../../src/contract/scopes.ts'
import { collectionNames } from '../../src/store/rows.ts'
import { load, options } from '../helpers/documents.ts'

const baseline = await load([])
const { state } = baseline

describe('the default fixture', () => {
  it('is whole: nothing in it has to be filled', async () => {
    const other = await load([], { seed: 99 })
    for (const collection of ['customers', 'payment_methods', 'statements', 'rewards', 'api_keys'] as const) {
      expect([...other.state.all(collection)]).toEqual([...state.all(collection)])
    }
    const { customers } = JSON.parse(readFileSync(options.defaultFixture, 'utf8'))
    expect(state.get('customers', 'cus_ada')).toEqual(customers[0])
  })

  it('follows every rule: given as a file it is checked, and gives the same rows as built in', async () => {
    const checked = await load([options.defaultFixture])
    for (const collection of collectionNames) {
      // As text, because a dump of both must have the same bytes.
      expect(JSON.stringify([...state.all(collection)])).toBe(
        JSON.stringify([...checked.state.all(collection)]),
      )
    }
    expect(state.account).toEqual(checked.state.account)
  })

  it('has the keys that the documentation names', () => {
    const key = (name: string) => state.find('api_keys', 'by_api_key', name)
    expect(key('sk_sandbox_full')).toMatchObject({
      id: 'key_full',
      secret: 'secret_full',
      scopes: scopeNames,
      products: ['mk_summit'],
      environment: 'sandbox',
    })
    expect(key('sk_sandbox_none')?.scopes).toEqual([])
    for (const scope of scopeNames) {
      expect(key(`sk_sandbox_without_${scope.toLowerCase()}`)?.scopes).toEqual(
        scopeNames.filter((name) => name !== scope),
      )
    }
    expect(key('sk_sandbox_multi')).toMatchObject({
      scopes: scopeNames,
      products: ['mk_summit', 'mk_harbor'],
    })
    expect(key('sk_production_full')).toMatchObject({ scopes: scopeNames, environment: 'production' })
  })

  it('has two products: points in one language, US dollars in two', () => {
    expect(state.get('products', 'mk_summit')?.rewards.currency).toBe('POINTS')
    const { rewards } = state.get('products', 'mk_harbor') ?? {}
    expect(rewards?.currency).toBe('USD')
    for (const category of rewards?.categories ?? []) expect(category.name).toHaveProperty('es')
  })

  it('has more customers than two pages, some made at the same instant', () => {
    const rows = [...state.all('customers')].filter(({ product }) => product === 'mk_summit')
    expect(rows.length).toBeGreaterThanOrEqual(25)
    expect(new Set(rows.map(({ created_at }) => created_at)).size).toBeLessThan(rows.length)
    expect([...state.all('customers')].some(({ product }) => product === 'mk_harbor')).toBe(true)
  })

  it('Ada has every kind of everything', () => {
    const methods = state.scan('payment_methods', 'by_customer', 'cus_ada')
    expect(new Set(methods.map(({ type }) => type))).toEqual(new Set(paymentMethodTypes))
    expect(new Set(methods.map(({ status }) => status))).toEqual(new Set(paymentMethodStatuses))
    for (const name of Object.values(subObjectsOfType).flat()) {
      expect(methods.some((method) => method[name] !== undefined)).toBe(true)
    }
    const rewards = state.scan('rewards', 'by_customer', 'cus_ada')
    expect(new Set(rewards.map(({ status }) => status))).toEqual(new Set(rewardStatuses))
    expect(new Set(rewards.map(({ type }) => type))).toEqual(new Set(rewardTypes))
    for (const status of rewardStatuses) {
      expect(state.get('rewards', `rwd_ada_${status.toLowerCase()}`)?.status).toBe(status)
    }
    expect(state.get('transaction_intents', 'int_ada_1')?.status).toBe('CONFIRMED')
    expect(
      [...state.all('order_events')].filter(({ customer_id: id }) => id === 'cus_ada').length,
    ).toBeGreaterThan(2)
    expect(state.get('customers', 'cus_ada')).toMatchObject({ partner_customer_id: 'partner-ada' })
    expect(state.get('customers', 'cus_ada')?.authorized_users?.length).toBeGreaterThan(0)
  })

  it('Ada has 27 statements, month after month, each on the balance of the one before', () => {
    const statements = state.scan('statements', 'by_account', 'acct_ada').toReversed()
    expect(statements).toHaveLength(27)
    expect(statements[0]?.statement_id).toBe('stm_ada_01')
    expect(statements.at(-1)?.period_end_date).toBe('2026-10-31T23:59:59Z')
    for (const [index, row] of statements.entries()) {
      const before = statements[index - 1]
      if (!before) continue
      expect(row.previous_balance).toBe(before.statement_balance)
      expect(Date.parse(row.period_start_date)).toBe(Date.parse(before.period_end_date) + 1000)
    }
  })

  it('Ben has nothing', () => {
    expect(state.scan('payment_methods', 'by_customer', 'cus_ben')).toEqual([])
    expect(state.scan('rewards', 'by_customer', 'cus_ben')).toEqual([])
    expect([...state.all('accounts')].some(({ customer_id: id }) => id === 'cus_ben')).toBe(false)
    expect(state.get('customers', 'cus_ben')).not.toHaveProperty('partner_customer_id')
  })
})
