// Two partners of one sandbox, with everything in the workspace of the second that the first must not get at.
import { createSandbox } from '../../src/sandbox/index.ts'
import type { StorageTestHooks } from '../../src/sandbox/opened-storage.ts'
import type { SandboxOptions } from '../../src/options/index.ts'
import type { WorkspaceCredentials } from '../../src/operations/credentials.ts'
import { createdKey, type CreatedKey } from './created-key.ts'
import { testNow } from './sandbox.ts'

export const operatorToken = 'the-token-of-the-operator'

/** Stands in all that is the victim's alone, wherever that is: rows, snapshots, scenarios, stubs. */
export const canary = 'canary-of-beta'

/** An answer with everything that a client sees of it. */
export interface Told {
  status: number
  headers: Record<string, string>
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  json: any
}

export type Replica = Awaited<ReturnType<typeof createSandbox>>

/** The form of a request: its Authorization, and a body, sent as JSON unless it is text. */
export async function ask(
  replica: Pick<Replica, 'fetch'>,
  method: string,
  path: string,
  authorization?: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Told> {
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...more,
  }
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await replica.fetch(path, { method, headers, ...sent })
  // A stream has no end.
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  const text = isStream ? '' : await response.text()
  if (isStream) await response.body?.cancel()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}

export const bearer = (token: string): string => `Bearer ${token}`
export const basic = (user: string, password = ''): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
export const operator = bearer(operatorToken)

/** A partner with what it was handed out, and what it has made since. */
export interface Holder extends WorkspaceCredentials {
  /** The keys that it created by POST /v2/keys before and after its rotation. */
  before: CreatedKey
  made: CreatedKey
  /** Its first credentials. */
  ended: WorkspaceCredentials
  cursor: string
  pdfUrl: string
  /** A copy that a replay made, and the request of it. */
  copy: string
}

export interface World {
  /** Where the attacker asks. */
  here: Replica
  /** Where the victim asked; the same one, or another one on the same store. */
  there: Replica
  acme: Holder
  beta: Holder
  close(): Promise<void>
}

export const partnerOptions: SandboxOptions = {
  isolation: 'partner',
  adminToken: operatorToken,
  clock: testNow,
  frozen: true,
  // An attacker knows it.
  seed: 1,
  webhooks: 'standard',
}

/** Two replicas with a store, else one. */
export async function twoPartners(
  options: SandboxOptions = {},
  testHooks: StorageTestHooks = {},
): Promise<World> {
  const start = () =>
    createSandbox(
      { ...partnerOptions, ...options },
      {
        ...testHooks,
        onBug(error) {
          throw error instanceof Error ? error : new Error(String(error))
        },
      },
    )
  const here = await start()
  const there = options.store === undefined ? here : await start()
  const acme = await settle(here, 'acme', 'of-acme')
  const beta = await settle(there, 'beta', canary)
  return {
    here,
    there,
    acme,
    beta,
    close: async () => {
      await here.close()
      if (there !== here) await there.close()
    },
  }
}

/** Makes a workspace for a partner, who then does everything in it. @param mark stands in all that is its own. */
async function settle(replica: Replica, name: string, mark: string): Promise<Holder> {
  const must = async (...args: Parameters<typeof ask>): Promise<Told> => {
    const reported = await ask(...args)
    if (reported.status >= 400) throw new Error(`${args[1]} ${args[2]}: ${reported.status} ${reported.text}`)
    return reported
  }
  const create = async ({ api_key, admin_token }: WorkspaceCredentials): Promise<CreatedKey> => {
    const { key: created } = (await must(replica, 'POST', '/v2/keys', bearer(api_key))).json
    const listed = await must(replica, 'GET', '/_sandbox/state/api_keys', bearer(admin_token))
    return createdKey(listed.json.api_keys, created)
  }
  const ended: WorkspaceCredentials = (
    await must(replica, 'POST', '/_sandbox/workspaces', operator, { name })
  ).json
  const before = await create(ended)
  const rotated: WorkspaceCredentials = (
    await must(replica, 'POST', `/_sandbox/workspaces/${name}/rotate`, bearer(ended.admin_token))
  ).json
  const token = bearer(rotated.admin_token)
  const key = bearer(rotated.api_key)
  const made = await create(rotated)
  const control = (method: string, path: string, body?: unknown) =>
    must(replica, method, `/_sandbox${path}`, token, body)
  await control('PUT', `/state/customers/cus_${mark}`, {
    product: 'mk_summit',
    first_name: mark,
    partner_customer_id: `partner ${mark}`,
  })
  await control('PUT', `/state/rewards/rwd_${mark}`, {
    customer_id: `cus_${mark}`,
    amount: 5,
    status: 'PENDING',
  })
  await control('PUT', '/state/stubs', [{ method: 'GET', path: `/v2/${mark}/{id}`, body: { data: [mark] } }])
  await control('PUT', `/snapshots/${mark}`)
  await control('POST', '/scenarios', {
    name: mark,
    description: mark,
    rules: [{ on: 'retrieveReward', effect: { latency: 0 } }],
  })
  await control('PUT', '/scenarios/active', [mark])
  await control('PUT', '/clock', { now: name === 'beta' ? '2027-03-01T00:00:00Z' : '2027-02-01T00:00:00Z' })
  await must(replica, 'GET', `/v2/rewards/rwd_${mark}`, key)
  const page = (await must(replica, 'GET', '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1', key))
    .json
  const requests = (await control('GET', '/requests')).json.requests
  const replayed = (await control('POST', `/requests/${requests[0].id}/replay`)).json
  return {
    ...rotated,
    ended,
    before,
    made,
    cursor: page.next_page_token,
    pdfUrl: page.data[0].pdf_url,
    copy: replayed.workspace,
  }
}

export const viewsOfRows: readonly string[] = ['/state', '/clock', '/snapshots', '/scenarios']
const allViews: readonly string[] = [...viewsOfRows, '/requests', '/coverage', '/assumptions']

/** Everything in a workspace and its copy, as the operator sees it. */
export async function wholeOf(
  replica: Replica,
  name: string,
  { copy, views = allViews }: { copy?: string; views?: readonly string[] } = {},
): Promise<unknown> {
  const see = async (path: string, of: string) => {
    const reported = await ask(replica, 'GET', `/_sandbox${path}?workspace=${of}`, operator)
    return [reported.status, reported.text]
  }
  const seen: Record<string, unknown> = {}
  for (const of of [name, ...(copy === undefined ? [] : [copy])]) {
    const list = (await ask(replica, 'GET', `/_sandbox/snapshots?workspace=${of}`, operator)).json
    const snapshots: string[] = list.snapshots.map((one: { name: string }) => `/snapshots/${one.name}`)
    for (const path of [...views, ...snapshots]) seen[`${of}${path}`] = await see(path, of)
    seen[`${of} itself`] = (await ask(replica, 'GET', `/_sandbox/workspaces/${of}`, operator)).text
  }
  return seen
}
