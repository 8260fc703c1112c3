import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, explanationText, type Sandbox } from '../../src/index.ts'
import { samples } from '../setup/samples.ts'

/** Secrets that are planted in requests, and must then stand in nothing that the journal shows. */
const byValue = [
  '4242424242424242',
  '5555 5555 5555 4444',
  '3782-822463-10005',
  'sk_canary_full',
  'sk_canary_full.w1',
  'canary/secret"with\\all',
  'sk_sandbox_0123456789abcdefghjkmnpq',
  'secret_0123456789abcdefghjkmnpq',
]
const named = 'named-canary'
const names = [
  'cvv',
  'CVV',
  'ssn4',
  'Ssn4',
  'authorization',
  'Authorization',
  'cookie',
  'proxy-authorization',
]
const headerNames = names.filter((name) => !/^(cookie|authorization)$/i.test(name))

const key = { id: 'key_canary', api_key: 'sk_canary_full', secret: 'canary/secret"with\\all' }
const authorization = { authorization: 'Bearer sk_canary_full' }

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({
    fixtures: {
      api_keys: [
        {
          ...key,
          scopes: ['TRANSACTION_INTENT_WRITE', 'PCI_DETAILS_READ', 'AUTHORIZED_USER_READ'],
          products: ['mk_summit'],
          environment: 'sandbox',
        },
      ],
      customers: [{ id: 'cus_1', ssn4: '9317', metadata: { note: 'sk_canary_full', cvv: named } }],
      payment_methods: [
        {
          id: 'pm_1',
          type: 'CARD',
          customer_id: 'cus_1',
          card: { last4: '4242', pci_details: { pan: '4242424242424242', cvv: '9317' } },
        },
      ],
    },
  })
})

/** Everything that the journal shows of what it holds, in every form. */
function shown(): string {
  const entries = sandbox.requests.list()
  const explained = entries.map(({ id }) => sandbox.requests.get(id))
  const texts = explained.map((entry) => entry && explanationText(entry.explanation))
  const verified = [
    sandbox.requests.verify({ status: 299 }),
    sandbox.requests.verify({
      body: { a: 'x', cvv: 'y' },
      headers: { 'x-a': 'z' },
      query: { q: 'z' },
      count: 99,
    }),
    sandbox.requests.verify({ in_order: [{}, { status: 299, params: { intent_id: 'x' } }] }),
  ]
  return JSON.stringify([entries, explained, texts, verified, sandbox.requests.har()])
}

/** As the secret stands inside JSON inside JSON, and in a URL. */
const spellings = (secret: string): string[] => {
  const once = JSON.stringify(secret).slice(1, -1)
  return [secret, once, JSON.stringify(once).slice(1, -1), encodeURIComponent(secret)]
}
const canaries = [...byValue, named].flatMap(spellings)

function expectHidden(): void {
  const all = shown()
  for (const canary of canaries) expect(all).not.toContain(canary)
}

const secret = fc.constantFrom(...byValue)
/** Letters and signs around a secret: digits would make another number of a card's. */
const around = fc.string({ unit: fc.constantFrom(...'ab :/&="{'), maxLength: 4 })
const text = fc.oneof(
  fc.tuple(around, secret, around).map((parts) => parts.join('')),
  fc.constantFrom('plain', ''),
)
const field = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'customer_id', 'amount', 'metadata', 'pan', 'x'), text),
  fc.tuple(fc.constantFrom(...names), fc.constantFrom<unknown>(named, [named], { deep: named })),
  fc.tuple(secret, fc.constant<unknown>(1)),
)
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.array(field, { maxLength: 4 }).map((fields) => Object.fromEntries(fields)),
    fc
      .tuple(field, tie('json'))
      .map(([[name, value], inner]) => ({ [name]: value, metadata: inner, list: [inner] })),
  ),
}))

async function send(method: string, path: string, init: RequestInit = {}): Promise<void> {
  const answer = await sandbox.fetch(path, { method, headers: authorization, ...init })
  await answer.text()
}

async function fresh(act: () => Promise<unknown>): Promise<void> {
  sandbox.requests.clear()
  await act()
  expect(sandbox.requests.list().length).toBeGreaterThan(0)
  expectHidden()
}

const jsonHeaders = { ...authorization, 'content-type': 'application/json' }

