// The receiver of docs/events.md that settles rewards, exactly as it is printed, while deliveries and calls fail.
import { readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { Hono } from 'hono'
import { createSandbox, type EventDelivery, type Sandbox } from '../../src/index.ts'
import { packageRoot } from '../../src/runtime/host.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { blocksOf } from '../helpers/markdown-blocks.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'

interface Printed {
  settlingReceiver: (
    config: { token: string },
    api: (path: string, change?: object) => Promise<Response>,
  ) => { app: Hono; reconcile: (customer: string) => Promise<void> }
  /** The second block of the section, which returns what it prints. */
  use: (create: typeof createSandbox) => Promise<unknown>
}

/** The two blocks of the section, as a module. */
async function printed(): Promise<Printed> {
  const page = readFileSync(join(packageRoot(), 'docs', 'events.md'), 'utf8')
  const [receiver = '', use = ''] = blocksOf(page)
    .filter(({ heading }) => heading === 'A receiver that settles rewards')
    .map(({ code }) => code)
  const folder = await folderWith({
    'receiver.ts': `${receiver}\nexport async function use(createSandbox) {\n${use.replace('console.log', 'return ')}}\n`,
  })
  await symlink(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'))
  return import(join(folder, 'receiver.ts'))
}

const { settlingReceiver, use } = await printed()

type Scenario = string | { name: string; rules: object[] }
const rule = (on: string, calls: string, effect: object): Scenario => ({
  name: `${on}-fails`.replace('.', '-').toLowerCase(),
  rules: [{ on, calls, effect }],
})

async function start(scenario: Scenario | undefined, assume: Record<string, string>) {
  const sandbox = await startSandbox({
    webhooks: 'documented',
    assume: { unlisted_operations: 'documented', ...assume },
    ...(typeof scenario === 'object' && {
      scenarios: { description: 'A scenario of this test.', ...scenario },
    }),
  })
  if (typeof scenario === 'string') await sandbox.scenarios.activate(scenario)
  const headers = { authorization: `Bearer ${fullKey}`, 'content-type': 'application/json' }
  const config = { token: '' }
  const receiver = settlingReceiver(config, (path, change) =>
    sandbox.fetch(path, { headers, ...(change && { method: 'PATCH', body: JSON.stringify(change) }) }),
  )
  config.token = sandbox.webhooks.add({ handler: receiver.app.fetch }).secret
  const balance = async (): Promise<unknown> =>
    (await sandbox.call('GET', '/v2/customers/cus_ada/rewards_balance')).json
  const rewards = () =>
    sandbox.state.document().rewards?.filter(({ customer_id: id }) => id === 'cus_ada') ?? []
  return { sandbox, receiver, balance, rewards }
}

const signature = 'x-service-hmac-signature'

/** All attempts, and for each event of a settled reward the id of the reward with its status. */
function seen({ events }: Sandbox): { deliveries: EventDelivery[]; settled: string[] } {
  const all = events.list()
  return {
    deliveries: all.flatMap(({ deliveries }) => deliveries),
    settled: all.flatMap(({ type, data: { id, status } }) =>
      type === 'reward.updated' && (status === 'AVAILABLE' || status === 'DEDUCTED')
        ? [`${String(id)} ${status}`]
        : [],
    ),
  }
}

const points = (reward_balance: number): object => ({
  customer_id: 'cus_ada',
  reward_balance,
  reward_symbol: 'points',
  reward_description: 'Summit points',
})

/** Purchases and refunds; together they earn 745 points. The pending reward of 252 becomes one of 300. */
async function play({ call, simulate, clock }: Awaited<ReturnType<typeof start>>['sandbox']): Promise<void> {
  const bought = { customer_id: 'cus_ada', payment_method_id: 'pm_ada_card', currency: 'USD' }
  await call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { amount: 300 } })

  // 640 points, which the close of the cycle settles before the receiver is called.
  simulate.transaction({ ...bought, amount: 32_000, merchant_name: 'Northern Rail' })
  simulate.statement({ account_id: 'acct_ada' })
  await clock.advance({ minutes: 1 })

  // 150 points, and 150 back.
  const bistro = { ...bought, merchant_name: 'Corner Bistro' }
  const { transaction: returned } = simulate.transaction({ ...bistro, amount: 5000 })
  await clock.advance({ minutes: 1 })
  simulate.transaction({ transaction_id: returned.id, status: 'REFUNDED' })
  await clock.advance({ minutes: 1 })

  // 90 and 45 points, and 30 of the 90 back, all before the receiver is called.
  const { transaction } = simulate.transaction({ ...bistro, amount: 4500, status: 'APPROVED' })
  const step = (sent: object) => simulate.transaction({ transaction_id: transaction.id, ...sent })
  const { event } = step({ status: 'CAPTURED', amount: 3000 })
  step({ status: 'CAPTURED' })
  step({ status: 'REFUNDED', event_id: event?.id, amount: 1000 })
  await clock.advance({ minutes: 5 })
}

const failures = {
  dropped: rule('reward.created', 'every 2', { event: 'drop' }),
  refused: rule('updateReward', 'every 2', { error: 'SERVICE_UNAVAILABLE_ERROR' }),
  lost: rule('updateReward', 'every 2', { transport: 'reset', at: 'after' }),
}

/** What a refund does with a reward: what the balance begins with, and the rewards of all purchases at the end. */
const refunds = {
  own_row: {
    begins: 29_590,
    // The last of the built-in data is a deduction of 2500.
    ends: 29_590 + 745 + 300 + 5000 - 2500,
    rewards: [
      'AVAILABLE 150',
      'AVAILABLE 45',
      'AVAILABLE 640',
      'AVAILABLE 90',
      'DEDUCTED 150',
      'DEDUCTED 30',
    ],
  },
  // The balance adds up what is available.
  same_reward: {
    begins: 34_590,
    ends: 34_590 + 745 + 300 + 5000,
    rewards: ['AVAILABLE 45', 'AVAILABLE 60', 'AVAILABLE 640', 'DEDUCTED 150'],
  },
} as const

