// Workspaces that are kept in a folder and not in memory at present: what is known of one, and how it is refused.
import { withoutFolder } from '../runtime/host.ts'
import type { Environment } from '../contract/versions.ts'
import { ConflictError } from '../input/refusals.ts'
import type { Isolation } from './isolation.ts'
import type { Workspace } from './workspace.ts'

/** A workspace whose rows are in its file alone. */
export interface ClosedWorkspace {
  readonly name: string
  /** When it came into being, on its own clock. */
  readonly createdAt: string
  /** A key to start with in each environment that it has one for, without its name behind it. */
  readonly readyKeys: ReadyKeys
  /** Its owner, with `--isolation partner`. */
  readonly isolation: Isolation | undefined
  /** How many wait for it to be opened. */
  readonly uses: number
  /** When it was last used, in the machine's own time (ms), as that of a workspace. */
  readonly usedAt: number
  /** Everything of it but its rows, where it was open in this process before. */
  readonly shell: Workspace | undefined
  /** Why it cannot be opened. */
  readonly damage?: string
}

/** All workspaces by their names, in the order of first use. */
export type ByName = Map<string, Workspace | ClosedWorkspace>

/** A ready key by environment. */
export type ReadyKeys = Readonly<Partial<Record<Environment, string>>>

/** Thrown where a workspace is asked for that has to be opened first, which takes a while. */
export class ClosedError extends ConflictError {
  override name = 'ClosedError'

  constructor(name: string) {
    super(`workspace '${name}' is closed: open it with await sandbox.workspaces.open('${name}')`)
  }
}

/** Thrown for a workspace that is kept and cannot be opened, such as for a damaged file. The others go on. */
export class UnusableError extends Error {
  override name = 'UnusableError'
  /** The same for clients of the API, who learn nothing of the machine. */
  readonly brief: string
  /** The path of the file that the message names. */
  readonly #file: string

  constructor(name: string, why: string, file = '') {
    super(`workspace '${name}' cannot be used: ${why}`)
    this.#file = file
    this.brief = `Workspace '${name}' cannot be used now: whoever runs the sandbox finds why in its health and its log.`
  }

  /** The message for clients of the control plane, which names the file without its folder. */
  get publicMessage(): string {
    return withoutFolder(this.message, this.#file)
  }
}
