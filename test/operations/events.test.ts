import { describe, expect, it } from 'vitest'
import { declarationOf, eventTypeNames, type EventType } from '../../src/contract/event-types.ts'
import type { Sandbox, SandboxWorkspace } from '../../src/index.ts'
import { callerFor, startSandbox, testNow, type CallApi, type WideOptions } from '../helpers/sandbox.ts'

type World = Sandbox & { call: CallApi }

const start = (options: WideOptions = {}): Promise<World> =>
  startSandbox({ webhooks: 'standard', ...options })

const intent = { customer_id: 'cus_ada', amount: 1250, currency: 'USD' }
/** A purchase that no intent announced. */
const purchase = {
  ...intent,
  amount: 500,
  payment_method_id: 'pm_ada_card',
  merchant_name: 'Corner Bistro',
} as const
const approval = { ...purchase, status: 'APPROVED' } as const
const refund = { ...purchase, amount: -500 }
const available = { json: { status: 'AVAILABLE' } }
const createIntent = ({ call }: World): Promise<{ json: { id: string } }> =>
  call('POST', '/v2/transaction_intents', { json: intent })
const settle = ({ call }: World): Promise<unknown> => call('PATCH', '/v2/rewards/rwd_ada_pending', available)
const settleAs = ({ call }: World, scenario: string): Promise<unknown> =>
  call('PATCH', '/v2/rewards/rwd_ada_pending', { ...available, headers: { 'x-sandbox-scenario': scenario } })

/** From now on, a call that reads a reward changes these rows first. */
async function changing({ scenarios }: World, change: object): Promise<void> {
  await scenarios.register({
    name: 'changes',
    description: 'A row changes.',
    rules: [{ on: 'retrieveReward', effect: { change, at: 'before' } }],
  })
  await scenarios.activate('changes')
}

/** What tests compare of events, oldest first. */
const summary = ({ events }: Pick<SandboxWorkspace, 'events'>): unknown[] =>
  events
    .list()
    .toReversed()
    .map(({ id, type, source, request_id, data }) => [
      id,
      type,
      source,
      request_id,
      data['id'] ?? data['statement_id'],
    ])

const collected = {
  n: 1,
  endpoint_id: null,
  due: testNow,
  at: null,
  state: 'collected',
  status: null,
  reason: 'no endpoint receives this type',
}

