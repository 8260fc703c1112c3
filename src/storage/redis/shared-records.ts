// The journal and the coverage of workspaces in the engine, from all replicas.
import type { Call } from '../../call/index.ts'
import type { Coverage } from '../../coverage/counting.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { keysOf } from './declare-script.ts'
import type { EngineRequests } from './engine-requests.ts'
import { requireCounts, texts } from './replies.ts'
import { DamagedError } from './tasks.ts'
import { readJournal } from './workspace-scripts.ts'

interface Parts {
  readonly requests: EngineRequests
  readonly workspaces: Workspaces
  /** The coverage of the calls in all workspaces, including deleted ones. */
  readonly total: Coverage
  /** Reads a call of the journal of a workspace. */
  readCall(text: string, workspace: Workspace): Call
}

export class SharedRecords {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Reads the journal of a workspace, with the calls that other replicas answered. */
  async readJournal(workspace: Workspace): Promise<void> {
    const { requests, readCall } = this.#parts
    const keys = keysOf(requests.prefix, workspace.name)
    const [added = '0', ...entries] = texts(await requests.run(readJournal, keys, []))
    const seen = new Set<string>()
    const calls: Call[] = []
    for (const entry of entries) {
      const end = entry.indexOf('|')
      // A batch that was resent, as its outcome was unknown, counts once.
      if (seen.has(entry.slice(0, end))) continue
      seen.add(entry.slice(0, end))
      try {
        calls.push(readCall(entry.slice(end + 1), workspace))
      } catch (error) {
        throw new DamagedError(keys[2] ?? '', { cause: error })
      }
    }
    const { clears } = workspace.journal
    workspace.journal.follow(calls, Math.max(0, Number(added) - entries.length))
    workspace.journal.clears = clears
  }

  /** Reads which points the calls of some workspaces exercised at all replicas. @returns the sum of their hits. */
  async readCoverage(names: readonly string[]): Promise<Map<string, number>> {
    const { requests, workspaces } = this.#parts
    const all = new Map<string, number>()
    for (const name of names) {
      const [, , , , key = ''] = keysOf(requests.prefix, name)
      const hits = requireCounts(await requests.command(key, 'HGETALL'), key)
      workspaces.find(name)?.coverage.set(hits)
      for (const [id, count] of hits) all.set(id, (all.get(id) ?? 0) + count)
    }
    return all
  }

  /** Like `readCoverage`, for all workspaces, including deleted ones. */
  async readTotal(names: readonly string[]): Promise<void> {
    const total = requireCounts(
      await this.#parts.requests.command(this.#ofDeleted, 'HGETALL'),
      this.#ofDeleted,
    )
    for (const [id, count] of await this.readCoverage(names)) total.set(id, (total.get(id) ?? 0) + count)
    this.#parts.total.set(total)
  }

  async clearCoverageOfDeleted(): Promise<void> {
    await this.#parts.requests.command(this.#ofDeleted, 'DEL')
  }

  get #ofDeleted(): string {
    const [, , key = ''] = this.#parts.requests.sandboxKeys
    return key
  }
}
