import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { describeWithEngine, startCluster, startEngine, type RunningCluster } from '../helpers/engine.ts'
import { fullKey, testNow, uncheckedCaller } from '../helpers/sandbox.ts'
import { withTest } from '../setup/with-test.ts'

const workspaces = ['default', ...Array.from({ length: 8 }, (_, index) => `w${index}`)]

async function replicas(store: string): Promise<Sandbox[]> {
  const sandboxes: Sandbox[] = []
  for (let replica = 0; replica < 2; replica += 1) {
    const sandbox = await createSandbox({ store, clock: testNow, frozen: true })
    withTest(() => sandbox.close())
    sandboxes.push(sandbox)
  }
  return sandboxes
}

/** A client that creates intents in one workspace of a replica, one after the other. */
class Client {
  /** The ids of acknowledged intents, in order. */
  readonly acknowledged: string[] = []
  readonly statuses = new Set<number>()
  readonly workspace: string
  readonly #call: ReturnType<typeof uncheckedCaller>

  constructor(sandbox: Sandbox, workspace: string) {
    this.workspace = workspace
    this.#call = uncheckedCaller(sandbox)
  }

  get #key(): string {
    return this.workspace === 'default' ? fullKey : `${fullKey}.${this.workspace}`
  }

  async write(): Promise<number> {
    const json = { customer_id: 'cus_ada', amount: 100, currency: 'USD' }
    const { status, json: body } = await this.#call('POST', '/v2/transaction_intents', {
      key: this.#key,
      json,
    })
    this.statuses.add(status)
    if (status === 200) this.acknowledged.push(body.id)
    // Refused calls must not be all that the event loop does.
    else await new Promise(setImmediate)
    return status
  }

  /** Writes until so many more writes were acknowledged. */
  async writeMore(count: number): Promise<void> {
    const enough = this.acknowledged.length + count
    while (this.acknowledged.length < enough) await this.write()
  }
}

async function intentsOf(sandbox: Sandbox, workspace: string): Promise<string[]> {
  const opened = await sandbox.open(workspace)
  return opened.state.list('transaction_intents').map(({ id }) => id)
}

describeWithEngine('a cluster of three masters with a replica each', () => {
  let cluster: RunningCluster
  beforeAll(async () => {
    cluster = await startCluster(3, { args: ['--repl-diskless-sync-delay', '0'] }, true)
  }, 60_000)
  afterAll(() => cluster?.stop())

  it('a master is killed under load -> 503 until its replica is promoted, then all goes on', async () => {
    const sandboxes = await replicas(cluster.url)
    // Two clients of each workspace, at its owner.
    const owners = new Map(workspaces.map((name, at) => [name, sandboxes[at % 2]]))
    const clients = [...owners, ...owners].flatMap(([name, owner]) => (owner ? new Client(owner, name) : []))
    await Promise.all(clients.map((client) => client.writeMore(5)))
    const before = new Map(clients.map((client) => [client, client.acknowledged.length]))
    const [master] = cluster.nodes
    const killed = Promise.all(clients.map((client) => client.writeMore(20)))
    await master?.kill('SIGKILL')
    await killed
    await Promise.all(clients.map((client) => client.writeMore(5)))

    const statuses = new Set(clients.flatMap((client) => [...client.statuses]))
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(statuses).toContain(503)
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
    const [next] = await replicas(cluster.url)
    for (const workspace of workspaces) {
      const there = new Set(next && (await intentsOf(next, workspace)))
      for (const client of clients.filter((other) => other.workspace === workspace)) {
        // The replica may lack the last writes before the failover, and nothing else.
        const lost = client.acknowledged
          .map((id, place) => (there.has(id) ? -1 : place))
          .filter((at) => at >= 0)
        const [first = 0] = lost
        expect(lost).toEqual(lost.map((_, index) => first + index))
        expect(client.acknowledged.slice(-5).filter((id) => !there.has(id))).toEqual([])
        if (lost.length > 0) expect(first).toBeGreaterThanOrEqual(before.get(client) ?? 0)
      }
    }
  }, 120_000)
})

/** How often the engine is killed; with PROOF_KILLS the figures are printed. */
const kills = Number(process.env['PROOF_KILLS'] ?? 5)

describeWithEngine('an engine whose process is killed', () => {
  it.each(['always', 'everysec'])('with appendfsync %s', { timeout: 20_000 * kills }, async (policy) => {
    const engine = await startEngine({ args: ['--appendonly', 'yes', '--appendfsync', policy] })
    withTest(() => engine.stop())
    const sandboxes = await replicas(engine.url)
    const clients = sandboxes.map((sandbox, at) => new Client(sandbox, `w${at}`))
    await Promise.all(clients.map((client) => client.writeMore(1)))
    let there: string[] = []
    let lostKills = 0
    for (let kill = 0; kill < kills; kill += 1) {
      const writing = Promise.all(clients.map((client) => client.writeMore(30)))
      await clients[0]?.write()
      await engine.kill('SIGKILL')
      await engine.restart()
      await writing
      const before = new Set(there)
      const lists = await Promise.all(sandboxes.map((sandbox, at) => intentsOf(sandbox, `w${at}`)))
      const one = lists.flatMap((ids, at) => ids.map((id) => `${at} ${id}`))
      const acknowledged = [
        ...before,
        ...clients.flatMap((client, at) => client.acknowledged.map((id) => `${at} ${id}`)),
      ]
      if (acknowledged.some((id) => !one.includes(id))) lostKills += 1
      // A write that was lost may get its id again.
      for (const client of clients) client.acknowledged.splice(0)
      there = one
    }
    if (process.env['PROOF_KILLS'])
      console.log(`appendfsync ${policy}: ${lostKills} of ${kills} kills lost writes`)
    // With everysec a write may be acknowledged before it is in the file: docs/many-machines.md says so.
    if (policy === 'always') expect(lostKills).toBe(0)
  })
})