describe('an event', () => {
  it('of a call -> the whole event', async () => {
    const sandbox = await start()
    const { json } = await createIntent(sandbox)
    const event = {
      id: 'evt_1',
      type: 'transaction_intent.created',
      time: testNow,
      source: 'api',
      data: json,
      request_id: 'req_default_1',
      deliveries: [collected],
    }
    expect(sandbox.events.list()).toEqual([event])
    expect(sandbox.events.get('evt_1')).toEqual(event)
    expect(sandbox.events.get('evt_2')).toBeUndefined()
  })

  type Row = [id: string, type: EventType, source: string, request: string | null, of: unknown]
  type Cause = [situation: string, act: (sandbox: World) => unknown, events: Row[]]
  const some = expect.any(String)
  const causes: Cause[] = [
    [
      'a call creates an intent',
      createIntent,
      [['evt_1', 'transaction_intent.created', 'api', 'req_default_1', some]],
    ],
    [
      'a call settles a reward',
      settle,
      [['evt_1', 'reward.updated', 'api', 'req_default_1', 'rwd_ada_pending']],
    ],
    [
      'a call links a customer',
      ({ call }) => call('POST', '/v2/customers/cus_ben/link', { json: { partner_customer_id: 'p-ben' } }),
      [['evt_1', 'customer.linked', 'api', 'req_default_1', 'cus_ben']],
    ],
    [
      'a call deletes an order event',
      ({ call }) => call('DELETE', '/v2/order_events/ord_ada_1'),
      [['evt_1', 'order_event.deleted', 'api', 'req_default_1', 'ord_ada_1']],
    ],
    [
      'a transaction arrives and earns a reward',
      ({ simulate }) => simulate.transaction({ intent_id: 'int_ada_1' }),
      [
        ['evt_1', 'transaction.captured', 'simulation', null, some],
        ['evt_2', 'reward.created', 'simulation', null, some],
      ],
    ],
    [
      'a refund arrives and takes a reward back',
      ({ simulate }) => simulate.transaction(refund),
      [
        ['evt_1', 'transaction.refunded', 'simulation', null, some],
        ['evt_2', 'reward.created', 'simulation', null, some],
      ],
    ],
    [
      'a purchase is authorised, changed and cancelled',
      ({ simulate }) => {
        const { transaction } = simulate.transaction(approval)
        simulate.transaction({ transaction_id: transaction.id, status: 'UPDATED', amount: 400 })
        simulate.transaction({ transaction_id: transaction.id, status: 'VOIDED' })
      },
      [
        ['evt_1', 'transaction.approved', 'simulation', null, some],
        ['evt_2', 'transaction.updated', 'simulation', null, some],
        ['evt_3', 'transaction.voided', 'simulation', null, some],
      ],
    ],
    [
      'a payment method is cancelled',
      ({ simulate }) => simulate.paymentMethod({ id: 'pm_ada_card', status: 'CANCELED' }),
      [['evt_1', 'payment_method.updated', 'simulation', null, 'pm_ada_card']],
    ],
    [
      'a card is issued',
      ({ simulate }) => simulate.paymentMethod({ customer_id: 'cus_ada', type: 'CARD' }),
      [['evt_1', 'payment_method.created', 'simulation', null, some]],
    ],
    [
      'an account is closed',
      ({ simulate }) => simulate.account({ id: 'acct_ada', status: 'CLOSED' }),
      [['evt_1', 'account.closed', 'simulation', null, 'acct_ada']],
    ],
    [
      'a cycle closes with a refund in it',
      ({ simulate }) => {
        simulate.transaction(refund)
        simulate.statement({ account_id: 'acct_ada' })
      },
      [
        ['evt_1', 'transaction.refunded', 'simulation', null, some],
        ['evt_2', 'reward.created', 'simulation', null, some],
        ['evt_3', 'statement.created', 'simulation', null, some],
        ['evt_4', 'reward.updated', 'simulation', null, some],
      ],
    ],
    [
      'a scenario changes the reward first, so that the call is refused',
      (sandbox) => settleAs(sandbox, 'reward-settled-before-update'),
      [['evt_1', 'reward.updated', 'scenario', 'req_default_1', 'rwd_ada_pending']],
    ],
    [
      'a scenario changes an intent',
      async (sandbox) => {
        await changing(sandbox, { transaction_intents: { int_ada_1: { status: 'CANCELED' } } })
        await sandbox.call('GET', '/v2/rewards/rwd_ada_available')
      },
      [['evt_1', 'transaction_intent.updated', 'scenario', 'req_default_1', 'int_ada_1']],
    ],
    [
      'a scenario inserts a statement while a client walks pages',
      ({ call }) =>
        call('GET', '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=2', {
          headers: { 'x-sandbox-scenario': 'pagination-insert-while-walking' },
        }),
      [['evt_1', 'statement.created', 'scenario', 'req_default_1', some]],
    ],
    [
      'the answer of a call is lost after its commit',
      ({ fetch }) =>
        fetch('/v2/transaction_intents', {
          method: 'POST',
          headers: {
            authorization: 'Bearer sk_sandbox_full',
            'content-type': 'application/json',
            'x-sandbox-scenario': 'commit-but-answer-lost',
          },
          body: JSON.stringify(intent),
        }).then(
          () => expect.unreachable('the answer must be lost'),
          () => undefined,
        ),
      [['evt_1', 'transaction_intent.created', 'api', 'req_default_1', some]],
    ],
    [
      'a test triggers one',
      ({ events }) => events.trigger('reward.updated', { id: 'rwd_ada_pending' }),
      [['evt_1', 'reward.updated', 'trigger', null, 'rwd_ada_pending']],
    ],
  ]

  it.each(causes)('%s -> its events', async (_, act, events) => {
    const sandbox = await start()
    await act(sandbox)
    expect(summary(sandbox)).toEqual(events)
  })

  it('of every type that has rows has a cause above that is no trigger', () => {
    const rows = causes.flatMap(([, , events]) => events)
    const seen = new Set(rows.filter(([, , source]) => source !== 'trigger').map(([, type]) => type))
    const ofRows = eventTypeNames.filter((type) => declarationOf(type).collection !== undefined)
    expect([...seen].toSorted()).toEqual(ofRows.toSorted())
    expect(eventTypeNames.filter((type) => !ofRows.includes(type))).toEqual(['APPLICATION', 'STREAK'])
  })

  it.each<[string, (sandbox: World) => unknown]>([
    ['a refused call', ({ call }) => call('POST', '/v2/transaction_intents', { json: { amount: 1 } })],
    ['a call of another method', ({ call }) => call('DELETE', '/v2/rewards/rwd_ada_pending')],
    [
      'a call without a key',
      ({ call }) => call('PATCH', '/v2/rewards/rwd_ada_pending', { ...available, key: 'sk_wrong' }),
    ],
    ['an unknown row', ({ call }) => call('PATCH', '/v2/rewards/rwd_none', available)],
    ['a settled reward', ({ call }) => call('PATCH', '/v2/rewards/rwd_ada_available', available)],
    [
      'a customer that has this partner_customer_id already',
      ({ call }) =>
        call('POST', '/v2/customers/cus_ada/link', { json: { partner_customer_id: 'partner-ada' } }),
    ],
    [
      'a partner_customer_id of another customer',
      ({ call }) =>
        call('POST', '/v2/customers/cus_ben/link', { json: { partner_customer_id: 'partner-ada' } }),
    ],
    ['a read', ({ call }) => call('GET', '/v2/rewards/rwd_ada_pending')],
    ['a new API key', ({ call }) => call('POST', '/v2/keys')],
    [
      'a call that a scenario refuses',
      ({ call }) =>
        call('POST', '/v2/transaction_intents', {
          json: intent,
          headers: { 'x-sandbox-scenario': 'unavailable' },
        }),
    ],
    [
      'a simulation that is refused',
      ({ simulate }) => expect(() => simulate.transaction({ intent_id: 'int_ada_2' })).toThrow('int_ada_2'),
    ],
    [
      'a credit, which has no steps',
      ({ simulate }) => simulate.transaction({ ...intent, amount: -500, merchant_name: 'Corner Bistro' }),
    ],
    [
      'a payment from a bank account, which has none either',
      ({ simulate }) => simulate.transaction({ ...refund, payment_method_id: 'pm_ada_bank' }),
    ],
    [
      'a step that cannot follow',
      ({ simulate }) =>
        expect(() => simulate.transaction({ ...purchase, status: 'VOIDED' })).toThrow(
          'a transaction cannot begin as VOIDED',
        ),
    ],
    [
      'a row put, which is new',
      ({ state }) => state.put('rewards', 'rwd_1', { customer_id: 'cus_ada', amount: 1, status: 'PENDING' }),
    ],
    ['a row patched', ({ state }) => state.patch('rewards', 'rwd_ada_pending', { status: 'AVAILABLE' })],
    ['a row deleted', ({ state }) => state.delete('order_events', 'ord_ada_1')],
    ['the state replaced', ({ state }) => state.replace({ ...state.document(), rewards: [] })],
    [
      'a reset',
      async (sandbox) => {
        sandbox.state.delete('order_events', 'ord_ada_1')
        sandbox.reset()
      },
    ],
    [
      'a restore',
      (sandbox) => {
        const before = sandbox.snapshot()
        sandbox.state.patch('rewards', 'rwd_ada_pending', { status: 'AVAILABLE' })
        sandbox.restore(before)
      },
    ],
    ['the clock', ({ clock }) => clock.advance({ days: 400 })],
    ['a scenario', ({ scenarios }) => scenarios.activate('slow')],
  ])('%s -> none', async (_, act) => {
    const sandbox = await start()
    await act(sandbox)
    expect(sandbox.events.list()).toEqual([])
    expect(sandbox.state.counts()).not.toHaveProperty('events')
  })

  it('a new workspace of fixtures -> none', async () => {
    const sandbox = await start()
    const made = await sandbox.workspaces.create({ fixtures: { customers: [{ id: 'cus_1' }] } })
    expect(made.events.list()).toEqual([])
  })

  it.each<[string, change: object]>([
    ['another field of a customer', { customers: { cus_ada: { email: 'new@example.com' } } }],
    ['a reward to what it is', { rewards: { rwd_ada_pending: { status: 'PENDING' } } }],
    ['an intent to what it is', { transaction_intents: { int_ada_1: { status: 'CONFIRMED' } } }],
    ['an order event', { order_events: { ord_ada_1: { metadata: {} } } }],
  ])('a scenario that changes %s -> none', async (_, change) => {
    const sandbox = await start()
    await changing(sandbox, change)
    await sandbox.call('GET', '/v2/rewards/rwd_ada_available')
    expect(sandbox.events.list()).toEqual([])
  })

  it('a call that a scenario loses before its commit -> none', async () => {
    const sandbox = await start()
    await sandbox.scenarios.register({
      name: 'lost',
      description: 'The call never arrives.',
      rules: [{ on: 'createTransactionIntent', effect: { transport: 'reset', at: 'before' } }],
    })
    await sandbox.scenarios.activate('lost')
    await expect(createIntent(sandbox)).rejects.toThrow()
    expect(sandbox.events.list()).toEqual([])
  })
})

