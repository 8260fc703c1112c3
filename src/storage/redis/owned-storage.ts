// The driver for Redis and Valkey: each workspace has a lease, a log of deltas and a checkpoint in one slot.
import { StorageUnavailableError, StoreError } from '../../workspaces/storage.ts'
import {
  OwnedElsewhereError,
  type BaselineId,
  type ListedWorkspace,
  type OpenedWorkspace,
  type Storage,
  type StorageEvents,
  type StorageHealth,
} from '../../workspaces/storage.ts'
import type { Engine, EngineStatus, ScriptArgument } from './store-engine.ts'
import type { DefinedScript } from './define-script.ts'
import { damagedKeys, EngineCalls, isForeign, mayHaveRun } from './engine-calls.ts'
import { joinBaseline } from './join-baseline.ts'
import {
  acquire,
  appendDelta,
  dropWorkspace,
  otherWrites,
  releaseLease,
  replaceCheckpoint,
  workspaceKeys,
} from './lease-scripts.ts'
import { Leases, type Lease, type LeaseTimes } from './leases.ts'
import { descriptionOf, WorkspaceNames } from './workspace-names.ts'

export interface OwnedStorageContext {
  readonly engine: Engine
  readonly prefix: string
  /** The address without its password. */
  readonly shown: string
  /** This process in the messages of other processes, such as `process 4711 on build-7`. */
  readonly who: string
  /** Identifies this process; no other process has ever had it. */
  readonly token: string
  readonly times: LeaseTimes
  /** In ms since 1970. */
  now(): number
  monotonicNow(): number
  every(milliseconds: number, run: () => unknown): () => void
  readonly events: StorageEvents
}

export class OwnedStorage implements Storage {
  readonly #context: OwnedStorageContext
  readonly #calls: EngineCalls
  readonly #names: WorkspaceNames
  readonly #leases: Leases
  readonly #damaged = new Map<string, string>()
  readonly #stopRenewing: () => void
  #baseline: BaselineId | undefined

  constructor(context: OwnedStorageContext) {
    const { engine, prefix, token, times, events } = context
    this.#context = context
    this.#calls = new EngineCalls(engine)
    this.#names = new WorkspaceNames(this.#calls, prefix)
    const { monotonicNow: now } = context
    this.#leases = new Leases({ calls: this.#calls, prefix, token, times, now, events })
    this.#stopRenewing = context.every(times.renewEvery, () => this.#renew())
    engine.onStatus = (status) => this.#onStatus(status)
  }

  async join(baseline: BaselineId): Promise<void> {
    await joinBaseline(this.#calls, this.#context, baseline)
    this.#baseline = baseline
  }

  list(): Promise<readonly ListedWorkspace[]> {
    return this.#names.list()
  }

  async open(name: string, about: string): Promise<OpenedWorkspace> {
    const lease = this.#leases.begin(name)
    // The name comes first on a connection. Without an order, as in a cluster, a lease without a name just expires.
    const adding = this.#names.add(name, this.#context.now())
    const [added, opened] = await Promise.allSettled([adding, this.#acquire(name, lease)])
    if (opened.status === 'rejected') {
      if (added.status === 'fulfilled' && added.value === 'added' && !mayHaveRun(opened.reason))
        await this.#names.takeBack(name).catch(() => undefined)
      throw opened.reason
    }
    if (added.status === 'rejected') throw added.reason
    const { checkpoint, deltas } = opened.value
    const isNew = checkpoint === undefined && deltas.length === 0
    if (isNew || added.value !== 'described')
      await this.#names.describe(name, descriptionOf(about, this.#context.now()), true)
    this.#leases.add(name, lease)
    return opened.value
  }

  append(name: string, delta: string | undefined, about?: string): Promise<void> | undefined {
    if (delta !== undefined) return this.#write(appendDelta, name, delta, about)
    const lease = this.#leases.get(name)
    if (lease && about !== undefined) void this.#describe(name, lease, about)
    return undefined
  }

  async checkpoint(name: string, document: Iterable<string>, about: string): Promise<void> {
    const bytes = Buffer.concat(Array.from(document, (part) => Buffer.from(part)))
    await this.#write(replaceCheckpoint, name, bytes, about)
  }

  async release(name: string): Promise<void> {
    const lease = this.#leases.get(name)
    if (!lease) return
    this.#leases.remove(name)
    // After this, the description is that of the next owner.
    await this.#persistDescription(name, lease)
    // If the engine is away, the lease expires.
    await this.#runOwned(releaseLease, name, lease).catch((error: unknown) => {
      if (!(error instanceof StorageUnavailableError || error instanceof OwnedElsewhereError)) throw error
    })
  }

  async drop(name: string): Promise<void> {
    const lease = this.#leases.require(name)
    const mark = `${this.#context.token}.${lease.generation}`
    await this.#names.mark(name, mark)
    try {
      await this.#writeOwned(dropWorkspace, name, lease)
    } catch (error) {
      if (!mayHaveRun(error)) await this.#names.unmark(name, mark, false).catch(() => undefined)
      throw error
    }
    this.#leases.remove(name)
    await this.#names.unmark(name, mark, true)
  }

  owns(name: string): boolean {
    return this.#leases.isTrusted(name)
  }

  get health(): StorageHealth {
    const { status } = this.#context.engine
    return {
      away: status.status === 'away' ? status.reason : undefined,
      damaged: this.#damaged,
      figures: { roundTrips: this.#calls.roundTrips, owned: this.#leases.size, lost: this.#leases.lost },
    }
  }

  async close(): Promise<void> {
    this.#stopRenewing()
    await Promise.allSettled(this.#leases.names.map((name) => this.release(name)))
    this.#context.engine.onStatus = undefined
    await this.#context.engine.close()
  }

  async #acquire(name: string, lease: Lease): Promise<OpenedWorkspace> {
    const { token, who, times, prefix } = this.#context
    const keys = workspaceKeys(prefix, name)
    const args = [token, lease.generation, who, times.lease, times.wanted]
    const reply = await this.#calls.runForBytes(acquire, keys, args).catch((error: unknown) => {
      throw this.#failureOf(name, error)
    })
    this.#damaged.delete(name)
    if (!Array.isArray(reply)) throw new OwnedElsewhereError(name, String(reply) || 'another process')
    const [checkpoint, deltas] = reply as [Buffer | null, Buffer[]]
    return { checkpoint: checkpoint ?? undefined, deltas: deltas.map(String) }
  }

