import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import {
  Replicas,
  type Answered,
  type RequestOptions,
  type Balanced,
  type ReplicaName,
} from '../helpers/balancer.ts'
import { describeWith } from '../helpers/describe-with.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { blocksOf } from '../helpers/markdown-blocks.ts'
import { basic } from '../helpers/sandbox.ts'

const page = readFileSync(join(packageRoot(), 'docs', 'many-machines.md'), 'utf8')

function shown(heading: string, language: string): string {
  const block = blocksOf(page).find((each) => each.heading === heading && each.language === language)
  if (!block) throw new Error(`docs/many-machines.md has no ${language} under '${heading}'`)
  return block.code
}

/** The credentials of a partner's workspace, as far as they are used here. */
interface Credentials {
  api_key: string
  api_keys: { id: string; secret: string }[]
  admin_token: string
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
const numbered = (prefix: string): string[] => Array.from({ length: 200 }, (_, at) => `${prefix}${at + 1}`)
const all: ReplicaName[] = ['one', 'two', 'three']
/** Names of all kinds, which are not all on one replica. */
const severalPlaces = ['W', 'partner-a_test-7', 'x'.repeat(64), '0', '_', '-']

/** How many there are of each. */
function tally(replicas: Iterable<ReplicaName | undefined>): Map<ReplicaName | undefined, number> {
  const counts = new Map<ReplicaName | undefined, number>()
  for (const replica of replicas) counts.set(replica, (counts.get(replica) ?? 0) + 1)
  return counts
}

function expectSpread(replicas: Iterable<ReplicaName | undefined>, among: readonly ReplicaName[]): void {
  const counts = tally(replicas)
  expect([...counts.keys()].toSorted()).toEqual(among.toSorted())
  // Far from even would be a hash that does not hash: names that differ in a number must not stay together.
  for (const [name, count] of counts) expect(count, name).toBeGreaterThan(200 / among.length / 2)
}

describeWith('haproxy')('the workspace from the credential', { timeout: 60_000 }, () => {
  // With a dot: what stands behind it is no workspace.
  const token = 'admin.token'
  const replicas = new Replicas(['--admin-token', token])
  const config = shown('The workspace from the credential', 'haproxy')
  let ask: Balanced

  beforeAll(async () => {
    await replicas.start()
    ask = await replicas.balance(config)
  })
  afterAll(() => replicas.close())

  const inWorkspace = (workspace: string): Promise<Answered> =>
    ask('/v2/customers', { headers: bearer(`sk_sandbox_full.${workspace}`) })
  const placesOf = async (workspaces: readonly string[]): Promise<Map<string, ReplicaName | undefined>> => {
    const answers = await Promise.all(workspaces.map(inWorkspace))
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
    return new Map(workspaces.map((workspace, at) => [workspace, answers[at]?.replica]))
  }

  /** Calls of the API in one workspace, in every form of a credential and with several keys. */
  const callsOf = (w: string): [string, number, string, RequestOptions][] => {
    const reward = '/v2/rewards/rwd_ada_pending'
    return [
      ['Bearer', 200, reward, { headers: bearer(`sk_sandbox_full.${w}`) }],
      ['bearer, in lower case', 200, reward, { headers: { authorization: `bearer sk_sandbox_full.${w}` } }],
      ['Basic with the key', 200, reward, { headers: basic(`sk_sandbox_full.${w}`) }],
      ['Basic with key id and secret', 200, reward, { headers: basic(`key_full.${w}`, 'secret_full') }],
      ['another key', 200, reward, { headers: bearer(`sk_sandbox_without_order_write.${w}`) }],
      ['another key as Basic', 200, reward, { headers: basic(`sk_sandbox_without_order_write.${w}`) }],
      ['a wrong path', 404, '/v2/nothing', { headers: basic(`sk_sandbox_full.${w}`) }],
      [
        'a write',
        200,
        reward,
        { method: 'PATCH', headers: basic(`sk_sandbox_full.${w}`), body: { status: 'AVAILABLE' } },
      ],
    ]
  }

  /** Calls of the control plane for one workspace: it knows of those of the API, and of the one that found its place. */
  const controlOf = (w: string): [string, number, string, RequestOptions][] => {
    const headers = bearer(token)
    const named = `workspace=${w}`
    return [
      ['the state', 200, `/_sandbox/state?counts=true&${named}`, { headers }],
      ['a parameter in escapes', 200, `/_sandbox/clock?workspace=${escaped(w)}`, { headers }],
      ['a row', 200, `/_sandbox/state/rewards/rwd_ada_pending?${named}`, { headers }],
      ['verify', 200, `/_sandbox/requests/verify?${named}`, { method: 'POST', headers, body: { count: 9 } }],
      ['coverage', 200, `/_sandbox/coverage?${named}`, { headers }],
      ['the stream', 200, `/_sandbox/stream?${named}`, { headers, headOnly: true }],
      ['the workspace by its path', 200, `/_sandbox/workspaces/${w}`, { headers }],
      ['deleting it', 204, `/_sandbox/workspaces/${escaped(w)}`, { method: 'DELETE', headers }],
      ['making it again', 201, '/_sandbox/workspaces', { method: 'POST', headers, body: { name: w } }],
      ['deleting it again', 204, `/_sandbox/workspaces/${w}`, { method: 'DELETE', headers }],
      [
        'making it with a large body',
        201,
        '/_sandbox/workspaces',
        { method: 'POST', headers, body: { name: w, fixtures: large } },
      ],
      ['deleting it once more', 204, `/_sandbox/workspaces/${w}`, { method: 'DELETE', headers }],
      [
        'making it with the name in the address',
        201,
        `/_sandbox/workspaces?${named}`,
        { method: 'POST', headers, body: { fixtures: large, name: w } },
      ],
      ['deleting it at last', 204, `/_sandbox/workspaces/${w}`, { method: 'DELETE', headers }],
    ]
  }

  it('200 workspaces are spread over all replicas', async () => {
    expectSpread((await placesOf(numbered('w'))).values(), all)
  })

  it('all forms of one workspace meet on one replica', async () => {
    const places = await placesOf(severalPlaces)
    expect([...new Set(places.values())].toSorted(), 'these are not all on one').toEqual(all.toSorted())
    for (const [workspace, replica] of places) {
      const rows = [...callsOf(workspace), ...controlOf(workspace)]
      const seen: [string, number, ReplicaName | undefined][] = []
      for (const [form, , path, options] of rows) {
        const answer = await ask(path, options)
        seen.push([form, answer.status, answer.replica])
      }
      expect(seen, workspace).toEqual(rows.map(([form, status]) => [form, status, replica]))
    }
  })

  it('the link to a statement leads to the replica that made it', async () => {
    for (const [workspace, replica] of await placesOf(['W', 'w1', 'w2', 'w3', 'w4', 'w5'])) {
      const path = '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1'
      const listed = await ask(path, { headers: basic(`sk_sandbox_full.${workspace}`) })
      const { pathname, search } = new URL(JSON.parse(listed.body).data[0].pdf_url)
      const file = await ask(pathname + search)
      expect([file.status, file.replica, file.body.slice(0, 5)]).toEqual([200, replica, '%PDF-'])
    }
  })

  it('what names no workspace is on the replica of default', async () => {
    const { replica } = await ask('/_sandbox/clock?workspace=default', { headers: bearer(token) })
    const rows: [number, string, RequestOptions][] = [
      [200, '/v2/customers', { headers: bearer('sk_sandbox_full') }],
      [200, '/v2/customers', { headers: basic('key_full', 'secret_full') }],
      [200, '/v2/customers', { headers: basic('sk_sandbox_full.default') }],
      [200, '/_sandbox/clock', { headers: bearer(token) }],
      [200, '/_sandbox/health', {}],
      [401, '/v2/customers', {}],
      [401, '/v2/customers?workspace=w2', {}],
      [401, '/v2/customers', { headers: bearer('sk_sandbox_full.w/2') }],
      [401, '/v2/customers', { headers: bearer(`sk_sandbox_full.${'x'.repeat(65)}`) }],
      [401, '/v2/customers', { headers: { authorization: 'Basic %%%' } }],
      [401, '/v2/customers', { headers: { authorization: 'Digest username="w2"' } }],
      [400, '/_sandbox/clock?workspace=w/2', { headers: bearer(token) }],
    ]
    const answers = await Promise.all(rows.map(([, path, options]) => ask(path, options)))
    expect(answers.map((answer) => [answer.status, answer.replica])).toEqual(
      rows.map(([status]) => [status, replica]),
    )
  })

  it('hashing the raw Authorization would tear a workspace apart', async () => {
    const wrong = config.replace('hash var(txn.workspace)', 'hash req.hdr(authorization)')
    expect(wrong).not.toBe(config)
    const askWrongly = await replicas.balance(wrong)
    const seen = await Promise.all(callsOf('torn').map(([, , path, options]) => askWrongly(path, options)))
    expect(tally(seen.map(({ replica }) => replica)).size).toBeGreaterThan(1)
  })

  it('a scenario that resets the connection ends it for the client', async () => {
    const headers = { ...bearer('sk_sandbox_full.cut'), 'x-sandbox-scenario': 'reset' }
    // On a connection with calls before, haproxy does so anyhow.
    await expect(ask('/v2/customers', { headers, alone: true })).rejects.toThrow('socket hang up')
  })

  it('a replica that is away moves its own workspaces and no other, and has them again when it is back', async () => {
    const before = await placesOf(numbered('away'))
    const own = numbered('away').filter((workspace) => before.get(workspace) === 'two')
    await replicas.kill('two')
    // A call that was on its way on an open connection as the replica went is hung up, for the client to send it again.
    await until(async () => {
      const answer = await inWorkspace(own[0] ?? '').catch(() => undefined)
      return answer?.status === 200
    })
    const meanwhile = await placesOf(numbered('away'))
    const moved = numbered('away').filter((workspace) => meanwhile.get(workspace) !== before.get(workspace))
    expect(moved).toEqual(own)
    expect([...tally(own.map((workspace) => meanwhile.get(workspace))).keys()].toSorted()).toEqual([
      'one',
      'three',
    ])
    await replicas.startOne('two')
    await until(async () => (await inWorkspace(own[0] ?? '')).replica === 'two')
    expect(await placesOf(numbered('away'))).toEqual(before)
  })
})

describeWith('haproxy')('partners, by the workspace from the credential', { timeout: 60_000 }, () => {
  // As a partner's begins, and none of one: what stands behind the dot is no workspace.
  const operator = 'token_of-the-operator.w7'
  const secret = ['--isolation-secret', 'sixteen-or-more.']
  const replicas = new Replicas(['--isolation', 'partner', '--admin-token', operator, ...secret])
  let ask: Balanced

  beforeAll(async () => {
    await replicas.start()
    ask = await replicas.balance(shown('The workspace from the credential', 'haproxy'))
  })
  afterAll(() => replicas.close())

  const make = async (name: string): Promise<{ replica: ReplicaName | undefined; made: Credentials }> => {
    const options = { method: 'POST', headers: bearer(operator), body: { name } }
    const { status, replica, body } = await ask('/_sandbox/workspaces', options)
    expect([name, status]).toEqual([name, 201])
    return { replica, made: JSON.parse(body) }
  }

  it('all calls of a partner meet where the workspace was made, also those that name it by the token alone', async () => {
    const places = new Set<ReplicaName | undefined>()
    for (const name of severalPlaces) {
      const { replica, made } = await make(name)
      places.add(replica)
      const headers = bearer(made.admin_token)
      const [first] = made.api_keys
      const rows: [number, string, RequestOptions][] = [
        [200, '/v2/customers', { headers: bearer(made.api_key) }],
        [200, '/v2/customers', { headers: basic(first?.id ?? '', first?.secret) }],
        [200, '/_sandbox/clock', { headers }],
        [200, '/_sandbox/clock', { headers: { authorization: `bearer ${made.admin_token}` } }],
        [200, '/_sandbox/clock?', { headers }],
        [200, `/_sandbox/state?counts=true&workspace=${name}`, { headers }],
        [200, '/_sandbox/workspaces', { headers }],
        [200, '/_sandbox/stream', { headers, headOnly: true }],
        [200, '/_sandbox/clock/advance', { method: 'POST', headers, body: { days: 1 } }],
        [
          201,
          `/_sandbox/requests/req_${name}_1/replay`,
          { method: 'POST', headers, body: { workspace: name } },
        ],
        [403, '/_sandbox/workspaces', { method: 'POST', headers, body: {} }],
        [200, `/_sandbox/workspaces/${name}/rotate`, { method: 'POST', headers }],
        [401, '/_sandbox/clock', { headers }],
      ]
      const seen: [number, ReplicaName | undefined][] = []
      for (const [, path, options] of rows) {
        const answer = await ask(path, options)
        seen.push([answer.status, answer.replica])
      }
      expect(seen, name).toEqual(rows.map(([status]) => [status, replica]))
    }
    expect([...places].toSorted(), 'these are not all on one').toEqual(all.toSorted())
  })

  it('the token of the operator names no workspace, whatever stands in it', async () => {
    const { replica } = await ask('/_sandbox/clock?workspace=default', { headers: bearer(operator) })
    const places = await Promise.all(
      ['/_sandbox/clock', '/_sandbox/workspaces'].map((path) => ask(path, { headers: bearer(operator) })),
    )
    expect(places.map((answer) => [answer.status, answer.replica])).toEqual([
      [200, replica],
      [200, replica],
    ])
  })

  it('a replica that goes: made again elsewhere, a partner has the first keys and tokens again, not those of a rotation', async () => {
    const { replica, made } = await make('moved')
    if (!replica) throw new Error('haproxy answered itself')
    const asRotated = { method: 'POST', headers: bearer(made.admin_token) }
    const rotated: Credentials = JSON.parse((await ask('/_sandbox/workspaces/moved/rotate', asRotated)).body)
    const statusOf = async (token: string): Promise<number> =>
      (await ask('/_sandbox/clock', { headers: bearer(token), alone: true })).status
    expect([await statusOf(made.admin_token), await statusOf(rotated.admin_token)]).toEqual([401, 200])
    await replicas.kill(replica)
    await until(async () => (await statusOf(rotated.admin_token).catch(() => 0)) === 401)
    expect((await make('moved')).made).toEqual({ ...made, created_at: expect.any(String) })
    expect([await statusOf(made.admin_token), await statusOf(rotated.admin_token)]).toEqual([200, 401])
  })
})

describeWith('haproxy')('one host name for each partner', { timeout: 60_000 }, () => {
  let replicas: Replicas
  let ask: Balanced

  beforeAll(async () => {
    const folder = await folderWith({
      'sandbox.config.yaml': 'allowedHosts: [w1.sandbox.example, w2.sandbox.example, w3.sandbox.example]',
    })
    replicas = new Replicas(['--config', join(folder, 'sandbox.config.yaml')])
    await replicas.start()
    const [, balance = ''] = /^- \*\*One host name.*?`(balance [^`]+)`/m.exec(page) ?? []
    const recipe = shown('The workspace from the credential', 'haproxy')
    ask = await replicas.balance(
      recipe.replaceAll(/^ *http-request .*\n/gm, '').replace('balance hash var(txn.workspace)', balance),
    )
  })
  afterAll(() => replicas.close())

  it('200 host names are spread over all replicas', async () => {
    const hosts = numbered('w').map((name) => `${name}.sandbox.example`)
    const answers = await Promise.all(hosts.map((host) => ask('/v2/customers', { headers: { host } })))
    expect(tally(answers.map(({ status }) => `${status}` as never))).toEqual(new Map([['401', 200]]))
    expectSpread(
      answers.map(({ replica }) => replica),
      all,
    )
  })

  it('all that comes to one name meets, also workspaces whose names the sandbox made up', async () => {
    for (const name of ['w1.sandbox.example', 'w2.sandbox.example', 'w3.sandbox.example']) {
      const { replica } = await ask('/_sandbox/clock', { headers: { host: name } })
      const askHere = async (path: string, rest: RequestOptions = {}): Promise<Answered> => {
        const answer = await ask(path, { ...rest, headers: { host: name, ...rest.headers } })
        expect([path, answer.status < 300, answer.replica]).toEqual([path, true, replica])
        return answer
      }
      for (const form of [name.toUpperCase(), `${name}:4010`]) {
        await askHere('/_sandbox/clock', { headers: { host: form } })
      }
      const made = await askHere('/_sandbox/workspaces', { method: 'POST', body: {} })
      const { name: unnamed } = JSON.parse(made.body)
      await askHere('/v2/customers', { headers: basic(`sk_sandbox_full.${unnamed}`) })
      const copied = await askHere('/_sandbox/workspaces', { method: 'POST', body: { from: unnamed } })
      await askHere(`/_sandbox/state?counts=true&workspace=${JSON.parse(copied.body).name}`)
      const replayed = await askHere(`/_sandbox/requests/req_${unnamed}_1/replay?workspace=${unnamed}`, {
        method: 'POST',
        body: {},
      })
      await askHere(`/_sandbox/workspaces/${JSON.parse(replayed.body).workspace}`)
      const path = '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1'
      const listed = await askHere(path, { headers: bearer(`sk_sandbox_full.${unnamed}`) })
      const { host, pathname, search } = new URL(JSON.parse(listed.body).data[0].pdf_url)
      expect(host).toBe(name)
      await askHere(pathname + search)
    }
  })

  it('a name that is not allowed reaches the API, and not the control plane', async () => {
    const headers = { host: 'w4.sandbox.example' }
    expect(await ask('/_sandbox/clock', { headers })).toMatchObject({ status: 421 })
    const call = { headers: { ...headers, ...bearer('sk_sandbox_full.w4') } }
    expect(await ask('/v2/customers', call)).toMatchObject({ status: 200 })
  })
})

/** More than haproxy holds of a request: 38 kB. */
const large = { customers: Array.from({ length: 200 }, (_, at) => ({ id: String(at).padStart(180, '0') })) }

/** Each character as an escape. */
function escaped(text: string): string {
  return text.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
}

/** Asks until it is so: haproxy has to notice. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()));
}
