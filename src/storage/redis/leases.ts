// The leases of this process: which workspaces it owns, until when it may trust that, and their renewal.
import { OwnedElsewhereError, type StorageEvents } from '../../workspaces/storage.ts'
import type { EngineCalls } from './engine-calls.ts'
import { renewLease, workspaceKeys } from './lease-scripts.ts'

/** Durations of a lease in ms. */
export interface LeaseTimes {
  /** After this time without a renewal, the engine gives the workspace to another process. */
  readonly lease: number
  readonly renewEvery: number
  /** For this time since a renewal began, the process trusts its rows; shorter than the lease by all delays. */
  readonly trust: number
  /** How long the engine keeps the mark that another process wants a workspace; longer than `renewEvery`. */
  readonly wanted: number
}

export const defaultTimes: LeaseTimes = { lease: 10_000, renewEvery: 3_000, trust: 8_000, wanted: 6_000 }

/** One acquisition of a workspace. */
export interface Lease {
  readonly generation: number
  /** Writes that the engine acknowledged since the acquisition. */
  writes: number
  /** When the last successful renewal, or the acquisition, began; on the monotonic clock. */
  renewedAt: number
  /** A description that is not acknowledged yet. */
  description: string | undefined
}

export interface LeasesContext {
  readonly calls: EngineCalls
  readonly prefix: string
  /** Identifies this process. */
  readonly token: string
  readonly times: LeaseTimes
  /** The monotonic clock (ms). */
  now(): number
  readonly events: Pick<StorageEvents, 'onLost' | 'onWanted'>
}

export class Leases {
  readonly #held = new Map<string, Lease>()
  readonly #context: LeasesContext
  #generation = 0
  /** Workspaces that this process lost since its start. */
  lost = 0

  constructor(context: LeasesContext) {
    this.#context = context
  }

  get size(): number {
    return this.#held.size
  }

  get names(): string[] {
    return [...this.#held.keys()]
  }

  /** A lease to acquire now. A process forgets its earlier one: the script replaces it. */
  begin(name: string): Lease {
    this.#held.delete(name)
    this.#generation += 1
    const renewedAt = this.#context.now()
    return { generation: this.#generation, writes: 0, renewedAt, description: undefined }
  }

  add(name: string, lease: Lease): void {
    this.#held.set(name, lease)
  }

  get(name: string): Lease | undefined {
    return this.#held.get(name)
  }

  /** @throws {OwnedElsewhereError} */
  require(name: string): Lease {
    const lease = this.#held.get(name)
    if (lease === undefined) throw new OwnedElsewhereError(name, undefined)
    return lease
  }

  /** Ends a lease without an event. */
  remove(name: string): void {
    this.#held.delete(name)
  }

  /** Whether the process has the lease, and the engine confirmed it recently enough. */
  isTrusted(name: string): boolean {
    const lease = this.#held.get(name)
    return lease !== undefined && this.#isRecent(lease)
  }

  /** Reports the loss of a lease once. @param owner as the engine replied. */
  lose(name: string, lease: Lease, owner: string): OwnedElsewhereError {
    if (this.#held.get(name) === lease) {
      this.#held.delete(name)
      this.lost += 1
      this.#context.events.onLost(name)
    }
    return new OwnedElsewhereError(name, owner === '' ? undefined : owner)
  }

  /** Renews all leases by one write to the socket. Never rejects. */
  async renew(): Promise<void> {
    await Promise.all(Array.from(this.#held, ([name, lease]) => this.#renew(name, lease)))
  }

  async #renew(name: string, lease: Lease): Promise<void> {
    const { calls, prefix, token, times, events, now } = this.#context
    const began = now()
    try {
      const args = [token, lease.generation, times.lease]
      const reply = await calls.run(renewLease, workspaceKeys(prefix, name), args)
      if (this.#held.get(name) !== lease) return
      if (typeof reply !== 'number') return void this.lose(name, lease, String(reply))
      lease.renewedAt = Math.max(lease.renewedAt, began)
      if (reply === 1) events.onWanted(name)
    } catch {
      // The engine is away. The lease may go on in it, but another process may also have got it.
      if (!this.#isRecent(lease)) this.lose(name, lease, '')
    }
  }

  #isRecent({ renewedAt }: Lease): boolean {
    return this.#context.now() - renewedAt < this.#context.times.trust
  }
}
