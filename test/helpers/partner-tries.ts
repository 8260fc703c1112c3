// Attacks of one partner on another, as a table: each row runs against the victim, and against an unknown workspace.
import { endpoints } from '../../src/endpoints/index.ts'
import { resources } from '../../src/control/index.ts'
import type { Resource } from '../../src/control/resource.ts'
import { idAt } from '../../src/runtime/ids.ts'
import { ask, basic, bearer, canary, operatorToken, type Told, type World } from './partners.ts'

/** The target of an attack: the victim, or an unknown workspace. */
export interface Target {
  name: string
  mark: string
  copy: string
}

export const victim: Target = { name: 'beta', mark: canary, copy: 'beta-replay-1' }
export const stranger: Target = { name: 'nope', mark: 'canary-of-nope', copy: 'nope-replay-1' }

export interface Try {
  what: string
  run(world: World, on: Target): Promise<Told | Told[]>
  /** The answer to each of them. */
  status: number | readonly number[]
}

/** Credentials that a partner has, finds or makes up. None of them opens anything of the API. */
export const strangers: Readonly<Record<string, (world: World, on: Target) => string>> = {
  'a key of the baseline': () => bearer('sk_sandbox_full'),
  'a key of the baseline with the name of the workspace': (_w, { name }) => bearer(`sk_sandbox_full.${name}`),
  'a key of the baseline with the own name': () => bearer('sk_sandbox_full.acme'),
  'a key of the baseline with default': () => bearer('sk_sandbox_full.default'),
  'a key of the baseline with two names': (_w, { name }) => bearer(`sk_sandbox_full.${name}.acme`),
  'a key of the baseline with a name and a dot': (_w, { name }) => bearer(`sk_sandbox_full.${name}.`),
  'a key of the baseline as Basic': (_w, { name }) => basic(`sk_sandbox_full.${name}`),
  'a pair of the baseline': () => basic('key_full', 'secret_full'),
  'a pair of the baseline with the name': (_w, { name }) => basic(`key_full.${name}`, 'secret_full'),
  'a key id alone': (_w, { name }) => basic(`key_full.${name}`),
  'a key id as Bearer': (_w, { name }) => bearer(`key_full.${name}`),
  'the own key with the name of the other': ({ acme }, { name }) => bearer(`${bare(acme.api_key)}.${name}`),
  'the own key with the name of its copy': ({ acme }, { copy }) => bearer(`${bare(acme.api_key)}.${copy}`),
  'the own key with default': ({ acme }) => bearer(`${bare(acme.api_key)}.default`),
  'the own key with a name in upper case': ({ acme }, { name }) =>
    bearer(`${bare(acme.api_key)}.${name.toUpperCase()}`),
  'the own key without a name': ({ acme }) => bearer(bare(acme.api_key)),
  'the own key with an encoded dot': ({ acme }, { name }) => bearer(`${bare(acme.api_key)}%2E${name}`),
  'the own key with both names': ({ acme }, { name }) => bearer(`${acme.api_key}.${name}`),
  'the own pair with the name of the other': ({ acme }, { name }) => {
    const [first] = acme.api_keys
    return basic(`${bare(first?.id ?? '')}.${name}`, first?.secret)
  },
  'a key that was made, with the name of the other': ({ acme }, { name }) =>
    bearer(`${bare(acme.made.key)}.${name}`),
  'the id of a key that the other made, with the own secret': ({ acme, beta }, { name }) =>
    basic(`${bare(beta.made.id)}.${name}`, acme.made.secret),
  'the own key that was ended': ({ acme }) => bearer(acme.ended.api_key),
  'the own key that was made and ended': ({ acme }) => bearer(acme.before.key),
  'the own pair that was made and ended': ({ acme }) => basic(acme.before.id, acme.before.secret),
  'a key of the other that was ended': ({ beta }) => bearer(beta.ended.api_key),
  'a key that the other made and that was ended': ({ beta }) => bearer(beta.before.key),
  'a key that the other made and that was ended, as a pair': ({ beta }) =>
    basic(beta.before.id, beta.before.secret),
  'a key of the other without its name': ({ beta }) => bearer(bare(beta.api_key)),
  'a key of the other with the own name': ({ beta }) => bearer(`${bare(beta.api_key)}.acme`),
  'the token of the control plane': ({ acme }) => bearer(acme.admin_token),
  'the token of whoever runs the sandbox': () => bearer(operatorToken),
  nothing: () => 'Bearer ',
}

const bare = (text: string): string => text.slice(0, text.lastIndexOf('.'))

/** The keys of a sandbox of this seed without isolation. */
function guessesFor(seed: number, name: string): string[] {
  return Array.from({ length: 40 }, (_, at) => {
    const key = idAt(seed, at, 'sk_sandbox') + idAt(seed, at + 1, '').slice(1)
    return bearer(`${key}.${name}`)
  })
}