  async #write(
    script: DefinedScript,
    name: string,
    text: ScriptArgument,
    about: string | undefined,
  ): Promise<void> {
    const lease = this.#leases.require(name)
    await this.#writeOwned(script, name, lease, text)
    if (about !== undefined) await this.#describe(name, lease, about)
  }

  async #writeOwned(
    script: DefinedScript,
    name: string,
    lease: Lease,
    ...texts: ScriptArgument[]
  ): Promise<void> {
    try {
      await this.#runOwned(script, name, lease, lease.writes, ...texts)
      lease.writes += 1
    } catch (error) {
      // It is unknown what is stored, until the workspace is opened again.
      if (mayHaveRun(error)) this.#leases.remove(name)
      throw error
    }
  }

  async #runOwned(
    script: DefinedScript,
    name: string,
    lease: Lease,
    ...args: ScriptArgument[]
  ): Promise<void> {
    const { token, prefix, shown, events } = this.#context
    const all = [token, lease.generation, ...args]
    const reply = await this.#calls.run(script, workspaceKeys(prefix, name), all).catch((error: unknown) => {
      throw this.#failureOf(name, error)
    })
    if (reply === 1) return void this.#damaged.delete(name)
    if (reply === otherWrites)
      events.onProblem(
        `The store ${shown} lost writes of workspace '${name}' that it had acknowledged, as after a restart without its last writes: the workspace continues with those that are left.`,
      )
    throw this.#leases.lose(name, lease, reply === otherWrites ? '' : String(reply))
  }

  #failureOf(name: string, error: unknown): unknown {
    if (!isForeign(error)) return error
    const damaged = damagedKeys(`{${this.#context.prefix}:${name}}:*`, { cause: error })
    this.#damaged.set(name, damaged.message)
    return damaged
  }

  #describe(name: string, lease: Lease, about: string): Promise<void> {
    lease.description = descriptionOf(about, this.#context.now())
    return this.#persistDescription(name, lease)
  }

  async #persistDescription(name: string, lease: Lease): Promise<void> {
    const { description } = lease
    if (description === undefined) return
    try {
      await this.#names.describe(name, description, false)
      if (lease.description === description) lease.description = undefined
    } catch {
      // It is sent again with the next renewal.
    }
  }

  async #renew(): Promise<void> {
    const described = this.#leases.names.map((name) =>
      this.#persistDescription(name, this.#leases.require(name)),
    )
    await Promise.all([this.#leases.renew(), ...described])
  }

  #onStatus(status: EngineStatus): void {
    const { shown, events } = this.#context
    if (status.status === 'away') {
      return events.onProblem(
        `The store ${shown} is away, and calls are answered 503 until it is back: ${status.reason}.`,
      )
    }
    events.onProblem(`The store ${shown} answers again.`)
    void this.#renew()
    // An engine that lost its data has no baseline, or that of another process.
    if (this.#baseline) {
      this.join(this.#baseline).catch((error: unknown) => {
        if (error instanceof StoreError) events.onEnd(error)
      })
    }
  }
}
