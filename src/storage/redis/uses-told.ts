// What all replicas are told of the uses of one: when it used each workspace last, and in which something is open now.
import { monotonicNow, uniqueName } from '../../runtime/host.ts'
import { defaultWorkspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { sandboxKeys, tellUses } from './scripts.ts'
import type { Reply, Script, ScriptArgument } from './store-engine.ts'

/** As `SharedStore` asks the engine. */
export type Ask = (script: Script, keys: readonly string[], args: readonly ScriptArgument[]) => Promise<Reply>

/** How soon others are told of a use: a workspace that is known to be idle for some of these is in use nowhere. */
export const tellSoonMs = 250

/** For how long others believe that something is open here, unless they hear of it again: this process may be gone. */
export const holdMs = 10_000

/** How often they hear of it. */
const holdAgainMs = 3_000

/** One script for all workspaces of this replica, and none where nothing was used. */
export class UsesTold {
  readonly #prefix: string
  readonly #ask: Ask
  readonly #workspaces: Workspaces
  /** By which its holds are told from those of other replicas. */
  readonly #replica = uniqueName()
  #toldAt = 0
  /** When the others heard last of those in which something is open. */
  #held: ReadonlyMap<string, number> = new Map()

  constructor(prefix: string, ask: Ask, workspaces: Workspaces) {
    this.#prefix = prefix
    this.#ask = ask
    this.#workspaces = workspaces
  }

  /** Tells what was used since this was asked last. */
  async tell(): Promise<void> {
    const workspaces = this.#workspaces
    const open = new Set(workspaces.idleness.noteUsesOfCopies().inUse)
    const now = monotonicNow()
    // A use may have ended, for those who look at it, before it was told that it is open.
    const used = new Set(this.#held.keys())
    for (const { name, uses, usedAt } of workspaces.list()) {
      if (name === defaultWorkspace) continue
      if (uses > 0) open.add(name)
      else if (usedAt >= this.#toldAt) used.add(name)
    }
    const held = new Map<string, number>()
    const told: string[] = []
    for (const name of open) {
      const heardAt = this.#held.get(name)
      const isKnown = heardAt !== undefined && now - heardAt < holdAgainMs
      held.set(name, isKnown ? heardAt : now)
      if (!isKnown) told.push(`${name} open`)
    }
    for (const name of used) {
      if (open.has(name)) continue
      if (this.#held.has(name)) told.push(`${name} closed`)
      const ago = now - (workspaces.find(name)?.usedAt ?? now)
      if (ago < Infinity) told.push(`${name} ${Math.max(0, Math.round(ago))}`)
    }
    if (told.length > 0)
      await this.#ask(tellUses, sandboxKeys(this.#prefix), [this.#replica, holdMs, told.join(' ')])
    this.#toldAt = now
    this.#held = held
  }
}
