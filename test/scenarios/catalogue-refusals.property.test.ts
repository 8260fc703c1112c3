import { describe, expect, it } from 'vitest'
import { shapeB, shapeC } from '../helpers/answers.ts'
import { answer, headers, noReward, unavailable, type Whole } from '../helpers/catalogue-answers.ts'
import { armed, expectOver, open } from '../helpers/catalogue-stage.ts'
import { golden, operations, worlds } from '../helpers/catalogue-worlds.ts'
import { testNow } from '../helpers/sandbox.ts'
import { drawn } from '../setup/samples.ts'

/** Built-in scenarios that refuse calls, or leave fields out, for as long as they are active. */

const forbidden = (scope: string): Whole =>
  answer(403, shapeB('FORBIDDEN_ERROR', `The API key lacks the scope ${scope}.`), 'forbidden_type')

const versionRefusal = (refused: string, supported: string): Whole => ({
  status: 400,
  headers: headers([], null),
  body: shapeB(
    'BAD_REQUEST_ERROR',
    `Unsupported x-service-version '${refused}'. Supported versions: ${supported}.`,
  ),
})

const noCustomer = (...assumptions: string[]): Whole =>
  answer(
    404,
    shapeC('CUSTOMER_NOT_FOUND_ERROR', 'customer_id', 'No customer has this customer_id.'),
    'not_found_status',
    ...assumptions,
  )

const refusals: [name: string, on: string[], answer: Whole][] = [
  [
    'not-found-customer',
    ['createTransactionIntent', 'linkCustomer', 'listStatements', 'retrieveRewardsBalance'],
    noCustomer(),
  ],
  ['not-found-customer', ['listPaymentMethods'], noCustomer('payment_methods_unknown_customer')],
  [
    'not-found-account',
    ['listStatements'],
    answer(
      404,
      shapeC('ACCOUNT_NOT_FOUND_ERROR', 'account_id', 'No account of this customer has this account_id.'),
      'not_found_status',
      'unknown_account_type',
    ),
  ],
  [
    'not-found-payment-method',
    ['createTransactionIntent', 'retrievePaymentMethod'],
    answer(
      404,
      shapeC(
        'PAYMENT_METHOD_NOT_FOUND_ERROR',
        'payment_method_id',
        'No payment method has this payment_method_id.',
      ),
      'not_found_status',
    ),
  ],
  [
    'not-found-transaction-intent',
    ['retrieveTransactionIntent'],
    answer(
      404,
      shapeC('TRANSACTION_INTENT_FOUND_ERROR', 'intent_id', 'No transaction intent has this intent_id.'),
      'not_found_status',
    ),
  ],
  ['not-found-reward', ['retrieveReward', 'updateReward'], noReward],
  [
    'scope-missing-transaction-intent-write',
    ['createTransactionIntent'],
    forbidden('TRANSACTION_INTENT_WRITE'),
  ],
  [
    'scope-missing-transaction-intent-read',
    ['retrieveTransactionIntent'],
    forbidden('TRANSACTION_INTENT_READ'),
  ],
  ['scope-missing-account-read', ['listStatements'], forbidden('ACCOUNT_READ')],
  ['scope-missing-order-write', ['deleteOrderEvent'], forbidden('ORDER_WRITE')],
  ['version-unsupported', operations, versionRefusal('2026-10-13', '2025-05-05, latest')],
  ['version-latest-preview', operations, versionRefusal('2026-10-13', 'latest')],
  [
    'key-revoked',
    operations,
    {
      status: 401,
      headers: {
        ...headers(['unauthenticated_status', 'unauthenticated_type'], null),
        'www-authenticate': 'Basic realm="partner-rewards-sandbox", Bearer',
      },
      body: shapeB('UNAUTHORIZED_ERROR', 'The API key is not usable here.'),
    },
  ],
  ['unavailable', operations, unavailable],
]

/** The operations that each scenario leaves alone. */
const spared = [...new Set(refusals.map(([name]) => name))].flatMap((name): [string, string[]][] => {
  const refused = refusals.filter(([other]) => other === name).flatMap(([, on]) => on)
  const others = operations.filter((operation) => !refused.includes(operation))
  return others.length === 0 ? [] : [[name, others]]
})

/** A body without some fields, however deep they stand. */
function without(field: string, { body, ...rest }: Whole): Whole {
  const json = JSON.stringify(body, (key, value: unknown) => (key === field ? undefined : value))
  expect(json).not.toBe(JSON.stringify(body))
  return { ...rest, body: JSON.parse(json) as unknown }
}

