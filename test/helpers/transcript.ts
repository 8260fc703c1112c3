import { createHash } from 'node:crypto'
import { pick, randomFrom } from './canaries.ts'

/** How a transcript reaches a sandbox: in this process, or over a socket. */
export type Send = (path: string, init: RequestInit) => Promise<Response>

/** Where both begin. `pdf_url` must not hold a port. */
export const beginning = {
  seed: 7,
  clock: '2026-11-21T12:00:00Z',
  frozen: true,
  baseUrl: 'http://sandbox.example',
  generate: { customers: 40 },
} as const

/** Of the connection, and not of the answer. */
const ofTheConnection = new Set(['connection', 'keep-alive', 'content-length', 'transfer-encoding'])

const customers = ['cus_ada', 'cus_ada', 'cus_ben', 'cus_nobody']
/** For a call that names a customer who is linked: three without a link, and the one itself. */
const linkable = ['cus_farid', 'cus_jonas', 'cus_nils', 'cus_ada']
const limits = ['1', '2', '5', '10', '100', '0', 'x']
const accounts = ['acct_ada', 'acct_ada', 'acct_none']
/** They act on answers, and none of them waits. */
const scenarios = [
  'flaky-every-third',
  'unknown-fields',
  'null-optionals',
  'pagination-one-per-page',
  'reward-settled-before-update',
  'rate-limited',
]

/** The answers, in the order of the requests. */
export interface Transcript {
  /** A line for each answer, with its status and a hash over status, headers and body. */
  hashes: string[]
  /** The same answers for a reader: headers, and the beginning of each body. */
  readable: string[]
}

/** How much of a body a reader gets to see; the hashes are over all of it. */
const shownOfABody = 2000

