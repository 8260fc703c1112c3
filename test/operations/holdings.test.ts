import { describe, expect, it } from 'vitest'
import type { PaymentMethodChange, Sandbox } from '../../src/index.ts'
import { startSandbox, testNow, type CallApi, type WideOptions } from '../helpers/sandbox.ts'

const start = (options: WideOptions = {}): Promise<Sandbox & { call: CallApi }> =>
  startSandbox({ webhooks: 'standard', ...options })

async function post(sandbox: Sandbox, path: string, body: object) {
  const response = await sandbox.fetch(`/_sandbox/simulate/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const json: unknown = await response.json()
  return { status: response.status, json }
}

const collected = {
  n: 1,
  endpoint_id: null,
  due: testNow,
  at: null,
  state: 'collected',
  status: null,
  reason: 'no endpoint receives this type',
}
const simulated = {
  id: 'evt_1',
  time: testNow,
  source: 'simulation',
  request_id: null,
  deliveries: [collected],
}

/** A payment method as an event has it: as the API shows it to a key without PCI_DETAILS_READ. */
async function shownTo({ call }: { call: CallApi }, id: string): Promise<unknown> {
  const { json } = await call('GET', `/v2/payment_methods/${id}`, {
    key: 'sk_sandbox_without_pci_details_read',
  })
  return json
}

const changes: [PaymentMethodChange, event: string, entry: RegExp][] = [
  [
    { id: 'pm_ada_card', status: 'INACTIVE' },
    'payment_method.updated',
    /^Payment method pm_ada_card of cus_ada: CARD, INACTIVE, VISA ending in 4242$/,
  ],
  [
    { id: 'pm_ada_bank', status: 'CANCELED' },
    'payment_method.updated',
    /^Payment method pm_ada_bank of cus_ada: BANK_ACCOUNT, CANCELED$/,
  ],
  [
    { id: 'pm_ada_card', reissue: true },
    'payment_method.updated',
    /^Payment method pm_ada_card of cus_ada: CARD, ACTIVE, VISA ending in 1881$/,
  ],
  [
    { customer_id: 'cus_ada', type: 'CARD' },
    'payment_method.created',
    /^Payment method pm_\w{12} of cus_ada: CARD, ACTIVE, VISA ending in 1881$/,
  ],
]

describe('simulate.paymentMethod', () => {
  it.each(changes)(
    '%j -> the stored row by HTTP and by the library, and one event',
    async (input, type, entry) => {
      const [sandbox, library] = await Promise.all([start(), start()])
      const { status, json } = await post(sandbox, 'payment_method', input)
      const { payment_method: row } = library.simulate.paymentMethod(input)
      expect([status, json]).toEqual([201, { payment_method: row }])
      expect(sandbox.state.get('payment_methods', row.id)).toEqual(row)
      expect(sandbox.state.document()).toEqual(library.state.document())
      expect(sandbox.events.list()).toEqual([{ ...simulated, type, data: await shownTo(sandbox, row.id) }])
      expect(JSON.stringify(sandbox.events.list())).not.toMatch(/pci_details|\d{15}/)
      const [action] = sandbox.timeline()
      expect([action?.kind, action?.summary]).toEqual(['simulation', expect.stringMatching(entry)])
    },
  )

  it('a copy -> the state cannot be changed by it', async () => {
    const sandbox = await start()
    const before = sandbox.state.get('payment_methods', 'pm_ada_bank')
    const { payment_method: row } = sandbox.simulate.paymentMethod({ id: 'pm_ada_bank', status: 'INACTIVE' })
    Object.assign(row.bank_account ?? {}, { last4: '0000' })
    expect(sandbox.state.get('payment_methods', 'pm_ada_bank')).toEqual({
      ...before,
      status: 'INACTIVE',
      updated_at: testNow,
    })
  })

  it.each<[object, number, object]>([
    [
      { id: 'pm_ada_card' },
      400,
      {
        type: 'INVALID',
        message:
          'payment method: id names no change: send id with status, id with reissue, or customer_id with type',
        details: [
          {
            source: 'payment method',
            path: '',
            message: 'id names no change: send id with status, id with reissue, or customer_id with type',
          },
        ],
      },
    ],
    [
      { id: 'pm_ada_crd', reissue: true },
      404,
      {
        type: 'NOT_FOUND',
        message: "no payment method has the id 'pm_ada_crd', did you mean 'pm_ada_card'?",
      },
    ],
    [
      { id: 'pm_ada_card', status: 'ACTIVE' },
      409,
      { type: 'CONFLICT', message: "payment method 'pm_ada_card' is ACTIVE already" },
    ],
  ])('%j -> %i, no event, and nothing changes', async (input, status, error) => {
    const sandbox = await start()
    const before = sandbox.state.document()
    expect(await post(sandbox, 'payment_method', input)).toEqual({ status, json: { error } })
    expect([sandbox.events.list(), sandbox.state.document()]).toEqual([[], before])
  })

  it('the API -> finds a new card by its number, and shows the new status', async () => {
    const { simulate, call } = await start()
    const { payment_method: row } = simulate.paymentMethod({ customer_id: 'cus_ada', type: 'CARD' })
    simulate.paymentMethod({ id: 'pm_ada_card', status: 'CANCELED' })
    const list = async (pan: string | undefined): Promise<unknown[]> => {
      const { json } = await call('POST', '/v2/payment_methods', { json: { customer_id: 'cus_ada', pan } })
      return json.data.map(({ id, status }: { id: string; status: string }) => [id, status])
    }
    expect([await list(row.card?.pci_details?.pan), await list('4242424242424242')]).toEqual([
      [[row.id, 'ACTIVE']],
      [['pm_ada_card', 'CANCELED']],
    ])
  })

  it('one seed -> equal rows; another one -> other ids', async () => {
    const rowsOf = async (seed: number): Promise<unknown[]> => {
      const { simulate } = await start({ seed })
      return [1, 2].map(() => simulate.paymentMethod({ customer_id: 'cus_ada', type: 'CARD' }).payment_method)
    }
    expect(await rowsOf(7)).toEqual(await rowsOf(7))
    expect(await rowsOf(7)).not.toEqual(await rowsOf(8))
  })
})

describe('simulate.account', () => {
  it('-> the closed account by HTTP and by the library, and one event', async () => {
    const [sandbox, library] = await Promise.all([start(), start()])
    const input = { id: 'acct_ada', status: 'CLOSED' } as const
    const account = { id: 'acct_ada', customer_id: 'cus_ada', currency: 'USD', status: 'CLOSED' }
    expect(await post(sandbox, 'account', input)).toEqual({ status: 201, json: { account } })
    expect(library.simulate.account(input)).toEqual({ account })
    expect(sandbox.state.document()).toEqual(library.state.document())
    expect(sandbox.events.list()).toEqual([{ ...simulated, type: 'account.closed', data: account }])
    expect(sandbox.timeline()[0]?.summary).toBe('Account acct_ada of cus_ada: CLOSED')
    expect(await post(sandbox, 'account', input)).toEqual({
      status: 409,
      json: { error: { type: 'CONFLICT', message: "account 'acct_ada' is CLOSED already" } },
    })
    expect(sandbox.events.list()).toHaveLength(1)
  })
})

describe('an update of an intent by the operation outside the contract', () => {
  const options = { assume: { unlisted_operations: 'documented' } }
  const path = '/v2/transaction_intents/int_ada_1'
  const outcome = { customer_id: 'cus_ada', amount: 8400, status: 'CANCELED' }

  it('that changes it -> transaction_intent.updated with the intent as answered', async () => {
    const { call, events } = await start(options)
    const { json } = await call('POST', path, { json: outcome })
    const event = { ...simulated, type: 'transaction_intent.updated', source: 'api', data: json }
    expect(events.list()).toEqual([{ ...event, request_id: 'req_default_1' }])
  })

  it.each([
    ['that changes nothing', { ...outcome, status: 'CONFIRMED' }, 200],
    ['that is refused', { ...outcome, customer_id: 'cus_ben' }, 400],
  ])('%s -> no event', async (_, json, status) => {
    const { call, events } = await start(options)
    expect((await call('POST', path, { json })).status).toBe(status)
    expect(events.list()).toEqual([])
  })
})
