import { describe, expect, it } from 'vitest'
import {
  createSandbox,
  explanationText,
  type Explanation,
  type Sandbox,
  type SandboxOptions,
} from '../../src/index.ts'
import { basic, fullKey, testNow } from '../helpers/sandbox.ts'

/** A call, in the words that an explanation needs. */
interface Sent {
  key?: string | null
  headers?: Record<string, string>
  json?: unknown
  body?: string
}

type Send = (method: string, path: string, sent?: Sent) => Promise<void>

/** A situation whose last call is explained. */
interface Situation {
  options?: SandboxOptions
  act: (send: Send, sandbox: Sandbox) => Promise<unknown>
}

/** The explanation of the last call of a situation. */
async function explained({ options, act }: Situation): Promise<Explanation> {
  await using sandbox = await createSandbox({ clock: testNow, frozen: true, ...options })
  let last = ''
  await act(async (method, path, { key = fullKey, headers = {}, json, body } = {}) => {
    const sent = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
    const content = json === undefined ? body : JSON.stringify(json)
    const init = { method, headers: sent, ...(content === undefined ? {} : { body: content }) }
    const answer = await sandbox.fetch(path, init).catch(() => undefined)
    // A call that was lost has no answer to tell its id.
    last = answer?.headers.get('x-sandbox-request-id') ?? sandbox.requests.list()[0]?.id ?? ''
  }, sandbox)
  const [, workspace = ''] = /^req_(.+)_\d+$/.exec(last) ?? []
  const explanation = sandbox.workspace(workspace).requests.explain(last)
  if (!explanation) throw new Error(`the journal does not hold '${last}'`)
  return explanation
}

const intents = '/v2/transaction_intents'
const intent = { customer_id: 'cus_ada', amount: 1250, currency: 'USD' }
const reward = '/v2/rewards/rwd_ada_pending'

describe('a page', () => {
  const list = (path: string): Situation => ({ act: (send) => send('GET', path) })

  it.each([
    [
      '/v2/customers',
      'searchCustomers answered 200: 10 of 26, more to come.',
      /of mk_summit.*\(10 of 26, more to come\)/,
    ],
    ['/v2/customers?limit=100', 'searchCustomers answered 200: 26 of 26.', /\(26 of 26\)/],
    [
      '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=2',
      'listStatements answered 200: 2 rows, more to come.',
      /\(2 rows, more to come\)/,
    ],
  ])('%s -> how much of its list it has, not how many rows were read', async (path, summary, read) => {
    const explanation = await explained(list(path))
    expect(explanation.summary).toBe(summary)
    expect(explanationText(explanation)).toMatch(read)
  })

  it('the callback for each answer gets the same', async () => {
    const reasons: unknown[] = []
    await using sandbox = await createSandbox({}, { onAnswer: (_entry, reason) => reasons.push(reason) })
    const { fetch } = sandbox.workspace('w')
    for (const path of ['/v2/customers', '/v2/rewards/rwd_ada_pending', '/v2/rewards/none']) await fetch(path)
    expect(reasons).toEqual(['10 of 26, more to come', undefined, 'No reward has this reward_id.'])
  })
})

/** A rule that nearly fits, and one for another operation. */
const nearly = {
  name: 'nearly',
  description: 'Fits other calls.',
  rules: [
    {
      on: 'createTransactionIntent',
      when: {
        headers: { 'x-run': 'ci-*' },
        key: 'key_full',
        body: { customer_id: 'cus_ben', metadata: { order: 'A-*' } },
      },
      effect: 'unauthenticated',
    },
    { on: ['updateReward', 'retrieveReward'], effect: 'not_found' },
  ],
}