describe('the data of an event', () => {
  const statements = '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1'

  it.each<[EventType, act: (sandbox: World) => unknown, get: (id: string) => string]>([
    ['transaction_intent.created', createIntent, (id) => `/v2/transaction_intents/${id}`],
    ['reward.updated', settle, (id) => `/v2/rewards/${id}`],
    [
      'reward.created',
      ({ simulate }) => simulate.transaction({ intent_id: 'int_ada_1' }),
      (id) => `/v2/rewards/${id}`,
    ],
  ])('%s -> as a GET with every scope returns it', async (type, act, get) => {
    const sandbox = await start()
    await act(sandbox)
    const [event] = sandbox.events.list({ type })
    const { json } = await sandbox.call('GET', get(String(event?.data['id'])))
    expect(event?.data).toEqual(json)
    expect(Object.keys(event?.data ?? {})).toEqual(Object.keys(json))
  })

  it('customer.linked -> as the search returns it, with the fields of every scope', async () => {
    const sandbox = await start()
    await sandbox.call('POST', '/v2/customers/cus_ben/link', { json: { partner_customer_id: 'p-ben' } })
    const { json } = await sandbox.call('GET', '/v2/customers?partner_customer_id=p-ben')
    expect(sandbox.events.get('evt_1')?.data).toEqual(json.data[0])
  })

  it.each([
    ['first', {}],
    ['another', { link_replaces: 'replace' } as const],
  ])('of a call with a key of few scopes, %s link -> has the fields of every scope', async (link, assume) => {
    const sandbox = await start({ assume })
    if (link === 'first') sandbox.state.patch('customers', 'cus_ada', { partner_customer_id: null })
    const key = 'sk_sandbox_without_authorized_user_read'
    const path = '/v2/customers/cus_ada/link'
    const answer = await sandbox.call('POST', path, { key, json: { partner_customer_id: 'p-ada' } })
    expect(answer.status).toBeLessThan(300)
    const { json } = await sandbox.call('GET', '/v2/customers?partner_customer_id=p-ada')
    expect(json.data[0].authorized_users).toHaveLength(2)
    expect(sandbox.events.get('evt_1')?.data).toEqual(json.data[0])
  })

  it('statement.created -> as a page returns it, with a link of its own that works', async () => {
    const sandbox = await start()
    sandbox.simulate.statement({ account_id: 'acct_ada' })
    const { json } = await sandbox.call('GET', statements)
    const data = sandbox.events.get('evt_1')?.data
    expect(data).toEqual({ ...json.data[0], pdf_url: expect.any(String) })
    const url = new URL(String(data?.['pdf_url']))
    expect(url.origin).toBe('http://localhost:4010')
    const file = await sandbox.fetch(url.pathname + url.search)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  })

  it('statement.created with baseUrl -> a link that begins with it', async () => {
    const sandbox = await start({ baseUrl: 'https://partner.example/sandbox' })
    sandbox.simulate.statement({ account_id: 'acct_ada' })
    expect(sandbox.events.get('evt_1')?.data['pdf_url']).toMatch(
      /^https:\/\/partner\.example\/sandbox\/_sandbox\//,
    )
  })

  it('order_event.deleted -> its id, and no more', async () => {
    const sandbox = await start()
    await sandbox.call('DELETE', '/v2/order_events/ord_ada_1')
    expect(sandbox.events.get('evt_1')?.data).toEqual({ id: 'ord_ada_1' })
  })

  it.each([
    ['approved', approval, 'APPROVED'],
    ['captured', purchase, 'CAPTURED'],
    ['refunded', refund, 'REFUNDED'],
  ] as const)(
    'transaction.%s -> the transaction at that step, and the id of the step',
    async (_, sent, status) => {
      const sandbox = await start({ assume: { unlisted_operations: 'documented' } })
      const { transaction, event } = sandbox.simulate.transaction(sent)
      const { id } = transaction
      const data = {
        id,
        customer_id: 'cus_ada',
        payment_method_id: 'pm_ada_card',
        amount: 500,
        currency: 'USD',
        status,
        network_transaction_id: expect.any(String),
        created_at: testNow,
        merchant: expect.any(Object),
        event_id: event?.id,
      }
      expect(sandbox.events.get('evt_1')?.data).toEqual(data)
      const { json } = await sandbox.call('GET', `/v2/transactions/${id}`)
      expect(data).toEqual({ ...json, event_id: event?.id })
    },
  )

  it('transaction.* -> status and amount of the step, whatever follows it', async () => {
    const { simulate, events } = await start()
    const { transaction, event: first } = simulate.transaction(approval)
    const step = (sent: object) => simulate.transaction({ transaction_id: transaction.id, ...sent }).event
    const second = step({ status: 'UPDATED', amount: 450 })
    const third = step({ status: 'CAPTURED', amount: 300 })
    const fourth = step({ status: 'REFUNDED', amount: 100 })
    const shown = events.list().filter(({ type }) => type.startsWith('transaction.'))
    expect(
      shown.toReversed().map(({ data }) => [data['id'], data['event_id'], data['status'], data['amount']]),
    ).toEqual([
      [transaction.id, first?.id, 'APPROVED', 500],
      [transaction.id, second?.id, 'UPDATED', 450],
      [transaction.id, third?.id, 'CAPTURED', 300],
      [transaction.id, fourth?.id, 'REFUNDED', 100],
    ])
  })

  it('stays as it was when the row changes later', async () => {
    const sandbox = await start()
    await settle(sandbox)
    const { data } = sandbox.events.get('evt_1') ?? {}
    sandbox.state.patch('rewards', 'rwd_ada_pending', { amount: 9 })
    expect(sandbox.events.get('evt_1')?.data).toEqual({ ...data, amount: 252 })
  })

  it('several changes of one row in one commit -> one event with the last values', async () => {
    const sandbox = await start()
    await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { amount: 7, status: 'AVAILABLE' } })
    expect(sandbox.events.list().map(({ data }) => [data['amount'], data['status']])).toEqual([
      [7, 'AVAILABLE'],
    ])
  })
})

