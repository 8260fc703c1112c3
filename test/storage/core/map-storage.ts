import {
  OwnedElsewhereError,
  type ListedWorkspace,
  type OpenedWorkspace,
  type Storage,
  type StorageEvents,
} from '../../../src/workspaces/storage.ts'

interface Stored {
  about: string
  checkpoint: Buffer | undefined
  deltas: string[]
  owner: MapStorage | undefined
}

/** A medium of several processes in one: each `MapStorage` is one of them. */
export type Medium = Map<string, Stored>

/** A driver that keeps workspaces in a map. `steps` are its writes; `failures` make the next ones fail. */
export class MapStorage implements Storage {
  readonly steps: string[] = []
  readonly failures: unknown[] = []
  readonly health = { away: undefined, damaged: new Map(), figures: {} }
  readonly #medium: Medium
  readonly #name: string
  readonly #events: StorageEvents

  constructor(medium: Medium, name: string, events: StorageEvents) {
    this.#medium = medium
    this.#name = name
    this.#events = events
  }

  async join(): Promise<void> {
    await Promise.resolve()
  }

  async list(): Promise<ListedWorkspace[]> {
    return [...this.#medium].map(([name, { about }]) => ({ name, about, usedAt: 0 }))
  }

  async open(name: string, about: string): Promise<OpenedWorkspace> {
    const stored = this.#medium.get(name) ?? { about, checkpoint: undefined, deltas: [], owner: undefined }
    const { owner = this } = stored
    if (owner !== this) {
      owner.#events.onWanted(name)
      throw new OwnedElsewhereError(name, owner.#name)
    }
    this.#medium.set(name, { ...stored, owner })
    return { checkpoint: stored.checkpoint, deltas: [...stored.deltas] }
  }

  async append(name: string, delta?: string): Promise<void> {
    const stored = this.#own(name)
    this.steps.push(`append ${name}`)
    if (delta !== undefined) stored.deltas.push(delta)
  }

  async checkpoint(name: string, document: Iterable<string>, about: string): Promise<void> {
    const stored = this.#own(name)
    this.steps.push(`checkpoint ${name}`)
    Object.assign(stored, { about, checkpoint: Buffer.from([...document].join('')), deltas: [] })
  }

  async release(name: string): Promise<void> {
    const stored = this.#medium.get(name)
    if (stored?.owner === this) stored.owner = undefined
  }

  async drop(name: string): Promise<void> {
    this.#own(name)
    this.#medium.delete(name)
  }

  owns(name: string): boolean {
    return this.#medium.get(name)?.owner === this
  }

  async close(): Promise<void> {
    for (const name of this.#medium.keys()) await this.release(name)
  }

  /** Takes a workspace from its owner, as after a lease that was not renewed in time. */
  takeOver(name: string): void {
    const stored = this.#medium.get(name)
    if (stored) stored.owner = this
  }

  #own(name: string): Stored {
    const failure = this.failures.shift()
    if (failure !== undefined) throw failure
    const stored = this.#medium.get(name)
    if (stored?.owner === this) return stored
    throw new OwnedElsewhereError(name, stored?.owner ? stored.owner.#name : 'no process')
  }
}
