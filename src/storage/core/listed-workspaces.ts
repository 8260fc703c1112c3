// Lists the workspaces of storage as closed ones, by their descriptions.
import { monotonicNow } from '../../runtime/host.ts'
import { byCodeUnit } from '../../store/tree.ts'
import type { ClosedWorkspace } from '../../workspaces/closed.ts'
import { defaultWorkspace } from '../../workspaces/names.ts'
import type { ListedWorkspace, Storage } from '../../workspaces/storage.ts'
import { ForeignError } from './persisted-owners.ts'
import type { RestoreOptions } from './restore-workspace.ts'
import { readAbout } from './write-document.ts'

/** The workspaces that are listed, and where. */
export interface ListedWorkspacesOptions extends Pick<RestoreOptions, 'workspaces' | 'owners' | 'clock'> {
  storage: Storage
  /** Whether the list of storage does not decide about a workspace: it is open, or being removed. */
  isSkipped(name: string): boolean
}

export class ListedWorkspaces {
  readonly #options: ListedWorkspacesOptions
  #reading: { began: Promise<void>; next: Promise<void> | undefined } | undefined
  /** Whether attempts to deliver events of `default` wait, which is never among the closed ones. */
  isDefaultWaiting = false

  constructor(options: ListedWorkspacesOptions) {
    this.#options = options
  }

  /** Calls while a read goes on share the next one, as that one may have missed what they ask for. */
  refresh(): Promise<void> {
    const reading = this.#reading
    if (reading) return (reading.next ??= reading.began.catch(() => undefined).then(() => this.#begin()))
    return this.#begin()
  }

  /** A workspace that no list has. */
  unlisted(name: string): ClosedWorkspace {
    return this.#closedOf({ name, about: undefined, usedAt: 0 })
  }

  #begin(): Promise<void> {
    const began = this.#read().finally(() => {
      if (this.#reading?.began === began) this.#reading = undefined
    })
    this.#reading = { began, next: undefined }
    return began
  }

  async #read(): Promise<void> {
    const { workspaces, storage, isSkipped } = this.#options
    const before = workspaces.all().filter(({ name }) => workspaces.closed(name))
    const listed = await storage.list()
    const names = new Set(listed.map(({ name }) => name))
    for (const { name } of before) if (workspaces.closed(name) && !names.has(name)) workspaces.remove(name)
    const closed = listed.filter(({ name }) => !isSkipped(name)).map((each) => this.#closedOf(each))
    closed.sort((a, b) => byCodeUnit(a.createdAt, b.createdAt) || byCodeUnit(a.name, b.name))
    for (const each of closed) {
      if (each.name === defaultWorkspace) this.isDefaultWaiting = each.isWaiting
      else if (!workspaces.find(each.name)) {
        const { shell, uses = 0, damage } = workspaces.closed(each.name) ?? {}
        // The list of a store does not have the damage, which lasts until the workspace is opened.
        workspaces.close({ ...(damage !== undefined && { damage }), ...each, shell, uses })
      }
    }
    // Another process has rotated the keys of their originals, or deleted these.
    for (const { name } of workspaces.list()) if (workspaces.owners.isRevoked(name)) workspaces.delete(name)
  }

  #closedOf({ name, about, usedAt, damage }: ListedWorkspace): ClosedWorkspace {
    const { owners, clock } = this.#options
    const { created_at: createdAt, ready_keys: readyKeys, isolation, waiting: isWaiting } = readAbout(about)
    const known = {
      name,
      createdAt: createdAt ?? new Date(usedAt).toISOString(),
      readyKeys,
      isolation: undefined,
      isWaiting,
      uses: 0,
      usedAt: monotonicNow() - Math.max(0, clock.now() - usedAt),
      shell: undefined,
      ...(damage !== undefined && { damage }),
    }
    try {
      return { ...known, isolation: isolation && owners.ownerOf(name, isolation) }
    } catch (error) {
      if (error instanceof ForeignError) return { ...known, damage: error.message }
      throw error
    }
  }
}
