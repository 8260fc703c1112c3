import createClient, { type Client } from 'openapi-fetch'
import type { Story, Walk } from '../story.ts'
import type { components, paths } from './api.generated.ts'

/** Where the service is, and how it is reached. */
export interface Reached {
  baseUrl: string
  key: string
  fetch?: (request: Request) => Promise<Response>
}

type Api = Client<paths>
type Schemas = components['schemas']

/** The story, with a client that was generated from the OpenAPI document. */
export async function tellStory({ baseUrl, key, fetch }: Reached): Promise<Story> {
  const headers = { authorization: `Bearer ${key}` }
  const api = createClient<paths>({ baseUrl, headers, ...(fetch ? { fetch } : {}) })
  return {
    ...(await link(api)),
    ...(await announce(api)),
    ...(await settle(api)),
    statements: await walkStatements(api),
    customers: await walkCustomers(api),
    refused: { a: await refusedInput(api), b: await refusedVersion(api), c: await missingIntent(api) },
    attempts: await insist(api),
  }
}

async function link(api: Api): Promise<Pick<Story, 'linked' | 'found'>> {
  const partnerId = 'crm/4711 &+%'
  const { customer_id: id, partner_customer_id } = done(
    await api.POST('/v2/customers/{customer_id}/link', {
      params: { path: { customer_id: 'cus_ben' } },
      body: { partner_customer_id: partnerId },
    }),
  )
  const { data } = done(
    await api.GET('/v2/customers', { params: { query: { partner_customer_id: partnerId } } }),
  )
  return { linked: { id, partner_customer_id }, found: data.map((customer) => customer.id) }
}

async function announce(api: Api): Promise<Pick<Story, 'intent' | 'read_back'>> {
  const intent = done(
    await api.POST('/v2/transaction_intents', {
      body: { customer_id: 'cus_ada', amount: 1250, currency: 'USD', merchant_name: 'Corner Bistro' },
    }),
  )
  const path = { intent_id: intent.id }
  const read = done(await api.GET('/v2/transaction_intents/{intent_id}', { params: { path } }))
  const { amount, currency, status } = intent
  return { intent: { amount, currency, status }, read_back: JSON.stringify(read) === JSON.stringify(intent) }
}

async function settle(api: Api): Promise<Pick<Story, 'balances' | 'settled'>> {
  const balance = async (): Promise<number> => {
    const params = { path: { customer_id: 'cus_ada' } }
    return done(await api.GET('/v2/customers/{customer_id}/rewards_balance', { params })).reward_balance
  }
  const before = await balance()
  const { id, status } = done(
    await api.PATCH('/v2/rewards/{reward_id}', {
      params: { path: { reward_id: 'rwd_ada_pending' } },
      body: { status: 'AVAILABLE' },
    }),
  )
  return { balances: [before, await balance()], settled: { id, status } }
}

/** By the token of the page before. */
async function walkStatements(api: Api): Promise<Walk> {
  const pages: Schemas['Statement'][][] = []
  let token: string | undefined
  do {
    const path = { customer_id: 'cus_ada', account_id: 'acct_ada' }
    const query = { limit: 10, ...(token === undefined ? {} : { starting_after: token }) }
    const page = done(
      await api.GET('/v2/customers/{customer_id}/accounts/{account_id}/statements', {
        params: { path, query },
      }),
    )
    pages.push(page.data)
    token = page.has_more ? page.next_page_token : undefined
  } while (token !== undefined)
  return walked(pages, ({ statement_id }) => statement_id)
}

/** By the id of the last row of the page before. */
async function walkCustomers(api: Api): Promise<Walk> {
  const pages: Schemas['Customer'][][] = []
  let hasMore = true
  while (hasMore) {
    const last = pages.at(-1)?.at(-1)
    const query = { limit: 10, ...(last === undefined ? {} : { starting_after: last.id }) }
    const page = done(await api.GET('/v2/customers', { params: { query } }))
    pages.push(page.data)
    hasMore = page.has_more
  }
  return walked(pages, ({ id }) => id)
}

function walked<Row>(pages: readonly Row[][], idOf: (row: Row) => string): Walk {
  return { pages: pages.map((rows) => rows.length), different: new Set(pages.flat().map(idOf)).size }
}

async function refusedInput(api: Api): Promise<Story['refused']['a']> {
  const { error, response } = await api.PATCH('/v2/rewards/{reward_id}', {
    params: { path: { reward_id: 'rwd_ada_deducted' } },
    // The document demands more than its types can express: one of the two fields.
    body: {},
  })
  if (error === undefined || !('details' in error)) throw new Error('no error of shape A')
  return { status: response.status, details: error.details }
}

async function refusedVersion(api: Api): Promise<Story['refused']['b']> {
  const { error, response } = await api.GET('/v2/customers', {
    headers: { 'x-service-version': '2024-01-01' },
  })
  if (typeof error?.error !== 'object') throw new Error('no error of shape B')
  return { status: response.status, type: error.error.type }
}

async function missingIntent(api: Api): Promise<Story['refused']['c']> {
  const params = { path: { intent_id: 'int_nobody' } }
  const { error, response } = await api.GET('/v2/transaction_intents/{intent_id}', { params })
  if (error === undefined || !('param' in error)) throw new Error('no error of shape C')
  return { status: response.status, type: error.type, param: error.param }
}

/** Retries as often as it is told to wait; the caller's clock decides how long. */
async function insist(api: Api): Promise<Story['attempts']> {
  const attempts: Story['attempts'] = []
  // No parameter of the API: the sandbox reads it, and the service does not.
  const headers = { 'x-sandbox-scenario': 'rate-limited' }
  do {
    const { response } = await api.GET('/v2/rewards/rewards_categories', { headers })
    attempts.push({ status: response.status, retry_after: response.headers.get('retry-after') })
  } while (attempts.at(-1)?.status === 429)
  return attempts
}

/** Returns the answer of a call, which must have succeeded. */
function done<Data>({ data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  if (data === undefined) throw new Error(`${response.status} ${response.url}: ${JSON.stringify(error)}`)
  return data
}