const situations: Record<string, Situation> = {
  'a success: basic authentication, a version and a product by header, a row that was changed before': {
    options: { assume: { link_replaces: 'replace' } },
    act: async (send) => {
      await send('POST', '/v2/customers/cus_hana/link', {
        key: 'sk_sandbox_multi.w1',
        headers: { 'x-service-merchant-key': 'mk_harbor' },
        json: { partner_customer_id: 'p-1' },
      })
      await send('POST', '/v2/customers/cus_hana/link', {
        headers: {
          ...basic('key_multi.w1', 'secret_multi'),
          'x-service-version': '2025-05-05',
          'x-service-merchant-key': 'mk_harbor',
        },
        json: { partner_customer_id: 'p-2' },
      })
    },
  },
  'a link of a customer who is linked already': {
    act: async (send) => {
      await send('POST', '/v2/customers/cus_ben/link', { json: { partner_customer_id: 'p-1' } })
      await send('POST', '/v2/customers/cus_ben/link', { json: { partner_customer_id: 'p-2' } })
    },
  },
  'a version conflict': {
    act: (send) => send('GET', '/v2/customers', { headers: { 'x-service-version': '2025-5-5' } }),
  },
  'a version that only sandboxes have': {
    options: { environment: 'production' },
    act: (send) =>
      send('GET', '/v2/customers', { key: 'sk_production_full', headers: { 'x-service-version': 'latest' } }),
  },
  'a scope refusal': {
    act: (send) =>
      send('GET', '/v2/customers/cus_ada/accounts/acct_ada/statements', {
        key: 'sk_sandbox_without_account_read',
      }),
  },
  'a scope that a scenario took away': {
    options: { scenarios: ['scope-missing-order-write'] },
    act: (send) => send('DELETE', '/v2/order_events/ord_ada_1'),
  },
  'a scope omission': {
    act: (send) =>
      send('GET', '/v2/payment_methods/pm_ada_card', { key: 'sk_sandbox_without_pci_details_read' }),
  },
  'a scope omission in a list': {
    act: (send) =>
      send('POST', '/v2/payment_methods', { key: 'sk_sandbox_none', json: { customer_id: 'cus_ada' } }),
  },
  'a scenario that almost fits': {
    options: { scenarios: [nearly] },
    act: (send) => send('POST', intents, { json: { ...intent, metadata: { order: 'B-1' } } }),
  },
  'a scenario that is for later calls': {
    options: { scenarios: ['reward-vanishes'] },
    act: (send) => send('GET', reward),
  },
  'a scenario that acted': {
    options: { scenarios: ['reward-vanishes'] },
    act: async (send) => {
      await send('GET', reward)
      await send('GET', reward)
    },
  },
  'a scenario that changed the row before the call': {
    options: { scenarios: ['reward-settled-before-update'] },
    act: (send) => send('PATCH', reward, { json: { status: 'DEDUCTED' } }),
  },
  'a transport fault after the commit': {
    options: { scenarios: ['commit-but-answer-lost'] },
    act: (send) => send('POST', intents, { json: intent }),
  },
  'an unknown route: no /v2, a misspelt word, a slash at the end': {
    act: (send) => send('GET', '/customers/cus_ada/reward-balance/'),
  },
  'an unknown route: capital letters': { act: (send) => send('GET', '/v2/Rewards/rwd_1') },
  'an unknown route: like none': { act: (send) => send('GET', '/v2/webhooks') },
  'a wrong method': { act: (send) => send('DELETE', reward) },
  'rules of the body that failed': {
    act: (send) => send('POST', intents, { json: { customer_id: 5, amount: '12', currency: 'usd' } }),
  },
  'a body of another media type': {
    act: (send) =>
      send('POST', intents, {
        body: 'amount=1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
  },
  'not found under another product': { act: (send) => send('GET', '/v2/rewards/rwd_hana_pending') },
  'not found under another customer': {
    act: (send) => send('GET', '/v2/customers/cus_ada/accounts/acct_carla/statements'),
  },
  'not found in this workspace': {
    act: async (send) => {
      await send('POST', intents, { key: `${fullKey}.w1`, json: intent })
      await send('GET', `${intents}/int_352762n9zaqn`)
    },
  },
  'a deleted row': {
    act: async (send) => {
      await send('DELETE', '/v2/order_events/ord_ada_1')
      await send('DELETE', '/v2/order_events/ord_ada_1')
    },
  },
  'a state that forbids the call': {
    act: async (send) => {
      await send('PATCH', reward, { json: { status: 'AVAILABLE' } })
      await send('PATCH', reward, { json: { amount: 1 } })
    },
  },
  'an answer that rests on assumptions': {
    act: (send) =>
      send('POST', intents, { json: { ...intent, amount: 0 }, headers: { 'idempotency-key': 'k-1' } }),
  },
  'an idempotency key under another assumption': {
    options: { assume: { idempotency_key: 'refused' } },
    act: (send) => send('POST', intents, { json: intent, headers: { 'idempotency-key': 'k-1' } }),
  },
  'no product selected': { act: (send) => send('GET', '/v2/customers', { key: 'sk_sandbox_multi' }) },
  'no credential': { act: (send) => send('GET', '/v2/customers?api_key=sk_sandbox_full', { key: null }) },
  'a key of the other environment': { act: (send) => send('GET', reward, { key: 'sk_production_full' }) },
  'a key id with a wrong secret': {
    act: (send) => send('GET', reward, { headers: basic('key_full', 'secret_none') }),
  },
}

it('whole explanations are as recorded (vitest -u writes them: read each change)', async () => {
  const texts: string[] = []
  for (const [name, situation] of Object.entries(situations)) {
    texts.push(`=== ${name}\n${explanationText(await explained(situation))}\n`)
  }
  await expect(texts.join('\n')).toMatchFileSnapshot('explanations.txt')
})

/** The reason of an answer, in one sentence. */
const summaryOf = async (situation: Situation): Promise<string> => (await explained(situation)).summary

const factsOf = async (situation: Situation, about: string): Promise<unknown> =>
  (await explained(situation)).sections.find((section) => section.about === about)?.facts

describe('credentials that are none', () => {
  const howTo =
    'Send Authorization: Bearer API_KEY, or Basic with base64 of "API_KEY:" or "KEY_ID:KEY_SECRET".'
  const sent = (headers: Record<string, string>, options: SandboxOptions = {}): Situation => ({
    options,
    act: (send) => send('GET', reward, { key: null, headers }),
  })
  const bearer = (key: string, options: SandboxOptions = {}): Situation => ({
    options,
    act: (send) => send('GET', reward, { key }),
  })

  it.each<[string, Situation, string]>([
    ['nothing', sent({}), 'No credential was sent: there is no Authorization header.'],
    [
      'a bare key',
      sent({ authorization: fullKey }),
      `The Authorization header could not be read: This is not a credential. ${howTo}`,
    ],
    [
      'another scheme',
      sent({ authorization: `Token ${fullKey}` }),
      `The Authorization header could not be read: This is not a credential. ${howTo}`,
    ],
    [
      'no base64',
      sent({ authorization: 'Basic ???' }),
      `The Authorization header could not be read: The Basic credential is not base64. ${howTo}`,
    ],
    [
      'no colon',
      sent({ authorization: `Basic ${Buffer.from(fullKey).toString('base64')}` }),
      'The Authorization header could not be read: The Basic credential has no colon: add ":" after the API key before encoding it.',
    ],
    ['an unknown key', bearer('nobody'), 'No key here matches the one that was sent.'],
    [
      'a misspelt key',
      bearer('sk_sandbox_ful'),
      'No key here matches the one that was sent; it is nearly that of key_full.',
    ],
    [
      'a misspelt key of a new workspace',
      bearer('sk_sandbox_ful.w9'),
      'No key here matches the one that was sent; it is nearly that of key_full; workspace w9 does not exist, so only keys of the start are valid in it.',
    ],
    [
      'a key id alone',
      bearer('key_full'),
      'key_full is a key id, which is no credential without its secret: send its API key, or Basic KEY_ID:KEY_SECRET.',
    ],
    [
      'a key id with an empty secret',
      sent(basic('key_full.w1')),
      'key_full is a key id, which is no credential without its secret: send its API key, or Basic KEY_ID:KEY_SECRET.',
    ],
    [
      'a wrong secret in a workspace',
      sent(basic('key_full.w1', 'x')),
      'The secret is not that of key id key_full.',
    ],
    [
      'a production key, by its id and secret',
      sent(basic('key_production_full', 'secret_production_full')),
      'key_production_full is a key of environment production, and this sandbox is environment sandbox.',
    ],
    [
      'a sandbox key in production',
      bearer(fullKey, { environment: 'production' }),
      'key_full is a key of environment sandbox, and this sandbox is environment production.',
    ],
    [
      'a suffix that can name no workspace',
      bearer(`${fullKey}.w/1`),
      'The key of key_full does not end in a valid workspace name: a name is 1 to 64 of A-Z, a-z, 0-9, _ and -.',
    ],
    [
      'a suffix that is too long',
      bearer(`${fullKey}.${'w'.repeat(65)}`),
      'The key of key_full does not end in a valid workspace name: a name is 1 to 64 of A-Z, a-z, 0-9, _ and -.',
    ],
    [
      'a key that was removed',
      {
        act: async (send, sandbox) => {
          sandbox.state.delete('api_keys', 'key_none')
          await send('GET', reward, { key: 'sk_sandbox_none' })
        },
      },
      'The key key_none existed at start, but is no longer in workspace default.',
    ],
    [
      'a key that was removed from a workspace',
      {
        act: async (send, sandbox) => {
          sandbox.workspace('w1').state.delete('api_keys', 'key_none')
          await send('GET', reward, { key: 'sk_sandbox_none.w1' })
        },
      },
      'The key key_none existed at start, but is no longer in workspace w1.',
    ],
    [
      'a key that was made in another workspace',
      {
        act: async (send, sandbox) => {
          const answer = await sandbox.workspace('w1').fetch('/v2/keys', { method: 'POST' })
          const { key } = (await answer.json()) as { key: string }
          await send('GET', reward, { key: key.replace('.w1', '') })
        },
      },
      expect.stringMatching(
        /^No key here matches the one that was sent; it is key_\w{12} of workspace w1: end it in \.w1\.$/,
      ),
    ],
    [
      'a key of another workspace than the one that the call came through',
      {
        act: async (send, sandbox) => {
          await sandbox.workspace('w1').fetch(reward, { headers: { authorization: `Bearer ${fullKey}.w2` } })
          await send('GET', reward)
        },
      },
      'retrieveReward answered 200.',
    ],
  ])('%s', async (_, situation, summary) => {
    expect(await summaryOf(situation)).toEqual(summary)
  })

  it('a key that names another workspace than the one that the call came through', async () => {
    await using sandbox = await createSandbox()
    const w1 = sandbox.workspace('w1')
    await w1.fetch(reward, { headers: { authorization: `Bearer ${fullKey}.w2` } })
    expect(w1.requests.explain('req_w1_1')).toMatchObject({
      summary: 'The key of key_full names workspace w2, and the call came through workspace w1.',
      sections: [
        {},
        {
          about: 'key',
          facts: [
            { name: 'problem', value: 'other_workspace' },
            { name: 'key', value: 'key_full' },
            { name: 'workspace', value: 'w2' },
            { name: 'environment', value: 'sandbox' },
          ],
        },
        {},
      ],
    })
  })

  it('tells no secret, whatever was sent', async () => {
    for (const situation of [
      bearer('sk_sandbox_ful'),
      sent(basic('key_full', 'secret_non')),
      bearer(`${fullKey}.w/1`),
    ]) {
      expect(JSON.stringify(await explained(situation))).not.toMatch(/sk_sandbox|secret_(full|non)/)
    }
  })
})

describe('keys that are good', () => {
  it.each<[string, Sent, object[]]>([
    [
      'Bearer',
      {},
      [
        { value: 'key_full', note: 'sent as Bearer API_KEY' },
        { value: 'default', note: 'the key names no other' },
      ],
    ],
    [
      'Basic with the key',
      { headers: basic(fullKey) },
      [{ note: 'sent as Basic API_KEY:' }, { value: 'default' }],
    ],
    [
      'Basic with the key id',
      { headers: basic('key_full', 'secret_full') },
      [{ note: 'sent as Basic KEY_ID:KEY_SECRET' }, {}],
    ],
    [
      'a suffix',
      { key: `${fullKey}.w3` },
      [{ value: 'key_full' }, { value: 'w3', note: 'named by the suffix of the key' }],
    ],
    [
      'the suffix of default',
      { key: `${fullKey}.default` },
      [{}, { value: 'default', note: 'named by the suffix of the key' }],
    ],
  ])('%s', async (_, sent, [key, workspace]) => {
    expect(await factsOf({ act: (send) => send('GET', reward, sent) }, 'key')).toMatchObject([
      { name: 'key', ...key },
      { name: 'environment', value: 'sandbox' },
      { name: 'workspace', ...workspace },
    ])
  })

  it("a workspace's own door", async () => {
    await using sandbox = await createSandbox()
    const w1 = sandbox.workspace('w1')
    await w1.fetch(reward, { headers: { authorization: `Bearer ${fullKey}` } })
    expect(w1.requests.explain('req_w1_1')?.sections[1]?.facts.at(-1)).toEqual({
      name: 'workspace',
      value: 'w1',
      note: "the call came through the workspace's own fetch",
    })
  })
})

describe('versions that are refused', () => {
  const has = 'is not supported in environment sandbox, which has 2025-05-05, 2026-10-13 and latest'
  it.each([
    ['', `x-service-version '' ${has}; omit the header for the saved version.`],
    ['Latest', `x-service-version 'Latest' ${has}; the nearest is latest.`],
    ['1', `x-service-version '1' ${has}.`],
    ['2026-10-13, 2026-10-13', `x-service-version '2026-10-13, 2026-10-13' ${has}.`],
  ])('%j', async (version, summary) => {
    const act: Situation['act'] = (send) => send('GET', reward, { headers: { 'x-service-version': version } })
    expect(await summaryOf({ act })).toBe(summary)
  })

  it('by a scenario: what it left', async () => {
    const situation: Situation = {
      options: { scenarios: ['version-sunset-2025-05-05'] },
      act: (send) => send('GET', reward, { headers: { 'x-service-version': '2025-05-05' } }),
    }
    expect(await summaryOf(situation)).toBe(
      'Scenario rule version-sunset-2025-05-05#1 answered 400 (unsupported_version: {"supported":["2026-10-13","latest"]}), on call 1 since the scenario was switched on, of calls "1..".',
    )
    expect(await factsOf(situation, 'version')).toEqual([
      { name: 'version', value: '2025-05-05', note: 'the request header x-service-version' },
      { name: 'saved', value: '2026-10-13' },
      { name: 'supported', value: ['2026-10-13', 'latest'], note: 'as a scenario has it' },
    ])
  })

  it('the saved version is that of the call, also once it was changed', async () => {
    const situation: Situation = {
      act: async (send, sandbox) => {
        await send('GET', reward)
        sandbox.state.patch('account', 'account', { saved_version: { sandbox: '2025-05-05' } })
      },
    }
    expect(await factsOf(situation, 'version')).toMatchObject([{ name: 'version', value: '2026-10-13' }])
  })
})

describe('rows that were not there', () => {
  const read =
    (id: string): Situation['act'] =>
    (send) =>
      send('GET', `/v2/rewards/${id}`)
  it.each<[string, Situation, string]>([
    [
      'never',
      { act: read('xyz') },
      "There was no reward 'xyz': no reward had this id since the journal began.",
    ],
    [
      'misspelt',
      { act: read('rwd_ada_pendin') },
      "There was no reward 'rwd_ada_pendin': no reward has this id; the nearest is 'rwd_ada_pending'.",
    ],
    [
      'of another kind',
      { act: read('cus_ada') },
      "There was no reward 'cus_ada': it is the id of a customer, not of a reward.",
    ],
    [
      'created later by a request',
      {
        act: async (send, sandbox) => {
          await send('GET', `${intents}/int_1mavfg50541m`)
          await sandbox.fetch(intents, {
            method: 'POST',
            headers: { authorization: `Bearer ${fullKey}`, 'content-type': 'application/json' },
            body: JSON.stringify(intent),
          })
        },
      },
      "There was no transaction intent 'int_1mavfg50541m': it was created later, by req_default_2 (createTransactionIntent).",
    ],
    [
      'put there later by hand',
      {
        act: async (send, sandbox) => {
          await send('GET', '/v2/rewards/rwd_new')
          sandbox.state.put('rewards', 'rwd_new', {
            customer_id: 'cus_ada',
            amount: 1,
            type: 'OFFER',
            status: 'PENDING',
          })
        },
      },
      "There was no reward 'rwd_new': it was added later, but not by a request of the journal.",
    ],
    [
      'deleted by hand',
      {
        act: async (send, sandbox) => {
          sandbox.state.delete('rewards', 'rwd_ada_pending')
          await send('GET', reward)
        },
      },
      "There was no reward 'rwd_ada_pending': it existed at the start and was deleted, but not by a request that is still in the journal.",
    ],
    [
      'deleted by a scenario during the call',
      {
        options: {
          scenarios: [
            {
              name: 'gone',
              description: 'd',
              rules: [{ on: 'retrieveReward', effect: { change: { rewards: { $reward_id: null } } } }],
            },
          ],
        },
        act: (send) => send('GET', reward),
      },
      "There was no reward 'rwd_ada_pending': it was deleted by a scenario during req_default_1.",
    ],
    [
      'deleted by a scenario after an earlier call',
      {
        options: {
          scenarios: [
            {
              name: 'gone',
              description: 'd',
              rules: [
                {
                  on: 'retrieveReward',
                  calls: '1',
                  effect: { change: { rewards: { $reward_id: null } }, at: 'after' },
                },
              ],
            },
          ],
        },
        act: async (send) => {
          await send('GET', reward)
          await send('GET', reward)
        },
      },
      "There was no reward 'rwd_ada_pending': it was deleted by a scenario during req_default_1.",
    ],
    [
      'deleted twice, and made again between',
      {
        act: async (send, sandbox) => {
          const event = { customer_id: 'cus_ada' }
          await send('DELETE', '/v2/order_events/ord_ada_1')
          sandbox.state.put('order_events', 'ord_ada_1', event)
          await send('DELETE', '/v2/order_events/ord_ada_1')
          await send('DELETE', '/v2/order_events/ord_ada_1')
        },
      },
      "There was no order event 'ord_ada_1': it was deleted by req_default_2 (deleteOrderEvent).",
    ],
    [
      'in several other workspaces',
      {
        act: async (send, sandbox) => {
          for (const name of ['a', 'b', 'c', 'd']) {
            const row = { customer_id: 'cus_ada', amount: 1, type: 'OFFER', status: 'PENDING' } as const
            sandbox.workspace(name).state.put('rewards', 'rwd_new', row)
          }
          await send('GET', '/v2/rewards/rwd_new')
        },
      },
      "There was no reward 'rwd_new': it is in workspaces a, b, c and others.",
    ],
    [
      'a customer of another product',
      { act: (send) => send('GET', '/v2/customers/cus_hana/rewards_balance') },
      "The customer 'cus_hana' exists, but it is in product 'mk_harbor', and the call is for 'mk_summit'.",
    ],
    [
      'a payment method of another customer',
      {
        act: (send) =>
          send('POST', intents, {
            json: { ...intent, customer_id: 'cus_ben', payment_method_id: 'pm_ada_card' },
          }),
      },
      "The payment method 'pm_ada_card' exists, but it belongs to customer 'cus_ada', not to the one of the call.",
    ],
    [
      'an id that would break a line',
      { act: read('a%0Ab%C3%A9') },
      "There was no reward 'a?b?': no reward had this id since the journal began.",
    ],
    [
      'a very long id',
      { act: read('x'.repeat(5_000)) },
      `There was no reward '${'x'.repeat(99)}…': no reward had this id since the journal began.`,
    ],
  ])('%s', async (_, situation, summary) => {
    expect(await summaryOf(situation)).toBe(summary)
  })
})

describe('what scenarios did', () => {
  const rules = (...list: object[]): SandboxOptions => ({
    scenarios: [{ name: 'armed', description: 'd', rules: list }],
  })
  it.each<[string, SandboxOptions, Situation['act'], string]>([
    [
      'refused the key',
      { scenarios: ['key-revoked'] },
      (send) => send('GET', reward),
      'Scenario rule key-revoked#1 answered 401 (unauthenticated), on call 1 since the scenario was switched on, of calls "1..".',
    ],
    [
      'made up an answer',
      rules({ on: '*', off_contract: true, effect: { respond: { status: 418 } } }),
      (send) => send('GET', reward),
      'Scenario rule armed#1 answered 418 (respond: {"status":418}), on call 1 since the scenario was switched on, of calls "1..".',
    ],
    [
      'listed violations',
      rules({ on: '*', effect: { invalid: ['amount: must be odd'] } }),
      (send) => send('GET', reward),
      'Scenario rule armed#1 answered 400 (invalid: ["amount: must be odd"]), on call 1 since the scenario was switched on, of calls "1..".',
    ],
    [
      'two rules would have ended it: the first did',
      rules(
        { on: '*', calls: '2', effect: 'unauthenticated' },
        { on: '*', effect: { error: 'RATE_LIMIT_ERROR' } },
        { on: '*', effect: 'unauthenticated' },
      ),
      (send) => send('GET', reward),
      'Scenario rule armed#2 answered 429 (error: RATE_LIMIT_ERROR), on call 1 since the scenario was switched on, of calls "1..".',
    ],
    [
      'lost the answer before anything happened',
      { scenarios: ['reset'] },
      (send) => send('POST', intents, { json: intent }),
      'Scenario rule reset#1 broke the connection (reset) before the commit: the client got no answer, and nothing was written.',
    ],
    [
      'lost a refusal',
      rules({ on: '*', effect: { transport: 'empty', at: 'after' } }),
      (send) => send('POST', intents, { key: 'sk_sandbox_none', json: intent }),
      'Scenario rule armed#1 broke the connection (empty) after the commit: the client got no answer instead of a 403, and nothing was written.',
    ],
    [
      'truncated an answer without a body',
      { scenarios: ['truncated'] },
      (send) => send('DELETE', '/v2/order_events/ord_ada_1'),
      'Scenario rule truncated#1 broke the connection (truncate) after the commit: the client got no answer instead of a 204, and its writes were committed.',
    ],
    [
      'dripped a refusal',
      rules({ on: '*', effect: { transport: { drip: { bytes_per_second: 1_000_000 } } } }),
      (send) => send('POST', intents, { json: {} }),
      'Scenario rule armed#1 broke the connection (drip of 1000000 bytes per second) after the commit: the client got a broken 400, and nothing was written.',
    ],
    [
      'acted without ending the call',
      { scenarios: ['unknown-fields'] },
      (send) => send('GET', reward),
      'retrieveReward answered 200; scenario rule unknown-fields#1 acted on it.',
    ],
    [
      'took a scope away that leaves fields out',
      { scenarios: ['scope-missing-pci-details-read'] },
      (send) => send('GET', '/v2/payment_methods/pm_ada_card'),
      'retrievePaymentMethod answered 200 without card.pci_details, as a scenario took PCI_DETAILS_READ away; scenario rule scope-missing-pci-details-read#1 acted on it.',
    ],
    [
      'nothing, as the header names none',
      {},
      (send) => send('GET', reward, { headers: { 'x-sandbox-scenario': 'slo' } }),
      "x-sandbox-scenario: unknown scenario 'slo', did you mean 'slow'?",
    ],
  ])('%s', async (_, options, act, summary) => {
    expect(await summaryOf({ options, act })).toBe(summary)
  })

  it('a call that was lost before anything happened has no answer', async () => {
    const situation: Situation = { options: { scenarios: ['reset'] }, act: (send) => send('GET', reward) }
    expect(await factsOf(situation, 'call')).toEqual([
      { name: 'request', value: 'GET /v2/rewards/rwd_ada_pending' },
      { name: 'operation', value: 'retrieveReward' },
      { name: 'answer', value: 'lost', note: 'fault' },
    ])
  })

  it('everything that a call met, rule by rule', async () => {
    const situation: Situation = {
      options: rules(
        { on: 'retrieveReward', when: { product: 'mk_harbor' }, effect: 'not_found' },
        { on: 'retrieveReward', calls: 'every 2', effect: 'not_found' },
        {
          on: 'retrieveReward',
          calls: '1..3',
          effect: [{ latency: 3 }, { rewrite: [{ op: 'remove', path: '/none' }] }],
        },
        { on: '*', effect: { rewrite: 'new_enum_values' } },
        { on: 'retrieveReward', effect: { change: { rewards: { $reward_id: { customer_id: 'cus_x' } } } } },
        { on: 'updateReward', effect: 'not_found' },
        { on: 'retrieveReward', calls: '1%', effect: 'not_found' },
        { on: 'retrieveReward', calls: '100%', effect: { latency: 1 } },
      ),
      act: (send) => send('GET', reward, { headers: { 'x-sandbox-scenario': 'unknown-fields' } }),
    }
    expect(await factsOf(situation, 'scenarios')).toEqual([
      { name: 'active', value: ['unknown-fields', 'armed'] },
      {
        name: 'unknown-fields#1',
        value: 'acted',
        note: 'call 1 with x-sandbox-scenario since the last reset, of calls "1..": rewrite: unknown_fields',
      },
      { name: 'armed#1', value: 'did not fit', note: "product is 'mk_summit', the rule expects 'mk_harbor'" },
      {
        name: 'armed#2',
        value: 'did not act',
        note: 'it was call 1 since the scenario was switched on, and the rule applies to calls "every 2"',
      },
      {
        name: 'armed#3',
        value: 'acted',
        note: 'call 1 since the scenario was switched on, of calls "1..3": latency: 3, rewrite: [{"op":"remove","path":"/none"}]',
      },
      {
        name: 'armed#4',
        value: 'acted',
        note: 'call 1 since the scenario was switched on, of calls "1..": rewrite: new_enum_values',
      },
      {
        name: 'armed#5',
        value: 'acted',
        note: 'call 1 since the scenario was switched on, of calls "1..": change: {"rewards":{"$reward_id":{"customer_id":"cus_x"}}}',
      },
      { name: 'armed#6', value: 'did not apply', note: 'it is for updateReward, not for retrieveReward' },
      {
        name: 'armed#7',
        value: 'did not act',
        note: 'it was call 1 since the scenario was switched on, and the rule applies to 1% of the calls, chosen by the seed',
      },
      {
        name: 'armed#8',
        value: 'acted',
        note: 'call 1 since the scenario was switched on, of 100% of the calls, chosen by the seed: latency: 1',
      },
      { name: 'waited_ms', value: 4 },
      {
        name: 'not_done',
        value: [
          expect.stringMatching(/^change: .*customer_id: no customer has the id 'cus_x'/),
          'rewrite: the JSON Patch does not fit the body',
          'rewrite: only latest may have new values',
        ],
      },
    ])
  })

  it('a rule that asks for a parameter that an assumption calls otherwise', async () => {
    const situation: Situation = {
      options: {
        ...rules({ on: 'searchCustomers', when: { query: { limit: '3' } }, effect: 'unauthenticated' }),
        assume: { customers_page_size_parameter: 'page_size' },
      },
      act: (send) => send('GET', '/v2/customers?page_size=5'),
    }
    expect(await summaryOf(situation)).toBe(
      "searchCustomers answered 200: 5 of 26, more to come; scenario rule armed#1 did not act: query.page_size is '5', the rule expects '3'.",
    )
  })

  it('counts are those of the call, also once there were more', async () => {
    const situation: Situation = {
      options: { scenarios: ['reward-vanishes'] },
      act: async (send, sandbox) => {
        await send('GET', reward)
        for (let count = 0; count < 3; count++) {
          await sandbox.fetch(reward, { headers: { authorization: `Bearer ${fullKey}` } })
        }
      },
    }
    expect(await summaryOf(situation)).toContain(
      'it was call 1 since the scenario was switched on, and the rule applies to calls "2.."',
    )
  })
})

describe('everything else', () => {
  it.each<[string, Situation, string]>([
    ['OPTIONS', { act: (send) => send('OPTIONS', reward) }, 'OPTIONS answered 204.'],
    ['HEAD', { act: (send) => send('HEAD', reward) }, 'retrieveReward answered 200.'],
    [
      'one rule of a query',
      { act: (send) => send('GET', '/v2/customers?limit=0') },
      'A rule of searchCustomers failed: limit: must be an integer of at least 1.',
    ],
    [
      'malformed JSON',
      {
        act: (send) => send('POST', intents, { body: '{', headers: { 'content-type': 'application/json' } }),
      },
      'The request body is not valid JSON.',
    ],
    [
      'a product of other keys',
      { act: (send) => send('GET', reward, { headers: { 'x-service-merchant-key': 'mk_harbor' } }) },
      "x-service-merchant-key 'mk_harbor' is a product of other keys; key_full is for mk_summit.",
    ],
    [
      'no product at all',
      { act: (send) => send('GET', reward, { headers: { 'x-service-merchant-key': 'mk_x' } }) },
      "x-service-merchant-key 'mk_x' is no product at all; key_full is for mk_summit.",
    ],
    [
      'a conflict',
      {
        act: (send) =>
          send('POST', '/v2/customers/cus_ben/link', { json: { partner_customer_id: 'partner-ada' } }),
      },
      'Another customer is linked to this partner_customer_id.',
    ],
    [
      'a conflict with the own link',
      {
        act: (send) => send('POST', '/v2/customers/cus_ada/link', { json: { partner_customer_id: 'new' } }),
      },
      'The customer is linked to another partner_customer_id.',
    ],
    [
      'too many workspaces',
      { options: { maxWorkspaces: 0 }, act: (send) => send('GET', reward, { key: `${fullKey}.w1` }) },
      'The limit --max-workspaces is reached. Delete a workspace, or raise the limit.',
    ],
    [
      'a route below --base-url',
      { options: { baseUrl: 'https://gw.example/api' }, act: (send) => send('GET', '/api/v2/reward/rwd_1') },
      "No endpoint is GET /v2/reward/rwd_1; the nearest is GET /v2/rewards/{reward_id}: 'reward' should be 'rewards'.",
    ],
  ])('%s', async (_, situation, summary) => {
    expect(await summaryOf(situation)).toBe(summary)
  })

  it('a page of many rows: each row once, and no more than can be read', async () => {
    const customers = Array.from({ length: 40 }, (_, at) => ({ id: `cus_${at}` }))
    const payment_methods = customers.map(({ id }, at) => ({
      id: `pm_${at}`,
      type: 'CARD' as const,
      customer_id: id,
      card: { last4: '4242', pci_details: { pan: '4242424242424242' } },
    }))
    const facts = await factsOf(
      {
        options: {
          fixtures: { customers, payment_methods },
          assume: { payment_methods_required_filter: 'customer_id_or_pan' },
        },
        act: (send) => send('POST', '/v2/payment_methods', { json: { pan: '4242424242424242' } }),
      },
      'rows',
    )
    expect(facts).toHaveLength(21)
    expect(facts).toMatchObject({
      0: { name: 'read', value: 'payment_methods of ************4242', note: '40 of 40' },
      20: { name: 'read', value: '21 more' },
    })
  })

  it('an id that the journal does not hold -> undefined', async () => {
    await using sandbox = await createSandbox()
    expect(sandbox.requests.explain('req_default_1')).toBeUndefined()
  })
})
