import { describe, expect, it } from 'vitest'
import { asScenario, scenarioOf } from '../../../../src/inspector/page/copies/as-scenario.ts'
import { lookedAt, type Sent } from './called.ts'

const reward = '/v2/rewards/rwd_ada_pending'
const statements = '/v2/customers/cus_ada/accounts/acct_ada/statements'
const intent = { customer_id: 'cus_ada', amount: 100, currency: 'USD' }

/** A call, the effect that makes its answer again, and what it is to be called with instead when the scenario is on. */
const answers: [string, Sent, effect: string, like?: Sent][] = [
  ['a row', { path: reward }, 'respond'],
  ['a list', { path: '/v2/customers?limit=2' }, 'respond'],
  ['a changed row', { method: 'PATCH', path: reward, body: { amount: 7 } }, 'respond'],
  ['a number that JavaScript would round', { path: '/v2/rewards/rwd_big' }, 'respond'],
  ['no body', { method: 'DELETE', path: '/v2/order_events/ord_ada_1' }, 'respond'],
  ['a HEAD', { method: 'HEAD', path: reward }, 'respond'],
  ['a missing reward', { path: '/v2/rewards/rwd_none' }, 'not_found'],
  ['a missing customer', { path: '/v2/customers/cus_none/rewards_balance' }, 'not_found'],
  ['a missing account', { path: statements.replace('acct_ada', 'acct_none') }, 'not_found'],
  ['a missing intent', { path: '/v2/transaction_intents/int_none' }, 'not_found'],
  ['a missing payment method', { path: '/v2/payment_methods/pm_none' }, 'not_found'],
  [
    'a missing customer in a body',
    { method: 'POST', path: '/v2/transaction_intents', body: { ...intent, customer_id: 'cus_none' } },
    'not_found',
    { method: 'POST', path: '/v2/transaction_intents', body: intent },
  ],
  [
    'a broken rule',
    { method: 'PATCH', path: reward, body: { amount: 'x', status: 'GONE' } },
    'invalid',
    { method: 'PATCH', path: reward, body: { amount: 1 } },
  ],
  [
    'a state that forbids',
    { method: 'PATCH', path: '/v2/rewards/rwd_ada_available', body: { amount: 1 } },
    'error',
  ],
  [
    'a partner id of another',
    { method: 'POST', path: '/v2/customers/cus_ben/link', body: { partner_customer_id: 'partner-carla' } },
    'error',
  ],
  [
    'another partner id of a linked customer',
    { method: 'POST', path: '/v2/customers/cus_ada/link', body: { partner_customer_id: 'partner-carla' } },
    'respond',
  ],
  [
    'a missing scope',
    { path: statements, key: 'sk_sandbox_without_account_read' },
    'missing_scope',
    { path: statements },
  ],
  ['no key', { path: reward, key: null }, 'respond', { path: reward }],
  [
    'an unknown version',
    { path: reward, headers: { 'x-service-version': '2020-01-01' } },
    'respond',
    { path: reward },
  ],
  ['a body that is no JSON', { method: 'PATCH', path: reward, body: '{"a' }, 'error'],
  [
    'another media type',
    { method: 'PATCH', path: reward, body: 'x', headers: { 'content-type': 'text/plain' } },
    'respond',
  ],
  [
    'too many requests',
    { path: reward, headers: { 'x-sandbox-scenario': 'rate-limited' } },
    'error',
    { path: reward },
  ],
  [
    'no service',
    { path: reward, headers: { 'x-sandbox-scenario': 'unavailable' } },
    'error',
    { path: reward },
  ],
  [
    'a revoked key',
    { path: reward, headers: { 'x-sandbox-scenario': 'key-revoked' } },
    'respond',
    { path: reward },
  ],
  [
    'a page of a gateway',
    { path: reward, headers: { 'x-sandbox-scenario': 'html-gateway-error' } },
    'respond',
    { path: reward },
  ],
  [
    'fields that nobody knows',
    { path: reward, headers: { 'x-sandbox-scenario': 'unknown-fields' } },
    'respond',
    { path: reward },
  ],
]

const fixtures = [
  'default',
  {
    rewards: [
      {
        id: 'rwd_big',
        customer_id: 'cus_ada',
        status: 'PENDING',
        amount: 5,
        metadata: { odd: '"\\\n\u2028é😀<b>' },
      },
    ],
  },
]

