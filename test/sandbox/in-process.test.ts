import { describe, expect, it } from 'vitest'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'

const key = { authorization: `Bearer ${fullKey}` }
const json = { ...key, 'content-type': 'application/json' }
const intent = JSON.stringify({ customer_id: 'cus_ada', amount: 4200, currency: 'USD' })
const reward = '/v2/rewards/rwd_ada_pending'

const calls: [string, string, RequestInit?][] = [
  ['a read', reward, { headers: key }],
  ['names in upper case', reward, { headers: { Authorization: key.authorization, Accept: 'a' } }],
  ['names out of order', reward, { headers: { 'x-service-version': 'latest', accept: '*/*', ...key } }],
  ['a name twice', reward, { headers: { ...key, Accept: 'a', accept: 'b' } }],
  ['a list of headers', reward, { headers: [['authorization', key.authorization], ['accept', 'a'], ['accept', 'b']] }], // prettier-ignore
  ['headers as Headers', reward, { headers: new Headers(key) }],
  ['a value with spaces around', reward, { headers: { authorization: ` ${key.authorization} ` } }],
  ['an empty value', reward, { headers: { ...key, accept: '' } }],
  ['no init', reward],
  ['no headers', reward, {}],
  ['init that is null', reward, null as never],
  ['HEAD', reward, { method: 'HEAD', headers: key }],
  ['OPTIONS', reward, { method: 'OPTIONS', headers: key }],
  ['a method in lower case', reward, { method: 'get', headers: key }],
  ['a method that no path has', reward, { method: 'PUT', headers: json, body: '{}' }],
  ['a query', '/v2/customers?partner_customer_id=partner-ada&limit=1', { headers: key }],
  ['a query to decode', '/v2/customers?partner_customer_id=partner%2Dada', { headers: key }],
  ['a fragment', `${reward}#end`, { headers: key }],
  ['dot segments', '/v2/customers/../rewards/rwd_ada_pending', { headers: key }],
  ['a slash at the end', `${reward}/`, { headers: key }],
  ['an unknown path', '/v2/nothing', { headers: key }],
  ['a creation', '/v2/transaction_intents', { method: 'POST', headers: json, body: intent }],
  ['a body beyond ASCII', '/v2/transaction_intents', { method: 'POST', headers: json, body: intent.replace('USD', 'ÜSD') }], // prettier-ignore
  ['half a surrogate pair', '/v2/transaction_intents', { method: 'POST', headers: json, body: intent.replace('cus_ada', '\ud800') }], // prettier-ignore
  ['a body without a type', '/v2/transaction_intents', { method: 'POST', headers: key, body: intent }],
  ['an empty body', '/v2/transaction_intents', { method: 'POST', headers: json, body: '' }],
  ['no body', '/v2/transaction_intents', { method: 'POST', headers: json }],
  ['a body of bytes', '/v2/transaction_intents', { method: 'POST', headers: json, body: new TextEncoder().encode(intent) }], // prettier-ignore
  ['a body where none belongs', '/v2/order_events/none', { method: 'DELETE', headers: json, body: '{}' }],
  ['a body that is too large', '/v2/transaction_intents', { method: 'POST', headers: json, body: `"${'x'.repeat(1_048_576)}"` }], // prettier-ignore
  ['a lost connection', reward, { headers: { ...key, 'x-sandbox-scenario': 'reset' } }],
  ['half of an answer', reward, { headers: { ...key, 'x-sandbox-scenario': 'truncated' } }],
  ['a scenario', reward, { headers: { ...key, 'x-sandbox-scenario': 'rate-limited' } }],
]

/** The view of a caller on a call, and its entry in the journal. */
async function outcome(
  make: (path: string, init?: RequestInit) => [string | Request, RequestInit?],
  path: string,
  init?: RequestInit,
) {
  const sandbox = await startSandbox()
  const [input, own] = make(path, init)
  let seen: unknown
  try {
    const response = await sandbox.fetch(input, own)
    const { status, statusText, ok, type, url, redirected } = response
    const text = await response.text().catch((error: unknown) => String(error))
    seen = { status, statusText, ok, type, url, redirected, headers: [...response.headers], text }
  } catch (error) {
    seen = String(error)
  }
  const entries = sandbox.requests.list().map((entry) => ({ ...entry, duration_ms: 0 }))
  return { seen, entries }
}

