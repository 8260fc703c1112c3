import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { resolveAssumptions, type GivenSettings } from '../../src/reading/resolve-assumptions.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { askControl } from '../helpers/control.ts'
import { callerFor, startSandbox, type Answered, type CallApi } from '../helpers/sandbox.ts'

/**
 * Whatever a client sends as a body: never a 5xx, never a hang, always a declared answer, and what is refused
 * changes nothing. Every answer is checked against the OpenAPI document by the helper; a bug of ours throws there.
 */

/** The same runs each time; a run takes the longer the more it creates. */
const runs = (numRuns: number) => ({ seed: 20261121, numRuns })

const pagination = resolveAssumptions({ payment_methods_pagination: 'limit_and_starting_after' })

/** Every endpoint that takes a body, as a call, with the schema of the body that has the most fields. */
const withBody = endpoints.flatMap(({ id, method, path, body }) =>
  body === undefined
    ? []
    : [
        {
          id,
          method,
          path: path.replace('{customer_id}', 'cus_ada').replace('{reward_id}', 'rwd_ada_pending'),
          shape: body(pagination).shape,
        },
      ],
)

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

/** Every field of every body, nested ones too; an endpoint without any has an unknown one. */
const fields = withBody.flatMap(({ shape, ...endpoint }) => {
  const paths = pathsOf(shape)
  return (paths.length > 0 ? paths : [['scopes']]).map((path) => ({ ...endpoint, field: path.join('.') }))
})

function pathsOf(shape: Readonly<Record<string, unknown>>): string[][] {
  return Object.entries(shape).flatMap(([name, type]) => {
    const inner: unknown = type instanceof z.ZodOptional ? type.unwrap() : type
    const nested = inner instanceof z.ZodObject ? pathsOf(inner.shape).map((path) => [name, ...path]) : []
    return [[name], ...nested]
  })
}

const inherited = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'then',
  '',
]
const names = [...new Set(fields.flatMap(({ field }) => field.split('.')))]

/** Any text at all, half a surrogate pair included. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff })), {
    maxLength: 12,
  })
  .map((codes) => String.fromCharCode(...codes))

const textLiteral = fc
  .oneof(
    fc.constantFrom('cus_ada', 'cus_hana', 'pm_ada_card', 'rwd_ada_pending', 'partner-ada', 'USD', 'CARD'),
    fc.constantFrom('AVAILABLE', 'PENDING', '4242424242424242', '2026-02-28', '9'.repeat(400), ...inherited),
    fc.constantFrom('\u0000', '\ud800', '\udfff', '\ufeff', '\u2028', '../..', '%00', 'x'.repeat(20_000)),
    anyText,
  )
  .map((text) => JSON.stringify(text))

const numberLiteral = fc.oneof(
  fc.constantFrom('0', '-0', '-0.0', '1', '-1', '1.5', '1e2', '1e400', '-1e400', '1e-400', '5e-324'),
  fc.constantFrom('9007199254740991', '9007199254740993', '-9007199254740993', '1'.repeat(400), '1e99999'),
  fc.double().map((value) => (Number.isFinite(value) ? String(value) : '0')),
)

const keyLiteral = fc
  .oneof(fc.constantFrom(...names), fc.constantFrom(...inherited), anyText)
  .map((key) => JSON.stringify(key))

/** JSON as text: only as text can it have a key twice, an own `__proto__` and numbers no program holds. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.constantFrom('null', 'true', 'false'), numberLiteral, textLiteral),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(keyLiteral, tie('json')), { maxLength: 6 })
      .map((entries) => `{${entries.map(([key, value]) => `${key}:${value}`).join(',')}}`),
  ),
}))

/** Nested deeper than any parser by recursion can go. */
const nested = fc
  .tuple(fc.constantFrom('[', '{"a":', '{"metadata":', '[{"":'), fc.integer({ min: 1, max: 100_000 }))
  .map(([open, depth]) => {
    const close = [...open]
      .filter((char) => char === '[' || char === '{')
      .map((char) => (char === '[' ? ']' : '}'))
      .toReversed()
      .join('')
    return open.repeat(depth) + 'null' + close.repeat(depth)
  })