describe('trigger', () => {
  it.each<[EventType, id: string]>([
    ['transaction_intent.created', 'int_ada_1'],
    ['reward.created', 'rwd_ada_pending'],
    ['reward.updated', 'rwd_ada_pending'],
    ['customer.linked', 'cus_ada'],
    ['order_event.deleted', 'ord_ada_1'],
    ['statement.created', 'stm_ada_01'],
    ['payment_method.updated', 'pm_ada_card'],
    ['account.closed', 'acct_ada'],
    ['APPLICATION', 'cus_ada'],
  ])('%s of %s -> an event, and no row changes', async (type, id) => {
    const sandbox = await start()
    const before = sandbox.snapshot()
    const event = sandbox.events.trigger(type, { id })
    expect(event).toMatchObject({ id: 'evt_1', type, source: 'trigger', request_id: null, time: testNow })
    expect(sandbox.events.list()).toEqual([event])
    const { events, ...others } = sandbox.snapshots.diff(before)
    expect(Object.values(others).flatMap((diff) => Object.values(diff ?? {}).flat())).toEqual([])
    expect(events?.added).toHaveLength(1)
  })

  it('with data -> laid over the fields of the resource', async () => {
    const sandbox = await start()
    const { json } = await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
    const data = { status: 'AVAILABLE', partner_note: { deep: [1] } }
    const { data: sent } = sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending', data })
    expect(sent).toEqual({ ...json, ...data })
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')?.status).toBe('PENDING')
  })

  it('an object that changes after the call -> the event does not change', async () => {
    const sandbox = await start()
    const metadata = { note: 'before' }
    const event = sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending', data: { metadata } })
    metadata.note = 'after'
    event.data['metadata'] = 'mine'
    expect(sandbox.events.get('evt_1')?.data['metadata']).toEqual({ note: 'before' })
  })

  it.each<[string, type: string, about: object, message: string]>([
    [
      'an unknown type',
      'reward.settled',
      { id: 'rwd_ada_pending' },
      `must be one of ${eventTypeNames.join(', ')}`,
    ],
    ['no id', 'reward.updated', {}, 'trigger id: is required'],
    ['an unknown field', 'reward.updated', { id: 'rwd_ada_pending', of: 1 }, 'of'],
    [
      'data that is no object',
      'reward.updated',
      { id: 'rwd_ada_pending', data: [] },
      'must be an object of fields',
    ],
    [
      'data that JSON cannot express',
      'reward.updated',
      { id: 'rwd_ada_pending', data: { amount: 1n } },
      'trigger data: must be JSON',
    ],
    ['an unknown id', 'reward.updated', { id: 'rwd_none' }, "rewards: no row has the id 'rwd_none'"],
    [
      'a row of another collection',
      'reward.updated',
      { id: 'cus_ada' },
      "rewards: no row has the id 'cus_ada'",
    ],
  ])('%s -> an error, and no event', async (_, type, about, message) => {
    const { events } = await start()
    expect(() => events.trigger(type as EventType, about as { id: string })).toThrow(message)
    expect(events.list()).toEqual([])
  })

  it('a type without a name at the provider -> an error that says so; calls create none', async () => {
    const { standard } = (await import('../../src/events/presets/index.ts')).presets
    const sandbox = await start({
      webhooks: { ...standard, names: { 'reward.updated': 'RewardChanged' } },
    })
    expect(() => sandbox.events.trigger('reward.created', { id: 'rwd_ada_pending' })).toThrow(
      'the description of webhooks has no name for reward.created: add it to names',
    )
    await createIntent(sandbox)
    await settle(sandbox)
    expect(summary(sandbox)).toEqual([['evt_1', 'reward.updated', 'api', 'req_default_2', 'rwd_ada_pending']])
    expect(await sandbox.events.request('evt_1').json()).toMatchObject({ type: 'RewardChanged' })
  })
})