/** Sends about 300 requests. What is asked for follows from what was answered before, as with any client. */
export async function transcript(send: Send): Promise<Transcript> {
  const hashes: string[] = []
  const readable: string[] = []
  const random = randomFrom(99)

  const ask = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await send(path, { method, headers: { ...json, ...headers }, ...sent })
    const bytes = Buffer.from(await response.arrayBuffer())
    const kept = [...response.headers].filter(([name]) => !ofTheConnection.has(name))
    const head = JSON.stringify([response.status, kept.toSorted(([a], [b]) => (a < b ? -1 : 1))])
    const request = `${hashes.length + 1} ${method} ${path} ${response.status}`
    hashes.push(`${request} ${hashOf(`${head}\n`, bytes)}`)
    const answered = kept.map(([name, value]) => `${name}: ${value}`).toSorted()
    readable.push([request, ...answered, '', shown(bytes, response.headers.get('content-type'))].join('\n'))
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && bytes.length > 0
    // oxlint-disable-next-line typescript/no-explicit-any -- bodies of every shape are looked into
    return (isJson ? JSON.parse(bytes.toString()) : undefined) as any
  }
  const control = (method: string, path: string, body?: unknown) => ask(method, `/_sandbox${path}`, {}, body)

  for (const [place, workspace] of ['default', 'w2'].entries()) {
    const suffix = workspace === 'default' ? '' : `.${workspace}`
    const inIt = `?workspace=${workspace}`
    const asKey = (name: string): Record<string, string> => ({ authorization: `Bearer ${name}${suffix}` })
    let made = 'sk_sandbox_full'
    const api = (method: string, path: string, body?: unknown) => {
      const key = pick(random, [
        'sk_sandbox_full',
        'sk_sandbox_full',
        'sk_sandbox_full',
        'sk_sandbox_none',
        made,
      ])
      const version = pick(random, [
        {},
        {},
        { 'x-service-version': '2025-05-05' },
        { 'x-service-version': 'latest' },
      ])
      const holder: Record<string, string> =
        key === made && made !== 'sk_sandbox_full' ? { authorization: `Bearer ${made}` } : asKey(key)
      return ask(method, path, { ...holder, ...version }, body)
    }

    for (let round = 0; round < 10; round++) {
      const customer = pick(random, customers)
      const intent = await api('POST', '/v2/transaction_intents', {
        customer_id: customer,
        amount: 100 + random(10_000),
        currency: 'USD',
        merchant_name: 'Corner Shop',
        metadata: { round, nested: { of: [workspace] } },
      })
      await api('GET', `/v2/transaction_intents/${intent?.id ?? 'int_none'}`)
      const methods = await api('POST', '/v2/payment_methods', { customer_id: customer })
      await api('GET', `/v2/payment_methods/${methods?.data?.[0]?.id ?? 'pm_none'}`)
      const limit = pick(random, limits)
      let page = await api('GET', `/v2/customers?limit=${limit}`)
      for (let at = 0; at < 2 && page?.has_more; at++) {
        page = await api('GET', `/v2/customers?limit=${limit}&starting_after=${page.data.at(-1)?.id}`)
      }
      const toLink = customer === 'cus_ada' ? linkable[round % linkable.length] : customer
      await api('POST', `/v2/customers/${toLink}/link`, {
        partner_customer_id: `partner-${round}-${place}`,
      })
      const account = pick(random, accounts)
      const list = `/v2/customers/${customer}/accounts/${account}/statements`
      const closed = await api('GET', `${list}?limit=${limit}`)
      const link: string | undefined = closed?.data?.[0]?.pdf_url
      if (link !== undefined) {
        const { pathname, search } = new URL(link)
        await ask('GET', pathname + search, {})
        await ask('GET', `${pathname}${search}0`, {})
      }
      if (closed?.next_page_token !== undefined) {
        await api('GET', `${list}?limit=${limit}&starting_after=${closed.next_page_token}`)
      }
      await api('GET', `/v2/customers/${customer}/rewards_balance`)
      await api('GET', `/v2/rewards/rewards_categories?locale=${pick(random, ['en', 'es-MX', 'de'])}`)
      const reward = pick(random, ['rwd_ada_pending', 'rwd_ada_available', 'rwd_none'])
      await api('GET', `/v2/rewards/${reward}`)
      await api('PATCH', `/v2/rewards/${reward}`, { amount: random(1000), status: 'PENDING' })
      await api('DELETE', `/v2/order_events/ord_ada_${1 + random(3)}`)
      const key = await api('POST', '/v2/keys')
      if (key?.key !== undefined) made = key.key
      if (round === 1) await control('PUT', `/snapshots/early${inIt}`)
      if (round === 2) await control('PUT', `/scenarios/active${inIt}`, scenarios)
      if (round === 3) await control('DELETE', `/scenarios/active${inIt}`)
      if (round === 4) await control('POST', `/clock/advance${inIt}`, { days: 3, seconds: 7 })
      if (intent?.id !== undefined) {
        await control('POST', `/simulate/transaction${inIt}`, { intent_id: intent.id })
      }
      if (round % 3 === 0) await control('POST', `/simulate/statement${inIt}`, { account_id: 'acct_ada' })
      if (round === 5) await control('GET', `/snapshots/early/diff${inIt}`)
      if (round === 6) await control('POST', `/snapshots/early/restore${inIt}`)
    }
    await control('PATCH', `/state/customers/cus_ben${inIt}`, { first_name: 'Benjamin' })
    for (const path of ['/state', '/scenarios', '/clock', '/assumptions', '/snapshots', '/snapshots/early']) {
      await control('GET', path + inIt)
    }
  }
  await control('POST', '/workspaces', {})
  await control('GET', '/workspaces')
  await control('GET', '/openapi.json')
  await control('POST', '/reset')
  await control('GET', '/state')
  return { hashes, readable }
}

function hashOf(...parts: (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex').slice(0, 16)
}

/** The beginning of a body, with a line for each of its fields; of one that is not text, what it is. */
function shown(bytes: Buffer, type: string | null): string {
  if (bytes.length === 0) return '(no body)'
  if (!type?.startsWith('application/json')) return `(${type}, ${bytes.length} bytes, ${hashOf(bytes)})`
  const text = bytes.toString()
  const rest = text.length > shownOfABody ? `\n… (${text.length} characters)` : ''
  return text.slice(0, shownOfABody).replaceAll(/,(?=")/g, ',\n') + rest
}