describe('a call by path and init is the same as one by Request', () => {
  it.each(calls)('%s', async (_, path, init) => {
    const direct = await outcome((to, how) => (how ? [to, how] : [to]), path, init)
    const whole = await outcome((to, how) => [new Request(new URL(to, 'http://localhost'), how)], path, init)
    expect(direct).toEqual(whole)
    expect(direct.entries).toHaveLength(1)
  })

  it.each<[string, RequestInit]>([
    ['a GET with a body', { body: 'x' }],
    ['a header name that is none', { headers: { 'a b': 'c' } }],
    ['a header value that is none', { headers: { a: 'b\nc' } }],
  ])('%s is refused as Request refuses it', async (_, init) => {
    const sandbox = await startSandbox()
    await expect(sandbox.fetch(reward, init)).rejects.toThrow(TypeError)
    expect(sandbox.requests.list()).toEqual([])
  })

  it('a workspace adds its key where there is none, and takes another one as it is', async () => {
    const workspace = (await startSandbox()).workspace('w1')
    expect((await workspace.fetch(reward)).status).toBe(200)
    expect((await workspace.fetch(reward, { headers: { Authorization: 'Bearer nobody' } })).status).toBe(401)
  })
})

describe('what answers such a call is a Response', () => {
  const answer = async (): Promise<Response> => (await startSandbox()).fetch(reward, { headers: key })

  it('instanceof Response, whose headers can be changed', async () => {
    const response = await answer()
    expect(response).toBeInstanceOf(Response)
    response.headers.set('x', 'y')
    expect([response.headers.get('x'), response.clone().headers.get('x')]).toEqual(['y', 'y'])
  })

  const reads: [string, (response: Response) => Promise<unknown>][] = [
    ['text', (response) => response.text()],
    ['json', (response) => response.json()],
    ['arrayBuffer', async (response) => Buffer.from(await response.arrayBuffer()).toString()],
    ['blob', async (response) => (await response.blob()).text()],
    ['body', async (response) => new Response(response.body).text()],
    ['clone', (response) => response.clone().text()],
  ]

  it.each(reads)('%s gives what it says', async (name, read) => {
    const [response, other] = [await answer(), await answer()]
    const text = await other.text()
    expect(response.bodyUsed).toBe(false)
    expect(await read(response)).toEqual(name === 'json' ? JSON.parse(text) : text)
    expect(response.bodyUsed).toBe(name !== 'clone')
  })

  it.each(reads.filter(([name]) => name !== 'body'))(
    '%s after text -> TypeError, as Node has it',
    async (_, read) => {
      const response = await answer()
      await response.text()
      const refused = async (): Promise<unknown> => read(response)
      await expect(refused()).rejects.toThrow(TypeError)
    },
  )

  it('a clone is read by itself, whichever is first', async () => {
    const response = await answer()
    const clone = response.clone()
    expect(await clone.text()).toBe(await response.text())
  })
})

describe('what is no call', () => {
  it('headers that are null -> rejected, and never thrown at once', async () => {
    const sandbox = await startSandbox()
    const calling = sandbox.fetch(reward, { headers: null as never })
    await expect(
      calling.then(
        () => 'answered',
        () => 'rejected',
      ),
    ).resolves.toMatch(/answered|rejected/)
  })
})

describe('the second argument of fetch', () => {
  const request = (): Request => new Request(`http://localhost${reward}`, { headers: key })

  it.each<[string, unknown, number]>([
    ['what a framework hands to its handlers next to a Request -> ignored', { params: {} }, 200],
    ['the bindings of a server -> ignored', { incoming: {}, outgoing: {} }, 200],
    ['null -> ignored', null, 200],
    ['headers next to a Request -> those of the call', { headers: { authorization: 'Bearer none' } }, 401],
    ['headers next to what no RequestInit has -> those of the call', { headers: {}, next: {} }, 401],
  ])('%s', async (_, init, status) => {
    const { fetch } = await startSandbox()
    expect((await fetch(request(), init as RequestInit)).status).toBe(status)
  })
})

it('a scenario responds with a body to a status that has none -> the status, and no body', async () => {
  const rules = [{ on: '*', effect: { respond: { status: 205, body: 'text' } } }]
  const sandbox = await startSandbox({ scenarios: [{ name: 'odd', description: 'Odd.', rules }] })
  const answer = await sandbox.fetch(reward, { headers: key })
  expect([answer.status, await answer.text()]).toEqual([205, ''])
})
