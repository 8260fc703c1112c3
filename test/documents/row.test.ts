import { describe, expect, it } from 'vitest'
import { DocumentError } from '../../src/reading/problems.ts'
import { readAccount, readRow, referencesTo, type RowContext } from '../../src/documents/row.ts'
import type { CollectionName } from '../../src/store/rows.ts'
import { load, options } from '../helpers/documents.ts'

const { state, firstProduct } = await load([])
const context: RowContext = {
  ...options,
  state,
  firstProduct,
  source: 'body',
  whyUnknownScenario: (name) => (name === 'known' ? undefined : `no scenario '${name}'`),
}

describe('readRow', () => {
  it('fills gaps as a fixture does', async () => {
    const row = readRow('customers', { id: 'cus_new', first_name: 'Ida' }, context)
    const fixture = await load({ customers: [{ id: 'cus_new', first_name: 'Ida' }] })
    expect(row).toEqual(fixture.state.get('customers', 'cus_new'))
    expect(state.get('customers', 'cus_new')).toBeUndefined()
  })

  it('takes a row that replaces the one with its id, its own unique values included', () => {
    const ada = state.get('customers', 'cus_ada')
    expect(readRow('customers', ada, context)).toEqual(ada)
    const key = state.get('api_keys', 'key_full')
    expect(readRow('api_keys', key, context)).toEqual(key)
  })

  it('keeps nothing of the given object', () => {
    const given = { id: 'cus_new', metadata: { tags: ['a'] } }
    const row = readRow('customers', given, context)
    given.metadata.tags.push('b')
    expect(row.metadata).toEqual({ tags: ['a'] })
  })

  it.each<[string, CollectionName, unknown, string]>([
    ['no object', 'customers', [], 'body: must be an object'],
    ['no id', 'statements', {}, 'body statement_id: is required: ids are never made up'],
    ['a wrong id', 'customers', { id: 5 }, 'body id: must be a string'],
    [
      'a function',
      'customers',
      { id: 'a', metadata: { f: () => 1 } },
      'body metadata.f: must be JSON, not a function',
    ],
    [
      'an unknown field',
      'customers',
      { id: 'a', mail: 'x' },
      "body mail: unknown field, did you mean 'email'?",
    ],
    [
      'a second expiry month',
      'payment_methods',
      { id: 'a', customer_id: 'cus_ada', card: { exp_month: '08', pci_details: { exp_month: '09' } } },
      'body card.pci_details.exp_month: must be the exp_month of card',
    ],
    [
      'an update before the row was created',
      'customers',
      { id: 'a', created_at: '2026-01-02T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
      'body updated_at: must not be before created_at',
    ],
    [
      'the partner_transaction_id of another intent',
      'transaction_intents',
      { id: 'a', customer_id: 'cus_ada', partner_transaction_id: 'partner-tx-1001' },
      "body partner_transaction_id: is also the one of transaction intent 'int_ada_1'",
    ],
    [
      'a reference to nobody',
      'rewards',
      { id: 'a', customer_id: 'cus_adam' },
      "body customer_id: no customer has the id 'cus_adam', did you mean 'cus_ada'?",
    ],
    [
      'a partner identifier that is taken, by an id before and after its own',
      'customers',
      { id: 'cus_aaa', partner_customer_id: 'partner-ada' },
      "body partner_customer_id: is also the one of customer 'cus_ada' of this product",
    ],
    [
      'an API key that is taken',
      'api_keys',
      { id: 'zzz', api_key: 'sk_sandbox_full' },
      "body api_key: is also the api_key of 'key_full'",
    ],
    [
      'the id of another key as its API key',
      'api_keys',
      { id: 'zzz', api_key: 'key_full' },
      'is the id of another',
    ],
    [
      'a scenario that nobody knows',
      'api_keys',
      { id: 'zzz', products: ['mk_summit'], scenarios: ['known', 'other'] },
      "body scenarios[1]: no scenario 'other'",
    ],
    [
      'a scenario that nobody knows, beside what is no scope',
      'api_keys',
      { id: 'zzz', products: ['mk_summit'], scopes: ['ALL'], scenarios: ['other', 5] },
      "body scenarios[0]: no scenario 'other'",
    ],
    [
      'a card number that could be real',
      'payment_methods',
      { id: 'a', customer_id: 'cus_ada', card: { pci_details: { pan: '4539578763621486' } } },
      'could be a real card',
    ],
    [
      'an account that goes to another customer while statements stay',
      'accounts',
      { id: 'acct_ada', customer_id: 'cus_ben' },
      "body customer_id: cannot change: payment_methods 'pm_ada_card' names this row and stays with its customer",
    ],
  ])('%s is refused', (_title, collection, input, message) => {
    const refuse = (): unknown => readRow(collection, input, context)
    expect(refuse).toThrow(DocumentError)
    expect(refuse).toThrow(message)
  })

  it('a partner identifier of another product is free', () => {
    const given = { id: 'cus_x', product: 'mk_harbor', partner_customer_id: 'partner-hana2' }
    expect(readRow('customers', given, context).product).toBe('mk_harbor')
  })
})

describe('readAccount', () => {
  it('takes whole and partial settings', () => {
    const settings = { saved_version: { sandbox: '2025-05-05', production: '2025-05-05' } }
    expect(readAccount(settings, 'account')).toEqual(settings)
    expect(readAccount({}, 'account').saved_version.sandbox).toBe('2026-10-13')
  })

  it.each([
    [null, 'account: must be a JSON object'],
    [{ saved_version: { sandbox: 'latest' } }, 'account saved_version.sandbox: must be one of'],
    [{ version: 1 }, 'account version: unknown field'],
  ])('%j is refused', (input, message) => {
    expect(() => readAccount(input, 'account')).toThrow(message)
  })
})

describe('referencesTo', () => {
  it.each<[CollectionName, string, string[]]>([
    ['customers', 'cus_ben', []],
    ['customers', 'cus_ivan', []],
    ['accounts', 'acct_carla', ['payment_methods pm_carla_card account_id']],
    ['payment_methods', 'pm_ada_old', []],
    [
      'payment_methods',
      'pm_ada_card',
      [
        'customers cus_ada authorized_users',
        'transaction_intents int_ada_1 payment_method_id',
        'transaction_intents int_ada_2 payment_method_id',
      ],
    ],
  ])('%s %s', (collection, id, expected) => {
    expect(
      referencesTo(state, collection, id).map((row) => `${row.collection} ${row.id} ${row.field}`),
    ).toEqual(expected)
  })

  it('a product is named by keys and customers; ten rows are enough for a message', () => {
    const found = referencesTo(state, 'products', 'mk_harbor')
    expect(found.map(({ id }) => id)).toEqual(['key_multi', 'cus_hana', 'cus_ivan'])
    expect(referencesTo(state, 'products', 'mk_summit')).toHaveLength(10)
  })
})
