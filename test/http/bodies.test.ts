import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { testNow } from '../helpers/sandbox.ts'
import {
  bodies,
  compressed,
  errorB,
  good,
  intents,
  json,
  malformed,
  MiB,
  ofSize,
  sequences,
  start,
  tooLarge,
  utf8,
  withBytes,
} from './bodies.ts'

/** Every endpoint that takes a body, as a call. */
const withBody = endpoints
  .filter(({ body }) => body !== undefined)
  .map(({ id, method, path }) => ({
    id,
    method,
    shape: id === 'listPaymentMethods' ? 'A' : 'B',
    path: path.replace('{customer_id}', 'cus_ada').replace('{reward_id}', 'rwd_ada_pending'),
  }))
const invalid = (path: string, ...details: string[]) => ({
  path,
  details,
  error: 'Bad Request',
  status: 400,
  timestamp: testNow,
})
/** Case 130: the contract shows the shape for this one endpoint; elsewhere it is assumed. */
const malformedAt = ({ path, shape }: { path: string; shape: string }, what: string) =>
  shape === 'A' ? invalid(path, `body: ${what}`) : malformed(what)
const wrongType = errorB(
  'UNSUPPORTED_MEDIA_TYPE_ERROR',
  'The request body must be sent as Content-Type: application/json in UTF-8.',
)

const sized = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.concat([...ofSize(size)]))

describe('case 44: an invalid field', () => {
  test('case 44: -> 400 A with path, details, error, status and the time of the sandbox clock', async () => {
    const { refuse, sandbox } = await start()
    sandbox.clock.advance({ hours: 3 })
    const answer = await refuse(JSON.stringify({ ...good, amount: 'x' }))
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({
      path: intents,
      details: ['amount: must be an integer'],
      error: 'Bad Request',
      status: 400,
      timestamp: '2026-11-21T15:00:00.000Z',
    })
    expect(Object.keys(answer.json)).toEqual(['path', 'details', 'error', 'status', 'timestamp'])
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect([answer.version, answer.assumptions]).toEqual(['2026-10-13', []])
  })

  test.each([
    ['a query', `${intents}?amount=1&x=%2F`, intents],
    ['a query that is empty', `${intents}?`, intents],
    ['a fragment of a query', `${intents}?a=/v2/keys`, intents],
    ['an id in it', '/v2/customers/cus_ada/link', '/v2/customers/cus_ada/link'],
    ['an escape in it', '/v2/customers/cus%20ada/link', '/v2/customers/cus%20ada/link'],
  ])('case 44: a path with %s -> the path as it was sent, without the query', async (_, path, reported) => {
    const { refuse } = await start()
    const answer = await refuse('{"amount":"x","partner_customer_id":""}', { path })
    expect([answer.status, answer.json.path]).toEqual([400, reported])
  })

  test.each<[string, string, string, object, string[]]>([
    [
      'linkCustomer',
      'POST',
      '/v2/customers/cus_ada/link',
      { partner_customer_id: 'é' },
      ['partner_customer_id: must be 1 to 128 printable ASCII characters'],
    ],
    [
      'updateReward',
      'PATCH',
      '/v2/rewards/rwd_ada_pending',
      { amount: 1.5, status: 'available' },
      [
        'amount: must be an integer',
        'status: must be one of PENDING, AVAILABLE, PENDING_DEDUCTION, DEDUCTED',
      ],
    ],
    [
      'listPaymentMethods',
      'POST',
      '/v2/payment_methods',
      { type: 'card' },
      ['type: must be one of CARD, BANK_ACCOUNT, LOAN', 'customer_id: is required'],
    ],
  ])('case 44: %s -> details that name its fields', async (_, method, path, body, details) => {
    const { refuse } = await start()
    const answer = await refuse(JSON.stringify(body), { method, path })
    expect([answer.status, answer.json]).toEqual([400, invalid(path, ...details)])
  })
})

