// The packed program, whose build bundles the client library, with each kind of engine.
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { describeWithEngine, startCluster, startEngine, type RunningEngine } from '../helpers/engine.ts'
import { bin, launch, started } from '../helpers/processes.ts'

interface Kind {
  args: string[]
  env?: Record<string, string>
  nodes: readonly RunningEngine[]
}

const reward = '/v2/rewards/rwd_ada_pending'

/** Twice three workspaces, by the node of a cluster of three that they are on. */
const [before, after] = [
  ['b', 'a', 'd'],
  ['c', 'e', 'h'],
]

async function single(setup: Parameters<typeof startEngine>[0] = {}): Promise<RunningEngine> {
  const engine = await startEngine(setup)
  onTestFinished(engine.stop)
  return engine
}

const kinds: Record<string, () => Promise<Kind>> = {
  plain: async () => {
    const engine = await single()
    return { args: ['--store', `${engine.url}/3`], nodes: [engine] }
  },
  'TLS, by NODE_EXTRA_CA_CERTS': async () => {
    const engine = await single({ tls: true })
    return { args: ['--store', engine.url], env: { NODE_EXTRA_CA_CERTS: engine.ca }, nodes: [engine] }
  },
  'a user of an access list, with the password in a variable': async () => {
    const password = 's3cret/@'
    const engine = await single({ user: 'app', password })
    const url = `redis://app@${engine.host}:${engine.port}`
    return { args: ['--store', url], env: { SANDBOX_STORE_PASSWORD: password }, nodes: [engine] }
  },
  'a cluster of three, with a password': async () => {
    const cluster = await startCluster(3, { password: 's3cret' })
    onTestFinished(cluster.stop)
    return { args: ['--store', cluster.url], nodes: cluster.nodes }
  },
}

describeWithEngine('the packed program', () => {
  it.each(Object.keys(kinds))(
    '%s -> each process takes the rows of the other over, also after connections were cut',
    async (name) => {
      const { args, env, nodes } = (await kinds[name]?.()) ?? { args: [], nodes: [] }
      const options = env === undefined ? {} : { env }
      const [one, two] = await Promise.all([started(args, options), started(args, options)])

      const share = async (workspaces: readonly string[]): Promise<void> => {
        await Promise.all(
          workspaces.map(async (workspace) => {
            expect(await ask(one.url, workspace, { status: 'AVAILABLE' })).toEqual([200, 'AVAILABLE'])
            expect(await ask(two.url, workspace)).toEqual([200, 'AVAILABLE'])
          }),
        )
      }
      await share(before)
      for (const node of nodes) await node.cli('client', 'kill', 'type', 'normal')
      await share(after)
    },
    120_000,
  )

  it('a wrong password -> exit 4, with what to check', async () => {
    const { host, port } = await single({ password: 'right' })
    const child = launch([bin, '--port', '0', '--store', `redis://:wrong@${host}:${port}`])
    expect(await child.ended).toBe(4)
    expect(child.err()).toContain('refuses our user name or password: check those of the address')
  })
})

/** Reads a reward, or changes it, once its owner has released it: the status of the answer, and that of the reward. */
async function ask(url: string, workspace: string, changes?: object): Promise<[number, unknown]> {
  const answer = await fetch(url + reward, {
    method: changes ? 'PATCH' : 'GET',
    headers: { authorization: `Bearer sk_sandbox_full.${workspace}`, 'content-type': 'application/json' },
    ...(changes ? { body: JSON.stringify(changes) } : {}),
  })
  const { status } = (await answer.json()) as { status?: unknown }
  if (answer.status === 503) {
    await wait(200)
    return ask(url, workspace, changes)
  }
  return [answer.status, status]
}