/** JSON with something wrong in it: cut off, a piece doubled, a piece taken out, or other characters put in. */
const brokenJson = fc
  .tuple(json, fc.nat(), fc.nat(), fc.oneof(fc.constant(''), anyText))
  .map(([text, from, length, put]) => {
    const at = from % (text.length + 1)
    return text.slice(0, at) + put + text.slice(at + (length % 8))
  })

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const anyBody: fc.Arbitrary<Uint8Array<ArrayBuffer>> = fc.oneof(
  { weight: 6, arbitrary: json.map(bytesOf) },
  { weight: 2, arbitrary: brokenJson.map(bytesOf) },
  { weight: 1, arbitrary: fc.json().map(bytesOf) },
  { weight: 1, arbitrary: nested.map(bytesOf) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Uint8Array.from(bytes)) },
  { weight: 1, arbitrary: json.map((text) => Uint8Array.from([0xef, 0xbb, 0xbf, ...bytesOf(text)])) },
)

/** A sandbox that is back at its start after every call, and fails when a refused one has left a trace. */
async function start(assume: GivenSettings = {}) {
  const sandbox = await startSandbox({ assume })
  const document = (): string => JSON.stringify(sandbox.state.document())
  const before = document()
  return {
    sandbox,
    state: sandbox.state,
    async send(
      { method, path }: { method: string; path: string },
      body: Uint8Array<ArrayBuffer>,
      headers: Record<string, string> = { 'content-type': 'application/json' },
      call: CallApi = sandbox.call,
    ): Promise<Answered> {
      const answer = await call(method, path, { body, headers })
      expect(answer.status).toBeLessThan(500)
      if (answer.status >= 400) expect(document()).toBe(before)
      else sandbox.reset()
      return answer
    },
  }
}

const strict = {
  unknown_body_fields: 'refuse',
  duplicate_json_keys: 'refused',
  json_byte_order_mark: 'refused',
  malformed_json_shape: 'A',
  intent_required_fields: 'with_payment_method_and_network_id',
  zero_amount: 'refuse',
  payment_methods_required_filter: 'customer_id',
  not_found_status: 400,
  metadata_max_bytes: 64,
  body_max_bytes: 1024,
  body_max_depth: 4,
}
const lenient = {
  unsupported_media_type: 'accept',
  negative_amount: 'accept',
  payment_methods_required_filter: 'none',
  payment_methods_unknown_customer: 'empty_list',
  payment_methods_pagination: 'limit_and_starting_after',
  unknown_cursor: 'first_page',
  metadata_max_depth: 64,
  body_max_depth: 1000,
  metadata_max_bytes: 1_048_576,
  body_max_bytes: 16_777_216,
}

describe('any body of any endpoint', () => {
  for (const [name, assume] of Object.entries({ 'the defaults': {}, strict, lenient })) {
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
        // What is sent reaches the validation as well as the reading before it.
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
    expect([...seen.values()].map((statuses) => [...statuses])).toEqual([[201], [200], [200], [200], [201]])
  })

  test('over a socket -> the same', async () => {
    const { send, sandbox } = await start()
    const { url } = await sandbox.listen()
    const call = await callerFor({ fetch: (path, init) => fetch(`${url}${String(path)}`, init) })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...withBody), anyBody, async (endpoint, body) => {
        const inProcess = await send(endpoint, body)
        const wired = await send(endpoint, body, undefined, call)
        // An empty Uint8Array is a body in process and none on the wire.
        if (body.length > 0)
          expect([wired.status, wired.text.length]).toEqual([inProcess.status, inProcess.text.length])
      }),
      runs(60),
    )
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
          // The field that is wrong is named; its value is not told. An amount can break two rules.
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
          expect(answer.json.details[0]).toMatch(/^metadata must not be /)
          return
        }
        created.push(answer)
        expect(answer.status).toBe(201)
        // What JSON.parse makes of it, as nothing else can be known of a key that stands twice.
        expect(JSON.stringify(answer.json.metadata)).toBe(JSON.stringify(JSON.parse(sent)))
        const retrieved = await call('GET', `/v2/transaction_intents/${answer.json.id}`)
        expect(retrieved.text).toBe(answer.text)
      }),
      runs(150),
    )
    expect(created.length).toBeGreaterThan(100)
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