describe('case 45: three bad fields', () => {
  test('case 45: -> three details in the order of the declaration, whatever the order of the body', async () => {
    const { refuse } = await start()
    const expected = invalid(
      intents,
      'customer_id: must be a string',
      'amount: must be an integer',
      'currency: must be a 3-letter ISO 4217 code in upper case',
    )
    for (const body of [
      '{"customer_id":1,"amount":"x","currency":"usd"}',
      '{"currency":"usd","amount":"x","customer_id":1}',
    ]) {
      expect((await refuse(body)).json).toEqual(expected)
    }
  })

  test('case 45: everything wrong -> a detail for each, fields before rules before bounds', async () => {
    const { refuse } = await start({ unknown_body_fields: 'refuse' })
    const answer = await refuse(
      JSON.stringify({
        nonsense: 1,
        metadata: deep(33),
        expected_date: 'x',
        merchant_code: 1,
        merchant_id: 1,
        merchant_address: { city: 1, planet: 'x' },
        merchant_name: 1,
        network_transaction_id: 1,
        payment_method_id: 1,
        currency: 1,
        amount: -1.5,
        customer_id: 1,
      }),
    )
    expect(answer.json.details).toEqual([
      'customer_id: must be a string',
      'amount: must be an integer',
      'currency: must be a string',
      'payment_method_id: must be a string',
      'network_transaction_id: must be a string',
      'merchant_name: must be a string',
      'merchant_address.city: must be a string',
      'merchant_id: must be a string',
      'merchant_code: must be a string',
      'expected_date: must be an RFC 3339 date or date-time',
      'amount: must not be negative',
      'metadata: must not be nested deeper than 32 levels',
      'nonsense: is not a known field',
      'merchant_address.planet: is not a known field',
    ])
  })
})

/** An object nested so deep. */
function deep(levels: number): object {
  let value: object = {}
  for (let level = 1; level < levels; level++) value = { a: value }
  return value
}

describe('case 46: malformed JSON, empty body', () => {
  const broken: [string, string, string][] = [
    ['half an object', '{"pan":"4242424242424242"', 'is not valid JSON'],
    ['a card number', '4242424242424242x', 'is not valid JSON'],
    ['a form', 'pan=4242424242424242', 'is not valid JSON'],
    ['two values', '{"pan":"4242424242424242"}{}', 'is not valid JSON'],
    ['blanks', '   ', 'is not valid JSON'],
  ]
  test.each(withBody)(
    'case 46, 130: $id -> 400 $shape without a word of the body, nothing changed',
    async (endpoint) => {
      const { refuse } = await start()
      for (const [, body, what] of broken) {
        const answer = await refuse(body, endpoint)
        expect([answer.status, answer.json]).toEqual([400, malformedAt(endpoint, what)])
        expect(answer.text).not.toContain('4242')
        const restsOn = endpoint.shape === 'A' ? [] : ['malformed_json_shape']
        expect([answer.version, answer.assumptions]).toEqual(['2026-10-13', restsOn])
      }
    },
  )

  test.each(withBody.filter(({ id }) => id !== 'createApiKey'))(
    'case 46, 130: $id without a body, or with an empty one -> 400 $shape',
    async (endpoint) => {
      const { refuse, call } = await start()
      const expected = [400, malformedAt(endpoint, 'is empty; expected a JSON object')]
      const empty = await refuse('', endpoint)
      expect([empty.status, empty.json]).toEqual(expected)
      const none = await call(endpoint.method, endpoint.path)
      expect([none.status, none.json]).toEqual(expected)
    },
  )

  test('case 46: in process, a stream that fails -> 400 B, never a 5xx', async () => {
    const { refuse } = await start()
    const failing = new ReadableStream({
      start: (controller) => {
        controller.enqueue(utf8('{"amount":'))
        controller.error(new Error('the caller stumbled'))
      },
    })
    const answer = await refuse(failing)
    expect([answer.status, answer.json]).toEqual([400, errorB('BAD_REQUEST_ERROR', 'The body was cut off.')])
  })

  test.each([
    ['B', malformed('is not valid JSON')],
    ['A', invalid(intents, 'body: is not valid JSON')],
  ])('case 46: malformed_json_shape=%s', async (malformed_json_shape, body) => {
    const { refuse } = await start({ malformed_json_shape })
    const answer = await refuse('{')
    expect([answer.status, answer.json, answer.assumptions]).toEqual([400, body, ['malformed_json_shape']])
  })

  test.each([
    ['', 'body: is empty; expected a JSON object'],
    ['"\xff"', 'body: is not valid UTF-8'],
  ])('case 46: malformed_json_shape=A, %j -> %s', async (body, detail) => {
    const { refuse } = await start({ malformed_json_shape: 'A' })
    const answer = await refuse(new Uint8Array(Buffer.from(body, 'latin1')))
    expect([answer.status, answer.json]).toEqual([400, invalid(intents, detail)])
  })
})