type Case = [
  title: string,
  refund_reward: keyof typeof refunds,
  scenario: Scenario | undefined,
  /** What the balance has less until the receiver reconciles. */
  lacks: number,
  assume?: Record<string, string>,
]

it.each<Case>([
  ['no scenario', 'own_row', undefined, 0],
  ['event-duplicate', 'own_row', 'event-duplicate', 0],
  ['event-concurrent', 'own_row', 'event-concurrent', 0],
  ['event-reorder', 'own_row', 'event-reorder', 0],
  ['event-late', 'own_row', 'event-late', 0],
  ['event-same-json-other-bytes', 'own_row', 'event-same-json-other-bytes', 0],
  // The first event is that of the reward of 300.
  ['event-drop', 'own_row', 'event-drop', 300],
  // The second, fourth and sixth reward: 150, 90, and the deduction of 30.
  ['new rewards dropped', 'own_row', failures.dropped, 150 + 90 - 30],
  ['PATCH refused', 'own_row', failures.refused, 0],
  ['answers of PATCH lost', 'own_row', failures.lost, 0],
  ['event-concurrent, and 409', 'own_row', 'event-concurrent', 0, { reward_not_pending: 'conflict' }],
  ['event-duplicate', 'same_reward', 'event-duplicate', 0],
  ['event-reorder', 'same_reward', 'event-reorder', 0],
  ['event-drop', 'same_reward', 'event-drop', 300],
  // The second and the fourth reward; the second is reported again by its refund.
  ['new rewards dropped', 'same_reward', failures.dropped, 45],
])(
  '%s, %s -> rewards are settled once, and the balance is right',
  async (_, refund_reward, scenario, lacks, assume) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { begins, ends, rewards: expected } = refunds[refund_reward]
    const { sandbox, receiver, balance, rewards } = await start(scenario, { refund_reward, ...assume })
    const builtIn = rewards().map(({ id }) => id)
    expect(await balance()).toEqual(points(begins))
    await play(sandbox)
    expect(await balance()).toEqual(points(begins + 745 + 300 - lacks))

    // The failures are over. Rewards of the built-in data have no events.
    await sandbox.scenarios.deactivate()
    await receiver.reconcile('cus_ada')
    expect(await balance()).toEqual(points(ends))
    expect(rewards().filter(({ status }) => status !== 'AVAILABLE' && status !== 'DEDUCTED')).toEqual([])
    const earned = rewards().filter(({ id }) => !builtIn.includes(id))
    expect(earned.map(({ status, amount }) => `${status} ${amount}`).toSorted()).toEqual(expected)

    // Nothing is left to do, and no reward was settled twice.
    await sandbox.clock.advance({ days: 2 })
    await receiver.reconcile('cus_ada')
    const { deliveries, settled } = seen(sandbox)
    expect(deliveries.filter(({ state }) => state === 'waiting')).toEqual([])
    const areCallsRefused = scenario === failures.refused || scenario === failures.lost
    expect(deliveries.some(({ state }) => state === 'failed')).toBe(areCallsRefused)
    expect(settled.toSorted()).toEqual([...new Set(settled)].toSorted())
  },
)

it('an event that arrives twice is settled by one PATCH', async () => {
  const { sandbox } = await start('event-duplicate', {})
  sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
  expect(await sandbox.events.drain()).toEqual({ delivered: 4, failed: 0, waiting: 0 })
  expect(sandbox.requests.list().map(({ operation, status }) => [operation, status])).toEqual([
    ['updateReward', 200],
  ])
})

it('a reconciliation reads every page', async () => {
  const { sandbox, receiver, balance } = await start(undefined, {})
  for (let at = 0; at < 25; at++)
    sandbox.state.put('rewards', `rwd_${at}`, { customer_id: 'cus_ada', amount: 1, status: 'PENDING' })
  await receiver.reconcile('cus_ada')
  expect(await balance()).toEqual(points(29_590 + 25 + 252 + 5000 - 2500))
})

it('the commands of the page -> the balance of its customer', async () => {
  // 252 points of the intent; the built-in data have 252 and 5000, and a deduction of 2500.
  expect(await use(createSandbox)).toEqual(points(29_590 + 252 + 252 + 5000 - 2500))
})

it.each<[string, (headers: Headers, body: string) => [Headers, string]]>([
  ['a changed byte', (headers, body) => [headers, body.replace('rwd_ada_pending', 'rwd_ada_referral')]],
  ['no signature', (_, body) => [new Headers(), body]],
  [
    'another time',
    (headers, body) => [
      new Headers({
        [signature]: (headers.get(signature) ?? '').replace(
          /\d,/,
          (digit) => `${(Number(digit[0]) + 1) % 10},`,
        ),
      }),
      body,
    ],
  ],
])('%s -> 400, and nothing is settled', async (_, forge) => {
  const { sandbox, receiver, rewards } = await start(undefined, {})
  sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
  const [{ id: endpoint } = { id: '' }] = sandbox.webhooks.list()
  const genuine = sandbox.events.request('evt_1', { endpoint })
  const [headers, body] = forge(genuine.headers, await genuine.clone().text())
  const before = rewards()
  expect((await receiver.app.request('/', { method: 'POST', headers, body })).status).toBe(400)
  expect(rewards()).toEqual(before)
  expect((await receiver.app.request(genuine)).status).toBe(204)
  expect(rewards()).not.toEqual(before)
})