const targetOf = (path: string, { mark }: Target): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    name === 'customer_id' ? `cus_${mark}` : name === 'reward_id' ? `rwd_${mark}` : 'x',
  )

const callsWithoutRight: Try[] = Object.entries(strangers).map(([what, credential]) => ({
  what: `${what}, to every endpoint`,
  status: 401,
  run: async (world, on) =>
    Promise.all(
      endpoints.map(({ method, path }) =>
        ask(world.here, method, targetOf(path, on), credential(world, on), method === 'GET' ? undefined : {}),
      ),
    ),
}))

/** The path of a noun with what is the target's in it. */
function pathOf({ path }: Resource, { name, mark }: Target): string {
  return path
    .replace('workspaces/:name', `workspaces/${name}`)
    .replace('requests/:id', `requests/req_${name}_1`)
    .replace(':name', mark)
    .replace(':collection/:id', `customers/cus_${mark}`)
    .replace(':collection', 'customers')
    .replace(':id', 'pdf_url_lifetime_seconds')
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Behind the guard; what stands outside it is looked at by itself. */
const guarded = resources.filter(({ operations }) =>
  operations.every(({ guard, isPage }) => guard !== 'none' && !isPage),
)

const everyNoun = (world: World, on: Target, authorization: string | undefined, query: string) =>
  Promise.all(
    guarded.flatMap((noun) =>
      methods.map((method) => {
        const body = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? undefined : {}
        return ask(world.here, method, pathOf(noun, on) + query, authorization, body)
      }),
    ),
  )

/** Tokens that open nothing. */
export const wrongTokens: Readonly<Record<string, (world: World, on: Target) => string | undefined>> = {
  'no token': () => undefined,
  'a wrong token': () => bearer('guess'),
  'a token of the right form': (_w, { name }) => bearer(`token_${'0'.repeat(24)}.${name}`),
  'the own token with the name of the other': ({ acme }, { name }) =>
    bearer(`${bare(acme.admin_token)}.${name}`),
  'the own token with the name of its copy': ({ acme }, { copy }) =>
    bearer(`${bare(acme.admin_token)}.${copy}`),
  'the own token with the name of the own copy': ({ acme }) =>
    bearer(`${bare(acme.admin_token)}.${acme.copy}`),
  'the own token with default': ({ acme }) => bearer(`${bare(acme.admin_token)}.default`),
  'the own token without a name': ({ acme }) => bearer(bare(acme.admin_token)),
  'the own token that was ended': ({ acme }) => bearer(acme.ended.admin_token),
  'a token of the other that was ended': ({ beta }) => bearer(beta.ended.admin_token),
  'an API key': ({ acme }) => bearer(acme.api_key),
  'a token as Basic': ({ acme }) => basic(acme.admin_token),
}

const own = ({ acme }: World): string => bearer(acme.admin_token)
const key = ({ acme }: World): string => bearer(acme.api_key)

const naming = (name: string): string[] => [
  name,
  encodeURIComponent(name).replace(/./, (first) => `%${first.charCodeAt(0).toString(16)}`),
  `acme&workspace=${name}`,
  `${name}&workspace=acme`,
  `${name}%00`,
  `../${name}`,
  name.toUpperCase(),
]

/** The calls in the journal of the attacker that are replayed with other headers. */
async function replayed(world: World, authorization: string, into?: string): Promise<Told[]> {
  const { here } = world
  const { json } = await ask(here, 'GET', '/_sandbox/requests?limit=1', own(world))
  const path = `/_sandbox/requests/${json.requests[0].id}/replay`
  const answer = await ask(here, 'POST', path, own(world), {
    headers: { authorization },
    ...(into === undefined ? {} : { workspace: into }),
  })
  if (answer.status !== 201) return [answer]
  const { workspace, request_id: id, status, body } = answer.json
  const why = await ask(here, 'GET', `/_sandbox/requests/${id}?workspace=${workspace}`, own(world))
  const { summary, sections } = why.json.explanation
  // Which of the own copies it was is nothing of the other.
  return [{ ...why, status, text: JSON.stringify([body, summary, sections]).replaceAll(workspace, 'COPY') }]
}

export const tries: readonly Try[] = [
  ...callsWithoutRight,
  {
    what: 'keys that follow from the seed',
    status: 401,
    run: ({ here }, { name }) =>
      Promise.all(guessesFor(1, name).map((guess) => ask(here, 'GET', '/v2/customers', guess))),
  },
  ...Object.entries(wrongTokens).flatMap(([what, credential]): Try[] => [
    {
      what: `${what}, for everything of the workspace`,
      status: 401,
      run: (world, on) => everyNoun(world, on, credential(world, on), `?workspace=${on.name}`),
    },
    {
      what: `${what}, for everything`,
      status: 401,
      run: (world, on) => everyNoun(world, on, credential(world, on), ''),
    },
  ]),
  {
    what: 'the own token, for everything of the other workspace',
    status: 403,
    run: (world, on) => everyNoun(world, on, own(world), `?workspace=${on.name}`),
  },
  {
    what: 'the own token, for everything of the copy of the other',
    status: 403,
    run: (world, on) => everyNoun(world, on, own(world), `?workspace=${on.copy}`),
  },
  {
    what: 'the own token, for everything of default',
    status: 403,
    run: (world, on) => everyNoun(world, on, own(world), '?workspace=default'),
  },
  {
    what: 'the own token, with the other name written in other ways',
    status: 403,
    run: (world, { name }) =>
      Promise.all(
        naming(name).flatMap((written) =>
          ['GET', 'PUT'].map((method) =>
            ask(
              world.here,
              method,
              `/_sandbox/state?workspace=${written}`,
              own(world),
              method === 'PUT' ? {} : undefined,
            ),
          ),
        ),
      ),
  },
  {
    what: 'what is shared and changes something, or tells of all',
    status: 403,
    run: (world, { name }) =>
      Promise.all([
        ask(world.here, 'POST', '/_sandbox/stop', own(world)),
        ask(world.here, 'GET', '/_sandbox/metrics', own(world)),
        ask(world.here, 'POST', '/_sandbox/workspaces', own(world), { name }),
        ask(world.here, 'POST', '/_sandbox/workspaces', own(world), { name: 'mine', from: name }),
        ask(world.here, 'POST', '/_sandbox/workspaces', own(world), { from: 'acme' }),
        ask(world.here, 'DELETE', `/_sandbox/workspaces/${name}`, own(world)),
        ask(world.here, 'DELETE', '/_sandbox/workspaces/acme', own(world)),
        ask(world.here, 'GET', `/_sandbox/workspaces/${name}`, own(world)),
        ask(world.here, 'GET', `/_sandbox/workspaces/${name}`, own(world), undefined),
        ask(world.here, 'POST', `/_sandbox/workspaces/${name}/rotate`, own(world)),
        ask(world.here, 'POST', '/_sandbox/workspaces/default/rotate', own(world)),
      ]),
  },
  {
    what: 'its snapshots, scenarios, requests and rows by their names in the own workspace',
    status: 404,
    run: (world, { name, mark }) =>
      Promise.all(
        [
          ['GET', `/snapshots/${mark}`],
          ['POST', `/snapshots/${mark}/restore`],
          ['GET', `/snapshots/${mark}/diff`],
          ['DELETE', `/snapshots/${mark}`],
          ['GET', `/scenarios/${mark}`],
          ['DELETE', `/scenarios/${mark}`],
          ['GET', `/requests/req_${name}_1`],
          ['GET', `/requests/req_${name}_1?format=fixture`],
          ['POST', `/requests/req_${name}_1/replay`],
          ['GET', `/state/customers/cus_${mark}`],
          ['GET', `/state/rewards/rwd_${mark}`],
          ['DELETE', `/state/rewards/rwd_${mark}`],
        ].map(([method = '', path]) => ask(world.here, method, `/_sandbox${path}`, own(world))),
      ),
  },
  {
    what: 'its scenario, to be active in the own workspace, or for one call',
    status: 400,
    run: (world, { mark }) =>
      Promise.all([
        ask(world.here, 'PUT', '/_sandbox/scenarios/active', own(world), [mark]),
        ask(world.here, 'PATCH', '/_sandbox/scenarios/active', own(world), { on: [mark] }),
        ask(world.here, 'GET', '/v2/customers', key(world), undefined, { 'x-sandbox-scenario': mark }),
      ]),
  },
  {
    what: 'its rows by the API, and stubs that it has',
    status: 404,
    run: (world, { mark }) =>
      Promise.all([
        ask(world.here, 'GET', `/v2/rewards/rwd_${mark}`, key(world)),
        ask(world.here, 'PATCH', `/v2/rewards/rwd_${mark}`, key(world), { amount: 1 }),
        ask(world.here, 'GET', `/v2/customers/cus_${mark}/rewards_balance`, key(world)),
        ask(world.here, 'GET', `/v2/${mark}/1`, key(world)),
      ]),
  },
  {
    what: 'its customer by the partner id',
    status: 200,
    run: (world, { mark }) =>
      ask(world.here, 'GET', `/v2/customers?partner_customer_id=partner%20${mark}`, key(world)),
  },
  {
    what: 'its cursor, in the own list',
    status: 400,
    run: (world, { name }) =>
      ask(
        world.here,
        'GET',
        `/v2/customers/cus_ada/accounts/acct_ada/statements?starting_after=${name === 'beta' ? world.beta.cursor : Buffer.from('x'.repeat(60)).toString('base64url')}`,
        key(world),
      ),
  },
  {
    what: 'a link to its statements that was changed, or made for the own one',
    status: 403,
    run: (world, { name }) => {
      const { acme, beta, here } = world
      const [mine, theirs] = [acme.pdfUrl, beta.pdfUrl].map((url) => new URL(url))
      const path = (url: URL | undefined, of: string): string =>
        `${url?.pathname.replace(/statements\/\w+\//, `statements/${of}/`)}${url?.search}`
      return Promise.all([
        ask(here, 'GET', path(mine, name)),
        ask(here, 'HEAD', path(mine, name)),
        ask(here, 'GET', path(mine, 'default')),
        ask(here, 'GET', path(theirs, 'acme')),
        ask(here, 'GET', path(theirs, name).replace(/.$/, '_')),
        ask(here, 'GET', path(theirs, name).replace(/expires=\d/, 'expires=9')),
        ask(here, 'GET', `/_sandbox/files/statements/${name}/stm_ada_1.pdf`),
      ])
    },
  },
  {
    what: 'a replay into its workspace, into its copy, into default and into a new one',
    status: 403,
    run: async (world, { name, copy }) =>
      (
        await Promise.all(
          [name, copy, 'default', 'a-new-one'].map((into) => replayed(world, key(world), into)),
        )
      ).flat(),
  },
  ...Object.entries(strangers)
    // Those of the attacker itself open the copy, whatever workspace they name: that is what a replay is.
    .filter(([what]) => /baseline|other/.test(what) && !/own (?:key|pair|secret)|was made, with/.test(what))
    .map(([what, credential]): Try => ({
      what: `a replay with ${what}, and why it was refused`,
      status: 401,
      run: (world, on) => replayed(world, credential(world, on)),
    })),
  {
    what: 'a replay with two names, and why it was refused',
    status: 401,
    run: async (world, { name }) =>
      (
        await Promise.all(
          ['key_full', 'key_nothing', 'sk_sandbox_full'].flatMap((one) => [
            replayed(world, basic(`${one}.${name}.x`, 'guess')),
            replayed(world, bearer(`${one}.${name}.x`)),
          ]),
        )
      ).flat(),
  },
  {
    what: 'the own state as its own: a row of API keys, a document and a snapshot with keys of the other',
    status: 401,
    run: async (world, { name }) => {
      const { here, beta } = world
      const stolen = { api_key: bare(beta.api_key), secret: 'secret_of_mine' }
      const row = { id: 'mine', ...stolen, scopes: [], products: ['mk_summit'], environment: 'sandbox' }
      const chosen = { ...row, id: 'chosen', api_key: 'chosen' }
      await ask(here, 'PUT', '/_sandbox/snapshots/own', own(world))
      await ask(here, 'PUT', '/_sandbox/state/api_keys/mine', own(world), row)
      await ask(here, 'PUT', '/_sandbox/state/api_keys/chosen', own(world), chosen)
      const made = [`${stolen.api_key}.acme`, 'chosen.acme', `chosen.${name}`]
      const answers = await Promise.all(made.map((text) => ask(here, 'GET', '/v2/customers', bearer(text))))
      await ask(here, 'POST', '/_sandbox/snapshots/own/restore', own(world))
      return [
        ...answers,
        await ask(here, 'GET', '/v2/customers', basic(`mine.${name}`, 'secret_of_mine')),
        await ask(here, 'GET', '/v2/customers', basic('mine.acme', 'secret_of_mine')),
      ]
    },
  },
  {
    what: 'what stands open to everybody',
    status: 200,
    run: async (world, { name }) =>
      (
        await Promise.all(
          ['health', 'ready'].flatMap((path) =>
            [undefined, own(world), bearer(`token_${'0'.repeat(24)}.${name}`)].map((token) =>
              ask(world.here, 'GET', `/_sandbox/${path}?workspace=${name}`, token),
            ),
          ),
        )
      ).map(({ text, ...told }) => ({ ...told, text: text.replace(/"uptime_seconds":\d+/, '') })),
  },
  {
    what: 'paths that are none',
    status: 404,
    run: (world, { name }) =>
      Promise.all([
        ask(world.here, 'GET', `/_sandbox/${name}?workspace=${name}`, own(world)),
        ask(world.here, 'GET', `/_sandbox/workspaces/${name}/keys?workspace=${name}`, own(world)),
      ]),
  },
]

/** Requests of a partner whose answers are equal for all, or show only its own data. */
export const ownViews: readonly string[] = [
  ...guarded
    .filter(
      ({ operations, path }) =>
        operations.some(({ route }) => route.startsWith('GET ')) && !path.includes(':'),
    )
    .map(({ path }) => path),
  '/_sandbox',
  '/_sandbox/workspaces/acme',
]