describe('case 47: JSON that is no object', () => {
  test.each(withBody)('case 47: $id with null, a list, a text, a number -> 400 A', async (endpoint) => {
    const { refuse } = await start()
    for (const body of ['null', '[]', '[{}]', '"x"', '1', 'true', '1e400']) {
      const answer = await refuse(body, endpoint)
      expect([answer.status, answer.json]).toEqual([
        400,
        invalid(endpoint.path, 'body: must be a JSON object'),
      ])
      expect(answer.assumptions).toEqual([])
    }
  })
})

describe('case 48: a body that is not declared as JSON', () => {
  const types: [string, Record<string, string>][] = [
    ['no Content-Type', {}],
    ['an empty one', { 'content-type': '' }],
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['multipart', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['application/jsonx', { 'content-type': 'application/jsonx' }],
    ['application/json-patch', { 'content-type': 'application/json-patch+json' }],
    ['merge patch', { 'content-type': 'application/merge-patch+json' }],
    ['text/json', { 'content-type': 'text/json' }],
    ['*/*', { 'content-type': '*/*' }],
    ['JSON as a parameter', { 'content-type': 'text/plain; application/json' }],
    ['two types', { 'content-type': 'application/json, text/plain' }],
  ]
  test.each(types)('case 48: %s -> 415 B of every endpoint, nothing changed', async (_, headers) => {
    const { refuse } = await start()
    for (const endpoint of withBody) {
      const answer = await refuse(JSON.stringify(good), { ...endpoint, headers })
      expect([answer.status, answer.json]).toEqual([415, wrongType])
      expect([answer.version, answer.assumptions]).toEqual(['2026-10-13', ['unsupported_media_type']])
      // That header would say that the encoding was the mistake (RFC 9110, 12.5.3).
      expect(answer.headers.get('accept-encoding')).toBeNull()
    }
  })

  test.each([
    [415, 415, wrongType],
    [400, 400, { error: { ...wrongType.error, type: 'BAD_REQUEST_ERROR' } }],
    ['accept', 200, undefined],
  ] as const)('case 48: unsupported_media_type=%s -> %s', async (unsupported_media_type, status, body) => {
    const { send } = await start({ unsupported_media_type })
    for (const [, headers] of types) {
      const answer = await send(JSON.stringify(good), { headers })
      expect(answer.status).toBe(status)
      if (body) expect([answer.json, answer.assumptions]).toEqual([body, ['unsupported_media_type']])
      else expect(answer.assumptions).toEqual(['create_status', 'unsupported_media_type'])
    }
    const declared = await send(JSON.stringify(good))
    expect([declared.status, declared.assumptions]).toEqual([200, ['create_status']])
  })

  test('case 48: unsupported_media_type=accept, and no JSON -> malformed, not 415', async () => {
    const { refuse } = await start({ unsupported_media_type: 'accept' })
    const answer = await refuse('amount=1', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([answer.status, answer.json]).toEqual([400, malformed('is not valid JSON')])
    expect(answer.assumptions).toEqual(['malformed_json_shape', 'unsupported_media_type'])
  })
})

describe('case 49: JSON, and the charset it is in', () => {
  test.each([
    'application/json',
    'application/json; charset=UTF-8',
    'application/json;charset=utf-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'APPLICATION/JSON; CHARSET=UTF-8',
    'application/json ; charset=utf-8',
    'application/json; profile=x; charset=utf-8',
    'application/json;',
  ])('case 49: %s -> 200', async (type) => {
    const { send } = await start()
    const answer = await send(JSON.stringify(good), { headers: { 'content-type': type } })
    expect([answer.status, answer.assumptions]).toEqual([200, ['create_status']])
  })

  test.each([
    'application/json; charset=latin1',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset=',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset=utf-80',
  ])('case 49: %s -> 415 B', async (type) => {
    const { refuse } = await start()
    const answer = await refuse(JSON.stringify(good), { headers: { 'content-type': type } })
    expect([answer.status, answer.json]).toEqual([415, wrongType])
  })
})

describe('case 50: Content-Encoding', () => {
  test.each(bodies)('case 50: %s -> 415 B with Accept-Encoding: identity', async (encoding, bytes) => {
    const { refuse } = await start()
    for (const endpoint of withBody) {
      const answer = await refuse(bytes, { ...endpoint, headers: { ...json, 'content-encoding': encoding } })
      expect([answer.status, answer.json]).toEqual([415, compressed])
      expect(answer.headers.get('accept-encoding')).toBe('identity')
      expect(answer.assumptions).toEqual(['unsupported_media_type'])
    }
  })

  test.each(['identity', 'Identity'])('case 50: %s -> 200', async (encoding) => {
    const { send } = await start()
    const headers = { ...json, 'content-encoding': encoding }
    expect((await send(JSON.stringify(good), { headers })).status).toBe(200)
  })

  test.each([
    [415, 415],
    [400, 400],
    ['accept', 415],
  ])('case 50: unsupported_media_type=%s -> %s, as nothing is ever decompressed', async (value, status) => {
    const { refuse } = await start({ unsupported_media_type: value })
    const answer = await refuse(gzipOf(good), { headers: { ...json, 'content-encoding': 'gzip' } })
    const type = status === 400 ? 'BAD_REQUEST_ERROR' : compressed.error.type
    expect([answer.status, answer.json]).toEqual([status, { error: { ...compressed.error, type } }])
    expect(answer.headers.get('accept-encoding')).toBe('identity')
  })

  const gzipOf = (value: object) => new Uint8Array(gzipSync(JSON.stringify(value)))
})

describe('case 51: a body of more than 1 MiB', () => {
  test('case 51: exactly 1 MiB -> read; one byte more -> 413 B', async () => {
    const { refuse } = await start()
    // Read as far as to find out what is missing in it.
    const most = await refuse(sized(MiB))
    expect([most.status, most.json.details[0]]).toEqual([400, 'customer_id: is required'])
    const more = await refuse(sized(MiB + 1))
    expect([more.status, more.json]).toEqual([413, tooLarge(MiB)])
    expect([more.version, more.assumptions]).toEqual(['2026-10-13', []])
  })

  test.each(withBody)('case 51: $id, as bytes and as a stream -> 413 B', async (endpoint) => {
    const { refuse } = await start()
    const stream = new ReadableStream({
      start: (controller) => {
        for (const chunk of ofSize(MiB + 1)) controller.enqueue(new Uint8Array(chunk))
        controller.close()
      },
    })
    for (const body of [sized(MiB + 1), stream]) {
      const answer = await refuse(body, endpoint)
      expect([answer.status, answer.json]).toEqual([413, tooLarge(MiB)])
    }
  })

  test('case 51: in process, a stream without end -> 413 B, and read no further', async () => {
    const { refuse } = await start()
    let pulled = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 64 * 1024
        controller.enqueue(new Uint8Array(64 * 1024))
      },
    })
    expect((await refuse(endless)).status).toBe(413)
    expect(pulled).toBeLessThan(2 * MiB)
  })

  test('case 51: too large, and no JSON -> 413; too large, and of another type -> 415', async () => {
    const { refuse } = await start()
    const zeroes = new Uint8Array(MiB + 1)
    expect((await refuse(zeroes)).status).toBe(413)
    expect((await refuse(zeroes, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
  })

  test.each([
    [1_048_576, 1_048_576],
    [65_536, 65_536],
    [1024, 1024],
    [2_097_152, 2_097_152],
  ])('case 51: --max-body %s', async (maxBody, most) => {
    const { refuse } = await start({}, { maxBody })
    expect((await refuse(sized(most))).json.details[0]).toBe('customer_id: is required')
    const answer = await refuse(sized(most + 1))
    expect([answer.status, answer.json, answer.assumptions]).toEqual([413, tooLarge(most), []])
  })
})

describe('case 52: invalid UTF-8', () => {
  test.each(sequences)('case 52, 130: %s -> 400, never U+FFFD', async (_, bytes) => {
    const { refuse } = await start()
    for (const endpoint of withBody) {
      const answer = await refuse(withBytes(bytes), endpoint)
      expect([answer.status, answer.json]).toEqual([400, malformedAt(endpoint, 'is not valid UTF-8')])
    }
  })

  test('case 52: characters of every length -> stored and echoed as they are', async () => {
    const { send, call } = await start()
    const metadata = { é: '€', '😀': '\u0000\u001f\u007f\ufffd\u2028\u2029', e: 'e\u0301' }
    const created = await send(JSON.stringify({ ...good, metadata }))
    expect(created.json.metadata).toEqual(metadata)
    expect((await call('GET', `${intents}/${created.json.id}`)).text).toBe(created.text)
  })

  test('case 52: a lone surrogate as an escape is JSON -> stored, and escaped again', async () => {
    const { send } = await start()
    const created = await send(JSON.stringify({ ...good, metadata: { a: '\ud800', '\udfff': 1 } }))
    expect(created.status).toBe(200)
    expect(created.text).toContain(String.raw`"metadata":{"a":"\ud800","\udfff":1}`)
  })
})

describe('case 53: a byte order mark', () => {
  const marked = Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8(JSON.stringify(good))])
  test('case 53: accepted -> 200', async () => {
    const { send } = await start()
    const answer = await send(marked)
    expect(answer.status).toBe(200)
    expect(answer.assumptions).toEqual(['create_status'])
  })
})

