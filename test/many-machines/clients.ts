/** Clients that read and write the rows of several workspaces, and what they saw. */
import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Operation } from './history.ts'
import { written, type NumberRequest } from './number-model.ts'
import type { Random } from './random.ts'
import { send, type Reply, type Sent } from './sandbox-process.ts'

const rewards = ['rwd_ada_pending', 'rwd_carla_offer'] as const
const amountOf = (body: string): string => /"amount":(\d+)/.exec(body)?.[1] ?? ''
const isAcknowledged = (reply: Reply | undefined): boolean => reply !== undefined && reply.status < 300

/** What clients saw of one workspace. */
export class Observed {
  readonly name: string
  /** By reward: its amount as a number that is read and written. */
  readonly numbers = new Map<string, Operation<NumberRequest>[]>(rewards.map((reward) => [reward, []]))
  /** Acknowledged intents with their amounts, by id. */
  readonly intents = new Map<string, string>()
  /** When acknowledged calls began and ended (ms). */
  readonly acknowledged: (readonly [began: number, ended: number])[] = []

  constructor(name: string) {
    this.name = name
  }

  /** The longest time without an answer since an instant (ms). */
  outageSince(instant: number): number {
    const ends = this.acknowledged.map(([, ended]) => ended).filter((ended) => ended > instant)
    return Math.max(...ends.map((ended, at) => ended - (ends[at - 1] ?? instant)))
  }
}

export class Clients {
  readonly workspaces: readonly Observed[]
  /** Contradictions that a client notices itself. */
  readonly faults: string[] = []
  calls = 0
  unknown = 0
  isOver = false
  readonly #random: Random
  /** Ports of processes, or of the balancer alone. */
  readonly #ports: readonly number[]
  readonly #agent = new Agent({ keepAlive: true })
  readonly #requestIds = new Set<string>()
  /** Counts starts and ends of calls. */
  #instant = 0
  #lastNumber = 1_000

  constructor(random: Random, ports: readonly number[], workspaces: number) {
    this.#random = random
    this.#ports = ports
    this.workspaces = Array.from({ length: workspaces }, (_, at) => new Observed(`w${at}`))
  }