describe('a scenario that makes an answer again', () => {
  it.each(answers)('%s', async (_what, sent, effect, like = sent) => {
    const { sandbox, entryOf, ask, points } = await lookedAt({ fixtures })
    const first = await entryOf(sent)
    const text = asScenario(first, points) ?? ''
    const { name, rules } = JSON.parse(text) as { name: string; rules: { effect: object | string }[] }
    const [{ effect: written = '' } = {}] = rules
    expect(typeof written === 'string' ? written : Object.keys(written)[0]).toBe(effect)

    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: text }
    expect(await ask('/scenarios', init)).toMatchObject({ name })
    // The change of the first call must not affect the second.
    sandbox.requests.clear()
    await sandbox.scenarios.activate(name as 'slow')
    const again = await entryOf(like)
    expect(again.scenario_rules).toEqual([`${name}#1`])
    expect({ status: again.status, body: again.response.body }).toEqual({
      status: first.status,
      body: first.response.body,
    })
    const { 'content-type': type, 'x-service-version': version, 'retry-after': wait } = first.response.headers
    expect([again.response.headers['content-type'], again.response.headers['retry-after']]).toEqual([
      type,
      wait,
    ])
    expect(again.response.headers['x-service-version']).toBe(version)
  })

  it.each(['reset', 'hang', 'truncated', 'commit-but-answer-lost'])('%s', async (scenario) => {
    const { sandbox, last, points } = await lookedAt()
    const call: Sent = { method: 'POST', path: '/v2/transaction_intents', body: intent }
    await sandbox.scenarios.activate(scenario as 'slow')
    const init = {
      method: 'POST',
      headers: { authorization: 'Bearer sk_sandbox_full', 'content-type': 'application/json' },
      body: JSON.stringify(intent),
    }
    const lose = async (): Promise<void> => {
      const client = new AbortController()
      const calls = sandbox.requests.list().length
      const lost = sandbox
        .fetch(call.path, { ...init, signal: client.signal })
        .then((response) => response.text())
        .catch(() => undefined)
      // A call that hangs is reported when it begins to; aborting it earlier would send nothing.
      while (sandbox.requests.list().length === calls) await new Promise(setImmediate)
      if (scenario === 'hang') client.abort()
      await lost
    }
    await lose()
    const first = await last()
    const made = scenarioOf(first, points)
    if (!('scenario' in made)) throw new Error(made.whyNot)
    await sandbox.scenarios.register(made.scenario)
    await sandbox.scenarios.activate(made.scenario.name as 'slow')
    await lose()
    const again = await last()
    expect(again.outcome).toBe('fault')
    expect(again.explanation.sections.find(({ about }) => about === 'connection')).toEqual(
      first.explanation.sections.find(({ about }) => about === 'connection'),
    )
  })

  it('acts on the row of the call alone', async () => {
    const { entryOf, points } = await lookedAt()
    const made = scenarioOf(await entryOf({ path: statements }), points)
    expect(made).toMatchObject({
      scenario: {
        name: 'list-statements-200',
        description: 'Answers listStatements like req_default_1: 200.',
        rules: [
          { on: 'listStatements', when: { params: { customer_id: 'cus_ada', account_id: 'acct_ada' } } },
        ],
      },
    })
  })

  it('is none for a path that no operation has', async () => {
    const { entryOf, points } = await lookedAt()
    const entry = await entryOf({ path: '/v2/nope' })
    expect(asScenario(entry, points)).toBeUndefined()
    expect(scenarioOf(entry, points)).toEqual({
      whyNot: 'A scenario applies to operations, and this path belongs to none: use a stub.',
    })
  })

  it('is none for an answer of which the journal has the beginning', async () => {
    const { sandbox, entryOf, points } = await lookedAt()
    sandbox.state.patch('customers', 'cus_ada', { first_name: 'x'.repeat(70_000) })
    expect(
      scenarioOf(await entryOf({ path: '/v2/customers?partner_customer_id=partner-ada' }), points),
    ).toEqual({
      whyNot: 'The journal has only the beginning of this answer, so a scenario cannot repeat it.',
    })
  })

  it('is none for what scenario files take for templates', async () => {
    const { sandbox, entryOf, points } = await lookedAt()
    sandbox.state.patch('rewards', 'rwd_ada_pending', { metadata: { note: 'Dear {{name}}' } })
    expect(scenarioOf(await entryOf({ path: reward }), points)).toEqual({
      whyNot: 'The answer holds {{, ${ or <%, which a scenario file would read as a template.',
    })
  })
})