describe('case 54: a key that stands twice', () => {
  const doubled = JSON.stringify(good).replace('{', '{"amount":1,"amount":2,')
  test('case 54: the last one counts', async () => {
    const { send, call } = await start()
    const answer = await send(doubled)
    expect([answer.status, answer.json.amount]).toEqual([200, 4599])
    expect((await call('GET', `${intents}/${answer.json.id}`)).json.amount).toBe(4599)
    const bad = await send(`${JSON.stringify(good).slice(0, -1)},"amount":"x"}`)
    expect(bad.json).toEqual(invalid(intents, 'amount: must be an integer'))
  })
})

describe('case 55: names that objects inherit', () => {
  const metadata =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":1,"toString":null,"hasOwnProperty":"x","toJSON":"x","valueOf":[],"__defineGetter__":{},"then":1}'

  test('case 55: in metadata -> stored and echoed verbatim, and no other object changes', async () => {
    const { send, call, state } = await start()
    const inherited = Object.getOwnPropertyNames(Object.prototype).toSorted()
    const created = await send(`${JSON.stringify(good).slice(0, -1)},"metadata":${metadata}}`)
    expect(created.status).toBe(200)
    expect(created.text).toContain(`"metadata":${metadata}`)
    expect((await call('GET', `${intents}/${created.json.id}`)).text).toBe(created.text)
    const row = state.get('transaction_intents', created.json.id) as { metadata: object }
    expect(JSON.stringify(row.metadata)).toBe(metadata)
    expect(JSON.stringify(state.document())).toContain(metadata)
    expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(inherited)
    expect('polluted' in {}).toBe(false)
  })

  test('case 55: in the body -> unknown fields that stand for nothing', async () => {
    const { refuse, send } = await start()
    const smuggled = await refuse(`{"__proto__":${JSON.stringify(good)}}`)
    expect(smuggled.json.details).toEqual([
      'customer_id: is required',
      'amount: is required',
      'currency: is required',
    ])
    const created = await send(JSON.stringify(good).replace('{', '{"__proto__":{"status":"CANCELED"},'))
    expect([created.status, created.json.status]).toEqual([200, 'CONFIRMED'])
    expect('status' in {}).toBe(false)
  })
})