const asVersion = (version: string, { headers: own, ...rest }: Whole): Whole => ({
  ...rest,
  headers: { ...own, 'x-service-version': version },
})

describe.each(drawn(worlds))('on %s', (_title, world) => {
  describe.each(refusals)('%s', (name, on, refusal) => {
    it.each(on)('%s answers as ever, is refused without a trace, and answers as ever', async (operation) => {
      const sandbox = await armed(world, name, operation)
      const state = sandbox.state.document()
      expect(await sandbox.ask(operation)).toEqual(refusal)
      expect(await sandbox.ask(operation)).toEqual(refusal)
      expect(sandbox.state.document()).toEqual(state)
      await expectOver(sandbox, world, operation)
    })
  })

  it.each(spared)('%s: the operations %j answer as ever', async (name, others) => {
    const sandbox = await open(world)
    for (const operation of others) {
      await sandbox.scenarios.activate(name)
      expect([operation, await sandbox.ask(operation)]).toEqual([operation, golden(world, operation)])
      sandbox.reset()
    }
  })

  it.each(operations)(
    'version-sunset-2025-05-05: %s is refused in that version, and answers as ever',
    async (operation) => {
      const sandbox = await armed(world, 'version-sunset-2025-05-05', operation)
      const old = { headers: { 'x-service-version': '2025-05-05' } }
      expect(await sandbox.ask(operation, old)).toEqual(versionRefusal('2025-05-05', '2026-10-13, latest'))
      await sandbox.scenarios.deactivate()
      expect(await sandbox.ask(operation, old)).toEqual(asVersion('2025-05-05', golden(world, operation)))
    },
  )

  it.each([
    ['version-sunset-2025-05-05', '2026-10-13'],
    ['version-sunset-2025-05-05', 'latest'],
    ['version-latest-preview', 'latest'],
  ])('%s: every operation answers as ever in version %s', async (name, version) => {
    const sandbox = await open(world)
    for (const operation of operations) {
      await sandbox.scenarios.activate(name)
      const reply = await sandbox.ask(operation, { headers: { 'x-service-version': version } })
      expect([operation, reply]).toEqual([operation, asVersion(version, golden(world, operation))])
      sandbox.reset()
    }
  })

  it.each([
    ['scope-missing-pci-details-read', 'listPaymentMethods', 'pci_details', 'pci_details_read'],
    ['scope-missing-pci-details-read', 'retrievePaymentMethod', 'pci_details', 'pci_details_read'],
    ['scope-missing-authorized-user-read', 'searchCustomers', 'authorized_users', 'authorized_user_read'],
  ])('%s: %s leaves out %s, as for a key without the scope', async (name, operation, field, scope) => {
    const sandbox = await armed(world, name, operation)
    expect(await sandbox.ask(operation)).toEqual(without(field, golden(world, operation)))
    await expectOver(sandbox, world, operation)
    const lacking = await sandbox.ask(operation, { key: `sk_sandbox_without_${scope}` })
    expect(lacking).toEqual(without(field, golden(world, operation)))
  })

  it('scope-missing-authorized-user-read: linkCustomer answers the link as ever', async () => {
    const sandbox = await armed(world, 'scope-missing-authorized-user-read', 'linkCustomer')
    expect(await sandbox.ask('linkCustomer')).toEqual(golden(world, 'linkCustomer'))
  })

  it('scope-missing-authorized-user-read: a customer as the answer to linkCustomer has no authorized_users', async () => {
    const assume = { link_response: 'customer', link_replaces: 'replace' }
    const { customer } = world.ids
    const linking = { ...world, unlinked: customer, options: { ...world.options, assume } }
    const sandbox = await open(linking)
    const row = sandbox.state.get('customers', customer) ?? {}
    // A customer who is linked a second time gets another answer than one who is linked for the first time.
    const unlink = (): object => sandbox.state.put('customers', customer, row)
    const searched = golden(world, 'searchCustomers').body as { data: object[] }
    const body = { ...searched.data[0], partner_customer_id: 'p-1', updated_at: testNow }
    const good = answer(200, body, 'link_response', 'link_replaces')
    expect(await sandbox.ask('linkCustomer')).toEqual(good)
    unlink()
    await sandbox.scenarios.activate('scope-missing-authorized-user-read')
    expect(await sandbox.ask('linkCustomer')).toEqual(without('authorized_users', good))
    unlink()
    await sandbox.scenarios.deactivate()
    expect(await sandbox.ask('linkCustomer')).toEqual(good)
    unlink()
    const lacking = await sandbox.ask('linkCustomer', { key: 'sk_sandbox_without_authorized_user_read' })
    expect(lacking).toEqual(without('authorized_users', good))
  })
})