describe('list', () => {
  /** Four events: two instants, three types, three sources. */
  async function filled(): Promise<World> {
    const sandbox = await start()
    await createIntent(sandbox)
    await settle(sandbox)
    await sandbox.clock.advance({ minutes: 1 })
    sandbox.simulate.transaction(approval)
    sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    return sandbox
  }

  it.each<[filter: object, ids: number[]]>([
    [{}, [4, 3, 2, 1]],
    [{ type: 'reward.updated' }, [4, 2]],
    [{ source: 'api' }, [2, 1]],
    [{ source: 'scenario' }, []],
    [{ type: 'reward.updated', source: 'trigger' }, [4]],
    [{ since: '2026-11-21T12:01:00Z' }, [4, 3]],
    [{ since: '2026-11-21T13:01:00+01:00' }, [4, 3]],
    [{ since: '2026-11-21T12:01:00.001Z' }, []],
    [{ limit: 1 }, [4]],
    [{ type: 'reward.updated', limit: 1 }, [4]],
    [{ source: 'api', limit: 1 }, [2]],
    [{ limit: 1000 }, [4, 3, 2, 1]],
  ])('%j -> %j, newest first', async (filter, ids) => {
    const { events } = await filled()
    expect(events.list(filter).map(({ id }) => id)).toEqual(ids.map((id) => `evt_${id}`))
  })

  it.each<[filter: object, message: string]>([
    [{ type: 'reward' }, 'type: must be one of'],
    [{ source: 'test' }, 'source: must be one of api, simulation, scenario, trigger'],
    [{ since: 'yesterday' }, 'since'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 1001 }, 'limit'],
    [{ kind: 'x' }, 'kind'],
  ])('%j -> an error', async (filter, message) => {
    const { events } = await start()
    expect(() => events.list(filter)).toThrow(message)
  })

  it('results are copies', async () => {
    const { events } = await filled()
    const [first] = events.list()
    if (!first) throw new Error('no event')
    first.data['status'] = 'changed'
    first.deliveries.length = 0
    expect(events.get(first.id)?.data['status']).toBe('AVAILABLE')
    expect(events.get(first.id)?.deliveries).toHaveLength(1)
  })

  it('more than ten -> by number, not by text', async () => {
    const { events } = await start()
    for (let at = 0; at < 12; at++) events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    const ids = Array.from({ length: 12 }, (_, at) => `evt_${12 - at}`)
    expect(events.list().map(({ id }) => id)).toEqual(ids)
    expect(events.list({ limit: 3 }).map(({ id }) => id)).toEqual(['evt_12', 'evt_11', 'evt_10'])
  })
})

