import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askControl } from '../helpers/control.ts'
import { startSandbox, type Answered } from '../helpers/sandbox.ts'
import { anyBody, bytesOf, fields, json, runs, start, withBody } from './hostile-json.ts'
import { samples } from '../setup/samples.ts'

/**
 * Whatever a client sends as a body: never a 5xx, never a hang, always a declared answer, and what is refused
 * changes nothing. Every answer is checked against the OpenAPI document by the helper; a bug of ours throws there.
 */

/** Bodies that are accepted, to put one bad field into. */
const goodBodies: Record<string, Record<string, unknown>> = {
  createTransactionIntent: {
    customer_id: 'cus_ada',
    amount: 4599,
    currency: 'USD',
    payment_method_id: 'pm_ada_card',
    merchant_address: { city: 'Denver' },
    metadata: { a: 1 },
  },
  listPaymentMethods: { customer_id: 'cus_ada', type: 'CARD' },
  linkCustomer: { partner_customer_id: 'partner-new' },
  updateReward: { amount: 1, status: 'AVAILABLE' },
  createApiKey: {},
}

const strict = {
  unknown_body_fields: 'refuse',
  malformed_json_shape: 'A',
  intent_required_fields: 'with_payment_method_and_network_id',
  zero_amount: 'refuse',
  payment_methods_required_filter: 'customer_id',
  not_found_status: 400,
}
const lenient = {
  unsupported_media_type: 'accept',
  negative_amount: 'accept',
  payment_methods_required_filter: 'none',
  payment_methods_unknown_customer: 'empty_list',
  payment_methods_pagination: 'limit_and_starting_after',
  unknown_cursor: 'first_page',
}
const earlier = {
  create_status: 201,
  create_key_status: 201,
  create_key_shape: 'id_key_secret_scopes_created_at',
  link_response: 'customer',
  link_replaces: 'replace',
  link_conflict_type: 'CONFLICT_ERROR',
  payment_methods_required_filter: 'customer_id_or_pan',
  payment_method_fields: 'as_in_the_state',
  reward_deduction_update: 'refused',
}

describe('any body of any endpoint', () => {
  for (const [name, assume] of Object.entries({ 'the defaults': {}, strict, lenient, earlier })) {
    test.each(withBody)(
      `$id under ${name} -> a declared answer below 500; refused, it changes nothing`,
      async (endpoint) => {
        const { send } = await start(assume)
        const refusals = new Set<string>()
        await fc.assert(
          fc.asyncProperty(anyBody, async (body) => {
            const { status, json: answer } = await send(endpoint, body)
            if (status === 400) refusals.add('details' in answer ? 'A' : 'B')
          }),
          runs(100),
        )
        // The body reaches the validation as well as the reading before it.
        const shapes = endpoint.id === 'listPaymentMethods' ? ['A'] : ['A', 'B']
        expect([...refusals].toSorted()).toEqual(shapes)
      },
    )
  }

  test('bodies that are accepted are among them', async () => {
    const { send } = await start(lenient)
    const seen = new Map<string, Set<number>>()
    for (const endpoint of withBody) {
      const good = bytesOf(JSON.stringify(goodBodies[endpoint.id]))
      seen.set(endpoint.id, new Set([(await send(endpoint, good)).status]))
    }
    expect([...seen.values()].map((statuses) => [...statuses])).toEqual([[200], [200], [200], [200], [200]])
  })
})

describe('any value of any field, the rest of the body being good', () => {
  test.each(fields)('$id: $field', async ({ field, ...endpoint }) => {
    const { send, sandbox } = await start({ payment_methods_pagination: 'limit_and_starting_after' })
    const [outer = '', inner] = field.split('.')
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const good = { ...goodBodies[endpoint.id] }
        const text = inner === undefined ? value : `{${JSON.stringify(inner)}:${value}}`
        delete good[outer]
        const others = Object.entries(good).map(
          ([key, held]) => `${JSON.stringify(key)}:${JSON.stringify(held)}`,
        )
        const body = `{${[...others, `${JSON.stringify(outer)}:${text}`].join(',')}}`
        const answer = await send(endpoint, bytesOf(body))
        if (answer.status === 400) {
          // The message names the field, not its value. An amount can break two rules.
          for (const detail of answer.json.details ?? []) expect(detail.startsWith(field)).toBe(true)
        }
      }),
      runs(40),
    )
    sandbox.reset()
  })
})

describe('free-form metadata', () => {
  test('whatever is accepted -> stored, served and dumped as it was sent', async () => {
    const { sandbox, state } = await start()
    const { call } = sandbox
    const created: Answered[] = []
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const sent = `{"a":${value}}`
        const body = bytesOf(`{"customer_id":"cus_ada","amount":1,"currency":"USD","metadata":${sent}}`)
        const headers = { 'content-type': 'application/json' }
        const answer = await call('POST', '/v2/transaction_intents', { body, headers })
        if (answer.status === 400) {
          expect(answer.json.details[0]).toMatch(/^metadata: must not be /)
          return
        }
        created.push(answer)
        expect(answer.status).toBe(200)
        // The value of JSON.parse, as a duplicate key is lost there.
        expect(JSON.stringify(answer.json.metadata)).toBe(JSON.stringify(JSON.parse(sent)))
        const retrieved = await call('GET', `/v2/transaction_intents/${answer.json.id}`)
        expect(retrieved.text).toBe(answer.text)
      }),
      runs(150),
    )
    expect(created.length).toBeGreaterThan(samples(100))
    // The dump is a fixture, and a sandbox that starts from it serves the same bytes.
    const dumped = (await askControl(sandbox, 'GET', '/state')).text
    const again = await startSandbox()
    expect((await askControl(again, 'PUT', '/state', dumped)).status).toBe(200)
    for (const { json: intent, text } of created) {
      expect((await again.call('GET', `/v2/transaction_intents/${intent.id}`)).text).toBe(text)
    }
    expect((await askControl(again, 'GET', '/state')).text).toBe(dumped)
    expect(again.state.document()).toEqual(state.document())
  })

  test('no object of this process has anything new', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype).toSorted()
    const { send } = await start()
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      for (const endpoint of withBody) {
        const poison = `{"${key}":{"polluted":1,"prototype":{"polluted":1},"__proto__":{"polluted":1}}}`
        const good = JSON.stringify(goodBodies[endpoint.id]).slice(0, -1)
        const comma = good === '{' ? '' : ','
        await send(endpoint, bytesOf(poison))
        await send(endpoint, bytesOf(`${good}${comma}"metadata":${poison},"${key}":${poison}}`))
      }
    }
    expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(before)
    expect('polluted' in {} || 'polluted' in Object || 'polluted' in Array.prototype).toBe(false)
  })
})

describe('any headers around a body', () => {
  const headerText = fc
    .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), {
      maxLength: 40,
    })
    .map((codes) => String.fromCharCode(...codes))
  const pieces = ['application', '/', 'json', ';', 'charset', '=', 'utf-8', '"', ',', ' ', '\\', '*']
  const typeText = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''))

  test('Content-Type, Content-Encoding, Idempotency-Key -> a declared answer below 500', async () => {
    const { send } = await start()
    const body = bytesOf('{}')
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...withBody),
        fc.oneof(headerText, typeText),
        fc.option(headerText, { nil: undefined }),
        fc.option(headerText, { nil: undefined }),
        async (endpoint, type, encoding, idempotency) => {
          await send(endpoint, body, {
            'content-type': type,
            ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
            ...(idempotency === undefined ? {} : { 'idempotency-key': idempotency }),
          })
        },
      ),
      runs(200),
    )
  })
})
