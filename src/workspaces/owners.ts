// Partners apart (--isolation partner): whose each workspace is, and which keys open it.
import type { Credential } from '../contract/credentials.ts'
import { ConflictError } from '../reading/refusals.ts'
import type { ByName } from './closed.ts'
import { isSameIsolation, type Isolation } from './isolation.ts'
import type { PartnerKeys } from './partner-keys.ts'
import type { Partners } from './partners.ts'
import { defaultWorkspace, Workspace } from './workspace.ts'

export class Owners {
  readonly #byName: ByName
  readonly #partners: Partners | undefined
  /** What opens nothing, and takes as long to say so. */
  readonly #nobodys: PartnerKeys | undefined

  /** @param partners undefined where they are not kept apart. */
  constructor(byName: ByName, partners: Partners | undefined) {
    this.#byName = byName
    this.#partners = partners
    this.#nobodys = partners?.keysOf(partners.begin(''))
  }

  /** What opens a workspace of a partner. */
  keysOf(isolation: Isolation): PartnerKeys | undefined {
    return this.#partners?.keysOf(isolation)
  }

  /** What opens the workspace of a name, in memory or closed; undefined where nothing does. */
  keysFor(name: string): PartnerKeys | undefined {
    const isolation = this.isolationOf(name)
    return isolation && !this.isEnded(name) ? this.keysOf(isolation) : undefined
  }

  /**
   * Whether a credential, without its workspace, was made for the workspace of a name. Nobody else learns whether there is
   * one, not by the time that it takes either.
   */
  made(name: string, credential: Credential): boolean {
    const isTheirs = (this.keysFor(name) ?? this.#nobodys)?.made(credential)
    return isTheirs === true
  }

  /** Whose the workspace of a name is, in memory or closed. */
  isolationOf(name: string): Isolation | undefined {
    return this.#byName.get(name)?.isolation
  }

  /** The workspaces that are for the same as one: it and its copies, or all where partners are not kept apart. */
  beside({ isolation }: Workspace): Workspace[] {
    const all = [...this.#byName.values()].filter((one) => one instanceof Workspace)
    return isolation ? all.filter((other) => isSameIsolation(other.isolation, isolation)) : all
  }

  /**
   * Whether nothing opens a workspace any more: a copy has the keys and the owner of what it is a copy of, only as long as
   * that has them itself. With a store a copy may be made where it is not known yet that those were ended.
   */
  isEnded(name: string): boolean {
    const isolation = this.isolationOf(name)
    return isolation !== undefined && !isSameIsolation(this.isolationOf(isolation.of), isolation)
  }

  /** Whether the workspace of this name is still that one, with the same keys, and they open it. */
  isCurrent({ name, isolation }: Workspace): boolean {
    return isSameIsolation(this.isolationOf(name), isolation) && !this.isEnded(name)
  }

  /** How many watch, in all workspaces; where partners are kept apart, in those of one of them. */
  watchingBeside(workspace: Workspace): number {
    return this.beside(workspace).reduce((sum, { watchers }) => sum + (watchers?.size ?? 0), 0)
  }

  /**
   * What a workspace is known by once every key of it is ended. One that was made for no partner, such as without
   * `--isolation partner`, is one's from here on.
   * @throws {ConflictError} where partners are not kept apart, for `default` and for a copy.
   */
  next({ name, isolation }: Workspace): Isolation {
    const partners = this.#partners
    if (!partners) {
      throw new ConflictError(
        `workspace '${name}' has the keys of all others: only --isolation partner gives each its own`,
      )
    }
    if (name === defaultWorkspace) {
      throw new ConflictError(`workspace '${name}' has no keys of its own: make one for each partner`)
    }
    if (isolation && isolation.of !== name) {
      throw new ConflictError(`workspace '${name}' is a copy of '${isolation.of}': rotate that`)
    }
    return isolation ? { ...isolation, generation: isolation.generation + 1 } : partners.begin(name)
  }
}
