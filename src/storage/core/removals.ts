// Removes deleted workspaces from storage, and says when that is done.
import { NotSavedError } from '../../workspaces/saver.ts'
import { DamagedError, isElsewhere, OwnedElsewhereError, type Storage } from '../../workspaces/storage.ts'
import type { NameQueue } from './name-queue.ts'
import type { WorkspaceSaverOptions } from './workspace-saver.ts'

/** Where workspaces are removed from. */
export interface RemovalsOptions extends Pick<WorkspaceSaverOptions, 'reasonOf' | 'onProblem'> {
  storage: Storage
  queue: NameQueue
  /** The name of the file or of the key of a workspace in messages. */
  shown(name: string): string
  /** Reads the list of storage again. */
  refresh(): Promise<void>
}

export class Removals {
  readonly #options: RemovalsOptions
  /** Those that are not done yet. */
  readonly #begun = new Map<string, Promise<void>>()

  constructor(options: RemovalsOptions) {
    this.#options = options
  }

  /** Whether a workspace is being removed. */
  has(name: string): boolean {
    return this.#begun.has(name)
  }

  /** Begins to remove a workspace. @param before settles when nothing writes to it any more. */
  begin(name: string, before: () => Promise<void>): void {
    const removing = this.#options.queue.enqueue(name, async () => {
      await before()
      await this.#removeNow(name, false)
    })
    this.#begun.set(name, removing)
    void this.#watch(name, removing)
  }

  /** Removes a workspace that this process has not open. @param asks whether another owner is asked to release it. */
  remove(name: string, asks: boolean): Promise<void> {
    return this.#options.queue.enqueue(name, () => this.#removeNow(name, asks))
  }

  /** Settles once the workspace of this name is removed, or all. @throws {NotSavedError} if one is not. */
  async ended(name?: string): Promise<void> {
    const { reasonOf, shown } = this.#options
    for (const [removed, removing] of this.#begun) {
      if (name !== undefined && removed !== name) continue
      try {
        await removing
      } catch (error) {
        if (isElsewhere(error)) throw error
        const reason = reasonOf(error) ?? 'this is a bug of the sandbox'
        const source = shown(removed)
        throw new NotSavedError(`${source} could not be removed (${reason}).`, 'rolled back', source)
      }
    }
  }

  async #removeNow(name: string, asks: boolean): Promise<void> {
    const { storage } = this.#options
    try {
      if (!storage.owns(name)) await storage.open(name, '{}', asks)
    } catch (error) {
      // A damaged workspace can be removed, too.
      if (!(error instanceof DamagedError)) throw error
    }
    await storage.drop(name)
  }

  /** Lists a workspace again that could not be removed, so that it can be deleted once more. */
  async #watch(name: string, removing: Promise<void>): Promise<void> {
    const { onProblem, reasonOf, shown, refresh } = this.#options
    const error: unknown = await removing.then(
      () => undefined,
      (failure: unknown) => failure,
    )
    if (this.#begun.get(name) === removing) this.#begun.delete(name)
    if (error === undefined) return
    // The owner removes a copy that no key opens any more.
    if (!(error instanceof OwnedElsewhereError)) {
      const reason = isElsewhere(error) ? error.message : (reasonOf(error) ?? String(error))
      onProblem(
        `${shown(name)} could not be removed (${reason}), so the workspace still exists: delete it again.`,
      )
    }
    await refresh().catch(() => undefined)
  }
}