describe('case 56: depth and size', () => {
  test.each([
    ['depth 32', deep(32), []],
    ['depth 33', deep(33), ['metadata: must not be nested deeper than 32 levels']],
    ['depth 33 in a list', { a: [deep(31)] }, ['metadata: must not be nested deeper than 32 levels']],
    ['16 KiB', { a: 'x'.repeat(16_384 - 8) }, []],
    ['16 KiB and a byte', { a: 'x'.repeat(16_384 - 7) }, ['metadata: must not be larger than 16384 bytes']],
    ['16 KiB in fewer characters', { a: 'é'.repeat(8188) }, []],
    ['16 KiB and two bytes', { a: 'é'.repeat(8189) }, ['metadata: must not be larger than 16384 bytes']],
    ['a list', [], ['metadata: must be a JSON object']],
    ['a text', '{}', ['metadata: must be a JSON object']],
    ['a number', 1, ['metadata: must be a JSON object']],
  ])('case 56: metadata of %s', async (_, metadata, details) => {
    const { send, call } = await start()
    const answer = await send(JSON.stringify({ ...good, metadata }))
    if (details.length > 0) {
      expect([answer.status, answer.json]).toEqual([400, invalid(intents, ...details)])
    } else {
      expect([answer.status, answer.json.metadata]).toEqual([200, metadata])
      expect((await call('GET', `${intents}/${answer.json.id}`)).text).toBe(answer.text)
    }
  })

  test('case 56: metadata is measured as compact JSON, however it was written', async () => {
    const { send } = await start()
    const spaced = `{ "a" : "${'x'.repeat(16_384 - 8)}"${' '.repeat(100)} }`
    const answer = await send(`${JSON.stringify(good).slice(0, -1)},"metadata":${spaced}}`)
    expect(answer.status).toBe(200)
  })

  test.each(withBody)('case 56, 130: $id, a body deeper than 64 -> 400 $shape', async (endpoint) => {
    const { refuse } = await start()
    for (const levels of [65, 5000, 100_000]) {
      const objects = `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
      const lists = `{"metadata":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
      for (const body of [objects, lists]) {
        const answer = await refuse(body, endpoint)
        expect([answer.status, answer.json]).toEqual([
          400,
          malformedAt(endpoint, 'is nested deeper than 64 levels'),
        ])
        expect(answer.assumptions).toEqual([])
      }
    }
  })

  test('case 56: a body 64 deep -> read', async () => {
    const { send } = await start()
    const answer = await send(JSON.stringify({ ...good, ignored: deep(63) }))
    expect([answer.status, answer.assumptions]).toEqual([200, ['create_status', 'unknown_body_fields']])
  })

  test('case 56: a body 65 deep -> 400 B, even with malformed JSON in shape A', async () => {
    const { send, refuse } = await start({ malformed_json_shape: 'A' })
    expect((await send(JSON.stringify({ ...good, ignored: deep(63) }))).status).toBe(200)
    const answer = await refuse(JSON.stringify({ ...good, ignored: deep(64) }))
    expect([answer.status, answer.json]).toEqual([400, malformed('is nested deeper than 64 levels')])
    expect(answer.assumptions).toEqual([])
  })
})

describe('case 57: fields that the operation does not know', () => {
  const extra = {
    id: 'int_mine',
    status: 'CANCELED',
    created_at: '2000-01-01T00:00:00Z',
    updated_at: '2000-01-01T00:00:00Z',
    partner_transaction_id: 'mine',
  }

  test('case 57: unknown_body_fields=ignore -> neither used nor stored', async () => {
    const { send, state } = await start()
    const answer = await send(
      JSON.stringify({ ...good, ...extra, merchant_address: { city: 'x', planet: 'y' } }),
    )
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^int_[0-9a-z]{12}$/),
      ...good,
      status: 'CONFIRMED',
      created_at: testNow,
    })
    expect(answer.assumptions).toEqual(['create_status', 'unknown_body_fields'])
    expect(state.get('transaction_intents', answer.json.id)).toEqual({
      ...answer.json,
      merchant_address: { city: 'x' },
    })
    expect(state.get('transaction_intents', 'int_mine')).toBeUndefined()
  })

  test('case 57: without unknown fields -> the answer does not rest on it', async () => {
    const { send } = await start()
    expect((await send(JSON.stringify(good))).assumptions).toEqual(['create_status'])
  })

  test('case 57: unknown_body_fields=refuse -> a detail for each, nested ones too; metadata stays free', async () => {
    const { refuse, send } = await start({ unknown_body_fields: 'refuse' })
    const answer = await refuse(JSON.stringify({ ...good, ...extra, merchant_address: { planet: 'y' } }))
    expect(answer.json).toEqual(
      invalid(
        intents,
        'id: is not a known field',
        'status: is not a known field',
        'created_at: is not a known field',
        'updated_at: is not a known field',
        'partner_transaction_id: is not a known field',
        'merchant_address.planet: is not a known field',
      ),
    )
    expect(answer.assumptions).toEqual(['unknown_body_fields'])
    const known = await send(JSON.stringify({ ...good, metadata: extra }))
    expect([known.status, known.json.metadata, known.assumptions]).toEqual([200, extra, ['create_status']])
  })

  test.each<[string, string, string, object, string[]]>([
    ['listPaymentMethods', 'POST', '/v2/payment_methods', { customer_id: 'cus_ada', limit: 1 }, ['limit']],
    ['linkCustomer', 'POST', '/v2/customers/cus_ben/link', { partner_customer_id: 'b', id: 'x' }, ['id']],
    [
      'updateReward',
      'PATCH',
      '/v2/rewards/rwd_ada_pending',
      { amount: 1, customer_id: 'x' },
      ['customer_id'],
    ],
    ['createApiKey', 'POST', '/v2/keys', { scopes: [], name: 'x' }, ['scopes', 'name']],
  ])('case 57: %s -> ignored by default, refused on demand', async (_, method, path, body, fields) => {
    const ignoring = await start()
    const ignored = await ignoring.send(JSON.stringify(body), { method, path })
    expect(ignored.status).toBeLessThan(300)
    expect(ignored.assumptions).toContain('unknown_body_fields')
    const refusing = await start({ unknown_body_fields: 'refuse' })
    const refused = await refusing.refuse(JSON.stringify(body), { method, path })
    expect(refused.json).toEqual(invalid(path, ...fields.map((field) => `${field}: is not a known field`)))
    expect(refused.assumptions).toContain('unknown_body_fields')
  })
})