describe('secrets planted by clients are in nothing that the journal shows', () => {
  it('in bodies that are read, refused and stored, nested and in unknown fields', async () => {
    await fc.assert(
      fc.asyncProperty(
        json,
        fc.constantFrom('/v2/payment_methods', '/v2/transaction_intents', '/v2/keys'),
        (body, path) =>
          fresh(async () => {
            const intent = { customer_id: 'cus_1', amount: 1, currency: 'USD', metadata: body }
            for (const sent of [body, intent]) {
              await send('POST', path, { headers: jsonHeaders, body: JSON.stringify(sent) })
            }
          }),
      ),
      { numRuns: samples(40) },
    )
  })

  it('in bodies that end anywhere, and so are no JSON', async () => {
    await fc.assert(
      fc.asyncProperty(json, fc.double({ min: 0, max: 1, noNaN: true }), (body, share) =>
        fresh(async () => {
          const whole = JSON.stringify({ first: byValue[0], cvv: named, rest: body, last: byValue[3] })
          // An end inside a secret leaves a part of it, which is no secret any more.
          const end = Math.max(whole.indexOf('rest'), Math.floor(whole.length * share))
          await send('POST', '/v2/payment_methods', { headers: jsonHeaders, body: whole.slice(0, end) })
        }),
      ),
      { numRuns: samples(40) },
    )
  })

  it('in headers, queries and paths, under any name', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(...headerNames), (value, name) =>
        fresh(async () => {
          const path = encodeURIComponent(value)
          const query = new URLSearchParams([
            [name, named],
            [value, 'v'],
            ['q', value],
          ])
          const headers = { ...authorization, [name]: named, 'x-a': value, cookie: named }
          await send('GET', `/v2/rewards/${path}?${query}`, { headers })
          await send('GET', `/v2/${path}/nothing?q=${value.replaceAll('"', '')}`, { headers })
          await send('GET', '/v2/customers', { headers: { ...headers, 'x-service-version': value } })
          await send('GET', '/v2/customers', { headers: { ...headers, 'x-service-merchant-key': value } })
          await send('GET', '/v2/customers', { headers: { ...headers, authorization: value } })
          await send('GET', '/v2/customers', { headers: { ...headers, 'x-sandbox-scenario': value } })
        }),
      ),
      { numRuns: samples(40) },
    )
  })

  it('in what scenarios ask for and answer', async () => {
    await sandbox.scenarios.register({
      name: 'canary',
      description: 'Asks for secrets, and answers with some.',
      rules: [
        {
          on: '*',
          when: { headers: { authorization: 'no*', 'x-a': byValue[0] }, key: byValue[3] },
          effect: 'unauthenticated',
        },
        {
          on: 'createTransactionIntent',
          when: { body: { metadata: { cvv: 'x', pan: byValue[0] } } },
          effect: 'unauthenticated',
        },
        {
          on: 'searchCustomers',
          off_contract: true,
          effect: {
            respond: {
              status: 200,
              headers: { 'x-secret': byValue[5] },
              body: { cvv: named, a: byValue[4] },
            },
          },
        },
      ],
    })
    await sandbox.scenarios.activate('canary')
    await fresh(async () => {
      const body = {
        customer_id: 'cus_1',
        amount: 1,
        currency: 'USD',
        metadata: { cvv: named, pan: byValue[1] },
      }
      await send('POST', '/v2/transaction_intents', { headers: jsonHeaders, body: JSON.stringify(body) })
      await send('GET', '/v2/customers')
    })
    await sandbox.scenarios.deactivate()
  })

  it('in rows: cards with their codes, customers, and keys that are made', async () => {
    await fresh(async () => {
      await send('GET', '/v2/payment_methods/pm_1')
      await send('GET', '/v2/customers')
      await send('POST', '/v2/customers/cus_1/link', {
        headers: jsonHeaders,
        body: JSON.stringify({ partner_customer_id: byValue[0] }),
      })
      const made = await sandbox.fetch('/v2/keys', { method: 'POST', headers: authorization })
      const { key: madeKey, secret: madeSecret } = (await made.json()) as Record<string, string>
      await send('GET', '/v2/customers', {
        headers: { authorization: `Bearer ${madeKey}`, 'x-a': madeSecret ?? '' },
      })
      const all = shown()
      for (const canary of [madeKey, madeSecret, '9317']) expect(all).not.toContain(canary)
      expect(all).toContain('************4242')
    })
  })

  it('after the key is gone', async () => {
    const w = sandbox.workspace('gone')
    await w.fetch('/v2/customers', { headers: { 'x-a': 'sk_later' } })
    w.state.put('api_keys', 'key_later', {
      api_key: 'sk_later',
      secret: 'later',
      scopes: [],
      products: ['mk_summit'],
      environment: 'sandbox',
    })
    w.state.delete('api_keys', 'key_later')
    expect(JSON.stringify(w.requests.list())).not.toContain('sk_later')
    w.reset()
    await w.fetch('/v2/customers', { headers: { 'x-a': 'sk_later' } })
    expect(JSON.stringify(w.requests.list())).not.toContain('sk_later')
  })
})

it('answers to the client itself are never masked', async () => {
  const answer = await sandbox.fetch('/v2/payment_methods/pm_1', { headers: authorization })
  expect(await answer.json()).toMatchObject({
    card: { pci_details: { pan: '4242424242424242', cvv: '9317' } },
  })
})

it('what the owner asks to verify is hidden in the answer as well', () => {
  const matcher = { headers: { authorization: 'x', 'x-a': byValue[3] ?? '' }, body: { card: { cvv: named } } }
  const verified = sandbox.requests.verify({ ...matcher, count: 99 })
  expect(verified.holds).toBe(false)
  for (const canary of canaries) expect(JSON.stringify(verified)).not.toContain(canary)
})