describe('eventsSize', () => {
  it('keeps the newest, and counts the others', async () => {
    const { events } = await start({ eventsSize: 3 })
    const seen: [number, string[]][] = []
    for (let at = 0; at < 12; at++) {
      events.trigger('reward.updated', { id: 'rwd_ada_pending' })
      if (at % 3 === 2) seen.push([events.dropped, events.list().map(({ id }) => id)])
    }
    expect(seen).toEqual([
      [0, ['evt_3', 'evt_2', 'evt_1']],
      [3, ['evt_6', 'evt_5', 'evt_4']],
      [6, ['evt_9', 'evt_8', 'evt_7']],
      [9, ['evt_12', 'evt_11', 'evt_10']],
    ])
    expect(events.get('evt_9')).toBeUndefined()
  })

  it('1, and a commit that creates two -> the second', async () => {
    const { events, simulate } = await start({ eventsSize: 1 })
    simulate.transaction({ intent_id: 'int_ada_1' })
    expect(events.list().map(({ id, type }) => [id, type])).toEqual([['evt_2', 'reward.created']])
    expect(events.dropped).toBe(1)
  })

  it('a reset -> counts from the start again', async () => {
    const sandbox = await start({ eventsSize: 1 })
    await settle(sandbox)
    await createIntent(sandbox)
    sandbox.reset()
    expect([sandbox.events.dropped, sandbox.events.list()]).toEqual([0, []])
    expect(sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' }).id).toBe('evt_default_2_1')
  })

  it('events that wait -> delivered, and dropped only then', async () => {
    const { events, webhooks } = await start({ eventsSize: 1 })
    const seen: (string | null)[] = []
    webhooks.add({
      events: ['reward.updated'],
      handler(request) {
        seen.push(request.headers.get('webhook-id'))
        return new Response(null, { status: seen.length === 1 ? 500 : 204 })
      },
    })
    const update = (): unknown => events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    const collect = (): unknown => events.trigger('reward.created', { id: 'rwd_ada_pending' })
    const kept = (): unknown => [events.dropped, events.list().map(({ id }) => id)]
    update()
    update()
    collect()
    expect(kept()).toEqual([0, ['evt_3', 'evt_2', 'evt_1']])
    expect(await events.drain()).toEqual({ delivered: 1, failed: 1, waiting: 1 })
    expect(seen).toEqual(['evt_1', 'evt_2'])
    collect()
    expect(kept()).toEqual([2, ['evt_4', 'evt_1']])
    await events.resend('evt_1')
    collect()
    expect([kept(), seen]).toEqual([
      [4, ['evt_5']],
      ['evt_1', 'evt_2', 'evt_1'],
    ])
  })
})

describe('the rest of the sandbox', () => {
  /** The bodies and the rows of a script, which are equal with and without events. */
  async function script(options: WideOptions): Promise<unknown> {
    const sandbox = await startSandbox(options)
    const { call, simulate, clock, state } = sandbox
    const { transaction, reward } = simulate.transaction({ intent_id: 'int_ada_1' })
    const answers = [
      await createIntent(sandbox),
      await settle(sandbox),
      await call('POST', '/v2/customers/cus_ben/link', { json: { partner_customer_id: 'p-ben' } }),
      await call('DELETE', '/v2/order_events/ord_ada_1'),
      await createIntent(sandbox),
      await call('POST', '/v2/keys'),
      await call('GET', '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1'),
    ].map((answer) => {
      const { status, text, requestId } = answer as Awaited<ReturnType<CallApi>>
      return { status, text, requestId }
    })
    await clock.advance({ days: 1 })
    const { statement } = simulate.statement({ account_id: 'acct_ada' })
    const { events: _events, webhook_endpoints: _endpoints, sandbox: part, ...rows } = state.document()
    return { transaction, reward, answers, statement, rows, ids: part?.ids }
  }

  it('equal calls with and without events -> equal ids, bodies and rows', async () => {
    expect(await script({ webhooks: 'standard' })).toEqual(await script({}))
  })

  it('the changes of a journal entry -> without events', async () => {
    const sandbox = await start()
    await settle(sandbox)
    await settleAs(sandbox, 'reward-settled-before-update')
    const without = await startSandbox()
    await settle(without)
    await settleAs(without, 'reward-settled-before-update')
    const changes = (of: World): unknown => of.requests.list().map((entry) => entry.changes)
    expect(changes(sandbox)).toEqual(changes(without))
    expect(sandbox.requests.get('req_default_1')?.changes.map(({ collection }) => collection)).toEqual([
      'rewards',
    ])
  })

  it('a trigger -> one entry of the timeline', async () => {
    const { events, timeline } = await start()
    events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    expect(timeline()).toEqual([
      {
        id: 'act_default_0_1',
        at: testNow,
        kind: 'event',
        summary: 'Triggered reward.updated of rwd_ada_pending: evt_1',
        test: null,
      },
    ])
  })
})

describe('the ids of events', () => {
  const trigger = ({ events }: Pick<SandboxWorkspace, 'events'>): string =>
    events.trigger('reward.updated', { id: 'rwd_ada_pending' }).id

  it('of default -> only numbers, and the generation after a reset', async () => {
    const sandbox = await start()
    const ids = [trigger(sandbox), trigger(sandbox)]
    sandbox.reset()
    ids.push(trigger(sandbox))
    sandbox.reset()
    ids.push(trigger(sandbox), trigger(sandbox))
    expect(ids).toEqual(['evt_1', 'evt_2', 'evt_default_2_1', 'evt_default_3_1', 'evt_default_3_2'])
    expect(sandbox.events.list().map(({ id }) => id)).toEqual(['evt_default_3_2', 'evt_default_3_1'])
    expect(sandbox.events.dropped).toBe(0)
  })

  it('of another workspace -> its name and its generation; equal in every run', async () => {
    const run = async (): Promise<string[]> => {
      const sandbox = await start()
      const ids = ['w3', 'a_1'].flatMap((name) => {
        const workspace = sandbox.workspace(name)
        const before = [trigger(workspace), trigger(workspace)]
        workspace.reset()
        return [...before, trigger(workspace)]
      })
      return ids
    }
    const ids = ['evt_w3_1_1', 'evt_w3_1_2', 'evt_w3_2_1', 'evt_a_1_1_1', 'evt_a_1_1_2', 'evt_a_1_2_1']
    expect([await run(), await run()]).toEqual([ids, ids])
  })

  it('after a restored snapshot -> no id twice', async () => {
    const sandbox = await start()
    const ids = [trigger(sandbox)]
    const snapshot = sandbox.snapshot()
    sandbox.restore(snapshot)
    ids.push(trigger(sandbox), trigger(sandbox))
    sandbox.restore(snapshot)
    ids.push(trigger(sandbox))
    sandbox.restore(snapshot)
    ids.push(trigger(sandbox))
    expect(ids).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_default_2_2', 'evt_default_3_2'])
    expect(sandbox.events.list().map(({ id }) => id)).toEqual(['evt_default_3_2', 'evt_1'])
  })

  it('of a workspace that has the name of a deleted one -> another generation', async () => {
    const sandbox = await start()
    const ids = [trigger(sandbox.workspace('w3'))]
    sandbox.workspaces.delete('w3')
    ids.push(trigger(sandbox.workspace('w3')))
    sandbox.workspace('w3').reset()
    ids.push(trigger(sandbox.workspace('w3')))
    expect(ids).toEqual(['evt_w3_1_1', 'evt_w3_2_1', 'evt_w3_3_1'])
  })

  it('of a copy -> its own name, after the events of the original', async () => {
    const sandbox = await start()
    trigger(sandbox)
    const copy = await sandbox.workspaces.create({ name: 'w4', from: 'default' })
    expect([trigger(copy), copy.events.list().map(({ id }) => id)]).toEqual([
      'evt_w4_1_2',
      ['evt_w4_1_2', 'evt_1'],
    ])
  })

  it('of a document that is dumped and loaded -> the same generation', async () => {
    const first = await start()
    first.reset()
    trigger(first)
    const document = first.state.document()
    expect(document.sandbox?.sequences).toEqual({ webhook_endpoints: 0, events: 1, generation: 2 })
    const second = await start({ fixtures: document })
    expect([trigger(second), second.state.document().sandbox?.sequences]).toEqual([
      'evt_default_2_2',
      { webhook_endpoints: 0, events: 2, generation: 2 },
    ])
  })

  it('without events -> a reset leaves no trace in the document', async () => {
    const sandbox = await startSandbox()
    const before = sandbox.state.document()
    sandbox.reset()
    expect(sandbox.state.document()).toEqual(before)
  })
})

describe('events belong to the state', () => {
  it('a document that is dumped and loaded -> the same events and numbers', async () => {
    const first = await start({ eventsSize: 2 })
    await createIntent(first)
    await settle(first)
    await first.clock.advance({ minutes: 1 })
    first.simulate.transaction(approval)
    const document = first.state.document()
    const second = await start({ eventsSize: 2, fixtures: document })
    expect(second.events.list()).toEqual(first.events.list())
    expect(second.events.dropped).toBe(1)
    expect(second.state.document().events).toEqual(document.events)
    expect(second.events.trigger('reward.updated', { id: 'rwd_ada_pending' }).id).toBe('evt_4')
    const third = await start({ eventsSize: 2 })
    await third.state.replace(document)
    expect(third.events.list()).toEqual(first.events.list())
    expect(third.events.trigger('reward.updated', { id: 'rwd_ada_pending' }).id).toBe('evt_4')
  })

  it('a document with attempts that wait -> they are skipped', async () => {
    const first = await start()
    first.webhooks.add({ handler: () => new Response(null, { status: 500 }) })
    await settle(first)
    await first.events.drain()
    const second = await start({ fixtures: first.state.document() })
    let calls = 0
    second.webhooks.add({ handler: () => new Response(String(++calls)) })
    await second.clock.advance({ days: 1 })
    expect(second.events.get('evt_1')?.deliveries.map(({ state, reason }) => [state, reason])).toEqual([
      ['failed', 'answered 500'],
      ['skipped', 'the row was loaded'],
    ])
    expect(calls).toBe(0)
  })

  it('a copy of a workspace -> has the events, and delivers nothing', async () => {
    const sandbox = await start()
    const seen: string[] = []
    sandbox.webhooks.add({
      handler(request) {
        seen.push(String(request.headers.get('webhook-id')))
        return new Response(null, { status: 500 })
      },
    })
    const { secret: _secret, ...added } = sandbox.webhooks.add({ url: 'http://192.0.2.1/hook' })
    await settle(sandbox)
    await sandbox.events.drain()
    const copy = await sandbox.workspaces.create({ name: 'copy', from: 'default' })
    expect(copy.webhooks.list()).toEqual([{ ...added, enabled: false }])
    expect(copy.events.get('evt_1')?.deliveries.map(({ state, reason }) => [state, reason])).toEqual([
      ['skipped', added.warning],
      ['failed', 'answered 500'],
      ['skipped', 'the workspace is a copy'],
    ])
    expect(sandbox.events.get('evt_1')?.deliveries.at(-1)?.state).toBe('waiting')
    const call = callerFor(copy)
    await call('DELETE', '/v2/order_events/ord_ada_1')
    expect(await copy.events.drain()).toEqual({ delivered: 0, failed: 0, waiting: 0 })
    await copy.clock.advance({ days: 1 })
    expect(copy.events.get('evt_copy_1_2')?.deliveries.map(({ state }) => state)).toEqual(['collected'])
    expect(seen).toEqual(['evt_1'])
  })

  it('a replay -> its copy has the event, and delivers nothing', async () => {
    const sandbox = await start()
    let calls = 0
    sandbox.webhooks.add({ handler: () => new Response(String(++calls)) })
    await createIntent(sandbox)
    await sandbox.events.drain()
    const { workspace } = await sandbox.requests.replay('req_default_1')
    const copy = sandbox.workspace(workspace)
    expect(await copy.events.drain()).toEqual({ delivered: 0, failed: 0, waiting: 0 })
    expect(copy.events.list().map(({ id, type, request_id: of }) => [id, type, of])).toEqual([
      [`evt_${workspace}_1_2`, 'transaction_intent.created', `req_${workspace}_1`],
      ['evt_1', 'transaction_intent.created', 'req_default_1'],
    ])
    expect(copy.events.get(`evt_${workspace}_1_2`)?.deliveries.map(({ state }) => state)).toEqual([
      'collected',
    ])
    expect(sandbox.events.list().map(({ id }) => id)).toEqual(['evt_1'])
    expect(calls).toBe(1)
  })

  it('two workspaces -> each has its own', async () => {
    const sandbox = await start()
    const other = sandbox.workspace('w1')
    await settle(sandbox)
    expect(other.events.list()).toEqual([])
    await callerFor(other)('DELETE', '/v2/order_events/ord_ada_1')
    expect(summary(other)).toEqual([['evt_w1_1_1', 'order_event.deleted', 'api', 'req_w1_1', 'ord_ada_1']])
    expect(summary(sandbox)).toEqual([['evt_1', 'reward.updated', 'api', 'req_default_1', 'rwd_ada_pending']])
  })

  it('a snapshot that is restored -> its events, and attempts that waited in it are skipped', async () => {
    const sandbox = await start()
    const seen: string[] = []
    sandbox.webhooks.add({
      handler(request) {
        seen.push(String(request.headers.get('webhook-id')))
        return new Response(null, { status: 500 })
      },
    })
    await settle(sandbox)
    await sandbox.events.drain()
    const before = sandbox.snapshot()
    await createIntent(sandbox)
    sandbox.restore(before)
    expect(sandbox.events.list().map(({ id }) => id)).toEqual(['evt_1'])
    expect(sandbox.events.get('evt_1')?.deliveries.map(({ n, state, reason }) => [n, state, reason])).toEqual(
      [
        [1, 'failed', 'answered 500'],
        [2, 'skipped', 'the row was restored'],
      ],
    )
    await sandbox.clock.advance({ days: 1 })
    expect(seen).toEqual(['evt_1'])
    await createIntent(sandbox)
    await sandbox.events.drain()
    expect(seen).toEqual(['evt_1', 'evt_default_2_2'])
  })
})

describe('events off', () => {
  const message =
    'no webhook events are served (assumption webhook_events): set webhooks to a preset or a file, such as --webhooks standard'

  it.each<[string, (sandbox: World) => unknown]>([
    ['events.list', ({ events }) => events.list()],
    ['events.get', ({ events }) => events.get('evt_1')],
    ['events.dropped', ({ events }) => events.dropped],
    ['events.trigger', ({ events }) => events.trigger('reward.updated', { id: 'rwd_ada_pending' })],
    ['events.request', ({ events }) => events.request('evt_1')],
    ['events.resend', ({ events }) => events.resend('evt_1')],
    ['events.drain', ({ events }) => events.drain()],
    ['events.waitFor', ({ events }) => events.waitFor()],
    ['webhooks.secret', ({ webhooks }) => webhooks.secret],
    ['webhooks.add', ({ webhooks }) => webhooks.add({ handler: () => new Response() })],
    ['webhooks.list', ({ webhooks }) => webhooks.list()],
    ['webhooks.update', ({ webhooks }) => webhooks.update('handler_1', {})],
    ['webhooks.remove', ({ webhooks }) => webhooks.remove('handler_1')],
    ['webhooks.rotate', ({ webhooks }) => webhooks.rotate('handler_1')],
  ])('%s -> an error that names the option', async (_, use) => {
    const sandbox = await startSandbox()
    await expect((async () => use(sandbox))()).rejects.toThrow(message)
  })

  it('a call -> no rows of events, neither in the state nor in a dump', async () => {
    const sandbox = await startSandbox()
    await settle(sandbox)
    const document = sandbox.state.document()
    expect(document).not.toHaveProperty('events')
    expect(document).not.toHaveProperty('webhook_endpoints')
    expect(document.sandbox).not.toHaveProperty('sequences')
    expect(sandbox.state.counts()).not.toHaveProperty('events')
  })

  it('events on and none created -> the same dump', async () => {
    const [on, off] = [await start(), await startSandbox()]
    expect(on.state.document()).toEqual(off.state.document())
  })

  it('assume webhook_events=standard -> events are served', async () => {
    const sandbox = await startSandbox({ assume: { webhook_events: 'standard' } })
    await settle(sandbox)
    expect(sandbox.events.list()).toHaveLength(1)
  })
})