/** The body of an intent whose amount is written like this. */
const amounting = (text: string): string => JSON.stringify({ ...good, amount: '|' }).replace('"|"', text)

describe('case 58: amounts that are no integers', () => {
  test.each([
    '"100"',
    '1.5',
    'null',
    'true',
    '0.1',
    '5e-324',
    '1e-400',
    '1.00000000000000001',
    '0.99999999999999999',
    '4503599627370497.3',
    '9007199254740990.5',
    '[100]',
    '{}',
    '""',
  ])('case 58: %s -> 400 A', async (text) => {
    const { refuse } = await start()
    const answer = await refuse(amounting(text))
    expect([answer.status, answer.json]).toEqual([400, invalid(intents, 'amount: must be an integer')])
    const reward = await refuse(`{"amount":${text}}`, {
      method: 'PATCH',
      path: '/v2/rewards/rwd_ada_pending',
    })
    const rule = text === 'null' ? 'body: amount or status is required' : 'amount: must be an integer'
    expect(reward.json).toEqual(invalid('/v2/rewards/rwd_ada_pending', rule))
  })

  test.each(['9007199254740992', '9007199254740993', '1e16', '1e21', '1e400', '9007199254740991.5e1'])(
    'case 127: %s -> 400 A, too large',
    async (text) => {
      const { refuse } = await start()
      const rule = 'amount: must be at most 9007199254740991'
      expect((await refuse(amounting(text))).json).toEqual(invalid(intents, rule))
      const path = '/v2/rewards/rwd_ada_pending'
      expect((await refuse(`{"amount":${text}}`, { method: 'PATCH', path })).json).toEqual(
        invalid(path, rule),
      )
    },
  )

  test.each([
    ['-1.5', 'an integer'],
    ['-1.00000000000000001', 'an integer'],
    ['-4503599627370497.3', 'an integer'],
  ])('case 127: %s -> 400 A, told of both rules', async (text, rule) => {
    const { refuse } = await start()
    const details = [`amount: must be ${rule}`, 'amount: must not be negative']
    expect((await refuse(amounting(text))).json).toEqual(invalid(intents, ...details))
  })

  test.each([
    ['refuse', '-9007199254740992', 'amount: must not be negative'],
    ['refuse', '-1e400', 'amount: must not be negative'],
    ['accept', '-9007199254740992', 'amount: must be at least -9007199254740991'],
    ['accept', '-1e400', 'amount: must be at least -9007199254740991'],
  ])(
    'case 127: with negative_amount=%s, %s -> 400 A, the one lower bound in force',
    async (value, text, rule) => {
      const { refuse } = await start({ negative_amount: value })
      const path = '/v2/rewards/rwd_ada_pending'
      const intent = await refuse(amounting(text))
      expect([intent.json, intent.assumptions]).toEqual([invalid(intents, rule), ['negative_amount']])
      const reward = await refuse(`{"amount":${text}}`, { method: 'PATCH', path })
      expect([reward.json, reward.assumptions]).toEqual([invalid(path, rule), ['negative_amount']])
    },
  )
})