  /** Works until `isOver`. @param perWorkspace the number of concurrent clients of each. */
  async work(perWorkspace: number): Promise<void> {
    const clients = this.workspaces.flatMap((one) => Array.from({ length: perWorkspace }, () => one))
    await Promise.all(clients.map((one) => this.#client(one)))
  }

  /** Whether each workspace has answered a call that began after an instant. */
  haveAnsweredSince(instant: number): boolean {
    return this.workspaces.every((one) => one.acknowledged.some(([began]) => began >= instant))
  }

  /** Reads all rows of each workspace, and compares them with what was acknowledged. */
  async checkRows(): Promise<void> {
    for (const observed of this.workspaces) {
      const path = `/_sandbox/state?workspace=${observed.name}`
      const { body } = await this.#succeed(observed, { method: 'GET', path, key: '' })
      const { transaction_intents: rows = [] } = JSON.parse(body) as {
        transaction_intents?: { id: string; amount: number }[]
      }
      const found = new Map(rows.map(({ id, amount }) => [id, String(amount)]))
      for (const [id, amount] of observed.intents)
        if (found.get(id) !== amount) this.faults.push(`${observed.name}: the acknowledged ${id} is lost`)
      for (const reward of rewards) await this.#read(observed, reward)
    }
    this.#agent.destroy()
  }

  async #client(observed: Observed): Promise<void> {
    const random = this.#random
    let port = random.pick(this.#ports)
    while (!this.isOver) {
      if (random.chance(0.05)) port = random.pick(this.#ports)
      const reply = await this.#next(observed, port)
      if (isAcknowledged(reply)) continue
      await wait(reply?.retryAfter ?? 100)
      port = random.pick(this.#ports)
    }
  }

  #next(observed: Observed, port: number): Promise<Reply | undefined> {
    const random = this.#random
    const reward = random.pick(rewards)
    const kind = random.pick(['read', 'read', 'write', 'write', 'create', 'look'] as const)
    if (kind === 'read') return this.#read(observed, reward, port)
    if (kind === 'write') return this.#write(observed, reward, port)
    if (kind === 'create' || observed.intents.size === 0) return this.#create(observed, port)
    return this.#look(observed, port)
  }

  async #read(observed: Observed, reward: string, port?: number): Promise<Reply | undefined> {
    const started = ++this.#instant
    const call = { method: 'GET', path: `/v2/rewards/${reward}`, key: `sk_sandbox_full.${observed.name}` }
    const reply =
      port === undefined ? await this.#succeed(observed, call) : await this.#send(observed, port, call)
    if (reply && isAcknowledged(reply))
      observed.numbers
        .get(reward)
        ?.push({ started, ended: ++this.#instant, request: { kind: 'read' }, answer: amountOf(reply.body) })
    return reply
  }

  async #write(observed: Observed, reward: string, port: number): Promise<Reply | undefined> {
    const to = ++this.#lastNumber
    const started = ++this.#instant
    const path = `/v2/rewards/${reward}`
    const key = `sk_sandbox_full.${observed.name}`
    const reply = await this.#send(observed, port, { method: 'PATCH', path, key, json: { amount: to } })
    const answer = isAcknowledged(reply) ? written : undefined
    if (answer === undefined) this.unknown += 1
    observed.numbers
      .get(reward)
      ?.push({ started, ended: answer ? ++this.#instant : Infinity, request: { kind: 'write', to }, answer })
    return reply
  }

  async #create(observed: Observed, port: number): Promise<Reply | undefined> {
    const amount = ++this.#lastNumber
    const json = { customer_id: 'cus_ada', amount, currency: 'USD', payment_method_id: 'pm_ada_card' }
    const path = '/v2/transaction_intents'
    const key = `sk_sandbox_full.${observed.name}`
    const reply = await this.#send(observed, port, { method: 'POST', path, key, json })
    if (!reply || !isAcknowledged(reply)) this.unknown += 1
    else {
      const { id } = JSON.parse(reply.body) as { id: string }
      if (observed.intents.has(id)) this.faults.push(`${observed.name}: ${id} was assigned twice`)
      observed.intents.set(id, String(amount))
    }
    return reply
  }

  async #look(observed: Observed, port: number): Promise<Reply | undefined> {
    const [id, amount] = this.#random.pick([...observed.intents])
    const path = `/v2/transaction_intents/${id}`
    const key = `sk_sandbox_full.${observed.name}`
    const reply = await this.#send(observed, port, { method: 'GET', path, key }, [404])
    if (reply && (reply.status === 404 || (isAcknowledged(reply) && amountOf(reply.body) !== amount)))
      this.faults.push(`${observed.name}: a stale read of ${id}: ${reply.status} ${reply.body}`)
    return reply
  }

  /** Sends a call until it succeeds. */
  async #succeed(observed: Observed, call: Sent): Promise<Reply> {
    for (;;) {
      const reply = await this.#send(observed, this.#random.pick(this.#ports), call)
      if (reply && isAcknowledged(reply)) return reply
      await wait(reply?.retryAfter ?? 100)
    }
  }

  async #send(
    observed: Observed,
    port: number,
    call: Sent,
    others: readonly number[] = [],
  ): Promise<Reply | undefined> {
    this.calls += 1
    // Some clients still wait when a suspended process continues.
    const timeoutMs = this.#random.chance(0.15) ? 40_000 : 2_000
    const began = performance.now()
    const reply = await send(port, this.#agent, call, timeoutMs)
    if (reply && isAcknowledged(reply)) {
      observed.acknowledged.push([began, performance.now()])
      if (reply.id !== undefined && this.#requestIds.has(reply.id))
        this.faults.push(`the request id ${reply.id} was assigned twice`)
      if (reply.id !== undefined) this.#requestIds.add(reply.id)
    } else if (reply && reply.status !== 503 && !others.includes(reply.status))
      this.faults.push(`${call.method} ${call.path}: ${reply.status} ${reply.body}`)
    return reply
  }
}
