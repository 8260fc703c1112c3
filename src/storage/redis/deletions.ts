// Deletions of workspaces by this replica, until they are complete for all replicas.
import { mayBeOf } from '../../workspaces/isolation.ts'
import { keysOf } from './declare-script.ts'
import type { EngineRequests } from './engine-requests.ts'
import { countsOf, texts } from './replies.ts'
import { closeName } from './sandbox-scripts.ts'
import { dropWorkspace } from './workspace-scripts.ts'

export class Deletions {
  readonly #requests: EngineRequests
  readonly #follow: (names: readonly string[]) => Promise<void>
  /** Deletions that are not complete, or whose failure no caller has received yet, by name. */
  readonly #running = new Map<string, Promise<void>>()

  constructor(requests: EngineRequests, follow: (names: readonly string[]) => Promise<void>) {
    this.#requests = requests
    this.#follow = follow
  }

  /** Starts the deletion of a workspace for all replicas. */
  begin(name: string): void {
    const deletion = this.#delete(name)
    this.#running.set(name, deletion)
    deletion.then(
      () => this.#forget(name, deletion),
      // `done` rejects with it.
      () => undefined,
    )
  }

  /** Settles when a workspace of this name is deleted, or could not be. */
  async settled(name: string): Promise<void> {
    await this.#running.get(name)?.catch(() => undefined)
  }

  /**
   * Settles when all are complete: all of them, or those of a workspace and its copies. @throws
   * {StorageUnavailableError}
   */
  async done(of?: string): Promise<void> {
    const all = [...this.#running]
    const selected = of === undefined ? all : all.filter(([name]) => mayBeOf(of, name))
    const outcomes = await Promise.allSettled(
      selected.map(([name, deletion]) => deletion.finally(() => this.#forget(name, deletion))),
    )
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }

  /**
   * Removes a name without a workspace: one that was not completely created or deleted.
   * @param idleMs minimum idle time of the name: another replica may be creating a workspace under it.
   */
  async removeName(name: string, idleMs: number): Promise<void> {
    await this.#close(name, await this.#placeOf(name), idleMs)
  }

  /**
   * The workspace first: a process that crashes in between leaves a name without a workspace, which can be taken again.
   */
  async #delete(name: string): Promise<void> {
    const place = await this.#placeOf(name)
    const keys = keysOf(this.#requests.prefix, name)
    const [, ...coverage] = texts(await this.#requests.run(dropWorkspace, keys, ['']))
    await this.#close(name, place, 0, countsOf(coverage))
    await this.#follow([name])
  }

  async #placeOf(name: string): Promise<string> {
    const [, list = ''] = this.#requests.sandboxKeys
    return String((await this.#requests.command(list, 'ZSCORE', name)) ?? '')
  }

  async #close(name: string, place: string, idleMs: number, hits = new Map<string, number>()): Promise<void> {
    const args = [name, place, idleMs, ...[...hits].flat()]
    await this.#requests.run(closeName, this.#requests.sandboxKeys, args)
  }

  #forget(name: string, deletion: Promise<void>): void {
    if (this.#running.get(name) === deletion) this.#running.delete(name)
  }
}