describe('case 59: amounts that are integers, however they are written', () => {
  test.each([
    ['100.0', 100],
    ['1e2', 100],
    ['1E+2', 100],
    ['10000e-2', 100],
    ['-0', 0],
    ['-0.0', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740991.000', 9007199254740991],
    ['0.0000000000000000000100e20', 1],
    ['-0e999', 0],
  ])('case 59: %s -> %s', async (text, amount) => {
    const { send, call, state } = await start()
    const answer = await send(amounting(text))
    expect([answer.status, answer.json.amount]).toEqual([200, amount])
    expect(answer.text).toContain(`"amount":${amount},`)
    expect((await call('GET', `${intents}/${answer.json.id}`)).text).toBe(answer.text)
    expect(state.get('transaction_intents', answer.json.id)).toHaveProperty('amount', amount)
  })
})

describe('case 60: amounts of zero and below', () => {
  const reward = { method: 'PATCH', path: '/v2/rewards/rwd_ada_pending' }
  const negative = 'amount: must not be negative'

  test.each([
    [{}, '-1', negative, ['negative_amount']],
    [{}, '0', undefined, ['create_status', 'zero_amount']],
    [{}, '-0', undefined, ['create_status', 'zero_amount']],
    [{}, '1', undefined, ['create_status']],
    [{ negative_amount: 'accept' }, '-1', undefined, ['create_status', 'negative_amount']],
    [{ negative_amount: 'accept' }, '-9007199254740991', undefined, ['create_status', 'negative_amount']],
    [{ negative_amount: 'accept' }, '0', undefined, ['create_status', 'zero_amount']],
    [{ zero_amount: 'refuse' }, '0', 'amount: must not be zero', ['zero_amount']],
    [{ zero_amount: 'refuse' }, '-0', 'amount: must not be zero', ['zero_amount']],
    [{ zero_amount: 'refuse' }, '-1', negative, ['negative_amount']],
    [{ zero_amount: 'refuse' }, '1', undefined, ['create_status']],
  ])('case 60: with %o an intent of %s -> %s', async (assume, text, detail, assumptions) => {
    const { send } = await start(assume)
    const answer = await send(amounting(text))
    if (detail === undefined) expect([answer.status, answer.json.amount]).toEqual([200, Number(text) + 0])
    else expect([answer.status, answer.json]).toEqual([400, invalid(intents, detail)])
    expect(answer.assumptions).toEqual(assumptions)
  })

  test.each([
    [{}, '-1', negative, ['negative_amount']],
    [{}, '0', undefined, ['reward_amount_zero']],
    [{ negative_amount: 'accept' }, '-1', undefined, ['negative_amount']],
    [{ zero_amount: 'refuse' }, '0', undefined, ['reward_amount_zero']],
    [{ reward_amount_zero: 'refuse' }, '-0', 'amount: must not be zero', ['reward_amount_zero']],
    [{ reward_amount_zero: 'refuse' }, '1', undefined, []],
  ])('case 60: with %o a reward update to %s -> %s', async (assume, text, detail, assumptions) => {
    const { send } = await start(assume)
    const answer = await send(`{"amount":${text}}`, reward)
    if (detail === undefined) expect([answer.status, answer.json.amount]).toEqual([200, Number(text)])
    else expect([answer.status, answer.json]).toEqual([400, invalid(reward.path, detail)])
    expect(answer.assumptions).toEqual(assumptions)
  })
})

describe('case 61: the currency', () => {
  test.each(['usd', 'US', 'USDT', '', 'U$D', ' USD', 'USD\n', 'ÜSD'])(
    'case 61: %j -> 400 A',
    async (currency) => {
      const { refuse } = await start()
      const answer = await refuse(JSON.stringify({ ...good, currency }))
      expect(answer.json).toEqual(
        invalid(intents, 'currency: must be a 3-letter ISO 4217 code in upper case'),
      )
    },
  )

  test.each(['USD', 'EUR', 'ZZZ'])('case 61: %s -> 200, by its form only', async (currency) => {
    const { send } = await start()
    const answer = await send(JSON.stringify({ ...good, currency }))
    expect([answer.status, answer.json.currency]).toEqual([200, currency])
  })
})
