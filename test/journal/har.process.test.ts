import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { startSandbox, testNow } from '../helpers/sandbox.ts'

/** As much of HAR 1.2 as every reader of it relies on; fields beside these must begin with an underscore. */
const pair = {
  type: 'object',
  required: ['name', 'value'],
  properties: { name: { type: 'string' }, value: { type: 'string' } },
}
const bytes = { type: 'integer', minimum: -1 }
const strict = (properties: Record<string, unknown>, optional: readonly string[] = []): object => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
  patternProperties: { '^_': true },
  additionalProperties: false,
})
const text = { type: 'string' }
const message = {
  httpVersion: { const: 'HTTP/1.1' },
  cookies: { type: 'array' },
  headers: { type: 'array', items: pair },
  headersSize: bytes,
  bodySize: bytes,
}
const milliseconds = { type: 'number', minimum: 0 }
const schema = strict({
  log: strict({
    version: { const: '1.2' },
    creator: strict({ name: text, version: text }),
    pages: { const: [] },
    entries: {
      type: 'array',
      items: strict({
        startedDateTime: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' },
        time: milliseconds,
        request: strict(
          {
            ...message,
            method: text,
            url: { type: 'string', pattern: '^https?://' },
            queryString: { type: 'array', items: pair },
            postData: strict({ mimeType: text, text }),
          },
          ['postData'],
        ),
        response: strict({
          ...message,
          status: { type: 'integer' },
          statusText: text,
          content: strict({ size: bytes, mimeType: text, text }),
          redirectURL: text,
        }),
        cache: strict({}),
        timings: strict({ send: milliseconds, wait: milliseconds, receive: milliseconds }),
      }),
    },
  }),
})
const isHar = new Ajv2020({ allErrors: true }).compile(schema)

// oxlint-disable-next-line typescript/no-explicit-any -- the schema above says what is in it
function checked(har: object): any {
  expect(isHar(structuredClone(har)), JSON.stringify(isHar.errors)).toBe(true)
  return har
}

describe('HAR', () => {
  it('is a HAR 1.2, oldest first, whatever was called', async () => {
    const sandbox = await startSandbox({ scenarios: ['flaky-every-third'] })
    await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
    await sandbox.call('POST', '/v2/keys')
    await sandbox.call('HEAD', '/v2/customers')
    await sandbox.call('DELETE', '/v2/order_events/ord_ada_4')
    await sandbox.call('GET', '/v2/x', { key: null })
    await sandbox.call('POST', '/v2/transaction_intents', {
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    await sandbox.call('OPTIONS', '/v2/keys')
    const { log } = checked(sandbox.requests.har())
    expect(log.entries.map((entry: { _id: string }) => entry._id)).toEqual(
      Array.from({ length: 7 }, (_, at) => `req_default_${at + 1}`),
    )
  })

  it('of nothing is a HAR as well', async () => {
    const sandbox = await startSandbox()
    expect(checked(sandbox.requests.har()).log.entries).toEqual([])
  })

  it('an entry holds the whole exchange, with secrets hidden', async () => {
    const sandbox = await startSandbox({ clock: testNow })
    const { url, close } = await sandbox.listen()
    // With white space and a character of two bytes, which the body of an entry has not or counts as one.
    const body =
      '{ "customer_id": "cus_ada", "amount": 1, "currency": "USD", "metadata": {"ssn4": "1234", "é": 1} }'
    const response = await fetch(`${url}/v2/transaction_intents?q=a%20b&q=c&cvv=123`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_sandbox_full', 'content-type': 'application/json' },
      body,
    })
    const received = await response.text()
    const answered = received.replace('"1234"', '"***"')
    await close()
    const [entry] = checked(sandbox.requests.har()).log.entries
    const sent = '{"customer_id":"cus_ada","amount":1,"currency":"USD","metadata":{"ssn4":"***","é":1}}'
    expect(entry).toEqual({
      startedDateTime: expect.any(String),
      time: expect.any(Number),
      request: {
        method: 'POST',
        url: `${url}/v2/transaction_intents?q=a+b&q=c&cvv=***`,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: expect.arrayContaining([
          { name: 'authorization', value: '***' },
          { name: 'content-type', value: 'application/json' },
        ]),
        queryString: [
          { name: 'q', value: 'a b' },
          { name: 'q', value: 'c' },
          { name: 'cvv', value: '***' },
        ],
        headersSize: -1,
        bodySize: Buffer.byteLength(body),
        postData: { mimeType: 'application/json', text: sent },
      },
      response: {
        status: 200,
        statusText: 'OK',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: expect.arrayContaining([{ name: 'x-sandbox-request-id', value: 'req_default_1' }]),
        content: { size: Buffer.byteLength(received), mimeType: 'application/json', text: answered },
        redirectURL: '',
        headersSize: -1,
        bodySize: Buffer.byteLength(received),
      },
      cache: {},
      timings: { send: 0, wait: entry.time, receive: 0 },
      _id: 'req_default_1',
      _sandbox_time: testNow,
      _operation: 'createTransactionIntent',
      _outcome: 'success',
    })
  })

  it('has the times of the machine, and those of a frozen clock in addition', async () => {
    const sandbox = await startSandbox({ clock: testNow, frozen: true })
    await sandbox.call('GET', '/v2/customers')
    await sandbox.call('HEAD', '/v2/customers')
    const { entries } = checked(sandbox.requests.har()).log
    const started: number[] = entries.map((entry: { startedDateTime: string }) =>
      Date.parse(entry.startedDateTime),
    )
    expect(started[0]).toBeGreaterThanOrEqual(performance.timeOrigin)
    expect(started).toEqual(started.toSorted())
    expect(entries.map((entry: { _sandbox_time: string }) => entry._sandbox_time)).toEqual([testNow, testNow])
    expect(entries.map(({ response }: { response: { bodySize: number } }) => response.bodySize > 0)).toEqual([
      true,
      false,
    ])
  })

  it('a body of which only the beginning is kept -> its whole size', async () => {
    const sandbox = await startSandbox()
    const body = `{"customer_id":"cus_ada","x":"${'a'.repeat(100_000)}"}`
    await sandbox.call('POST', '/v2/payment_methods', {
      body,
      headers: { 'content-type': 'application/json' },
    })
    const [{ request }] = checked(sandbox.requests.har()).log.entries
    expect(request.bodySize).toBe(body.length)
    expect(request.postData.text.length).toBeLessThan(65_536)
  })

  it('takes the filters of the list', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
    await sandbox.call('GET', '/v2/customers')
    await sandbox.call('GET', '/v2/customers')
    const idsOf = (filter: object): string[] =>
      checked(sandbox.requests.har(filter)).log.entries.map((entry: { _id: string }) => entry._id)
    expect(idsOf({ operation: 'searchCustomers' })).toEqual(['req_default_2', 'req_default_3'])
    expect(idsOf({ limit: 1 })).toEqual(['req_default_3'])
    expect(() => sandbox.requests.har({ limit: 0 })).toThrow('filter limit: must be from 1 to 1000000')
  })
})
