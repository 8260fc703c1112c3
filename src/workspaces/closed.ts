// Workspaces that are not in memory at present: their metadata, and the errors when one is used.
import { withoutFolder } from '../runtime/host.ts'
import type { Environment } from '../contract/versions.ts'
import { ConflictError } from '../input/refusals.ts'
import type { Isolation } from './isolation.ts'
import type { Saver } from './saver.ts'
import type { Workspace } from './workspace.ts'

/** A workspace whose rows are only in storage, or with another process. */
export interface ClosedWorkspace {
  readonly name: string
  /** When it was created, on its own clock. */
  readonly createdAt: string
  /** A key to start with for each environment that has one, without its workspace name. */
  readonly readyKeys: ReadyKeys
  /** Its owner, with `--isolation partner`. */
  readonly isolation: Isolation | undefined
  /** How many callers wait for it to be opened. */
  readonly uses: number
  /** The last access in monotonic time (ms). */
  readonly usedAt: number
  /** Whether attempts to deliver its events wait. */
  readonly isWaiting: boolean
  /** Everything except its rows, if it was open in this process before. */
  readonly shell: Workspace | undefined
  /** Why it cannot be opened. */
  readonly damage?: string
}

/** All workspaces by their names, in the order of first use. */
export type ByName = Map<string, Workspace | ClosedWorkspace>

/** A ready key by environment. */
export type ReadyKeys = Readonly<Partial<Record<Environment, string>>>

/** Thrown if a workspace is used that must be opened first, which is asynchronous. */
export class ClosedError extends ConflictError {
  override name = 'ClosedError'

  constructor(name: string) {
    super(`workspace '${name}' is closed: open it with await sandbox.open('${name}')`)
  }
}

/** The saver of a workspace that this process does not own: what is in memory must not change. */
export function refusingSaver(name: string): Saver {
  return {
    requireWritable() {
      throw new ClosedError(name)
    },
    committed: () => undefined,
    numbered: () => undefined,
    replaced: () => undefined,
    saved: () => undefined,
    lastLoss: undefined,
  }
}

/**
 * Thrown for a persisted workspace that cannot be opened, such as one with a damaged file. Other workspaces are not
 * affected.
 */
export class UnusableError extends Error {
  override name = 'UnusableError'
  /** The same for clients of the API, without details of the machine. */
  readonly brief: string
  /** The path of the file that the message names. */
  readonly #file: string

  constructor(name: string, why: string, file = '') {
    super(`workspace '${name}' cannot be used: ${why}`)
    this.#file = file
    this.brief = `Workspace '${name}' cannot be used now: the operator of the sandbox finds the reason in its health and its log.`
  }

  /** The message for clients of the control plane, which names the file without its folder. */
  get publicMessage(): string {
    return withoutFolder(this.message, this.#file)
  }
}
