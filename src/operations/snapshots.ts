// Named snapshots of a workspace: take, restore, list, diff, delete.
import { z } from 'zod'
import type { DumpedDocument } from '../fixtures/document-shape.ts'
import { plainCopy } from '../json/copy.ts'
import { NotFoundError, notThere } from '../input/refusals.ts'
import { documentsText, documentText } from '../fixtures/dump.ts'
import { requireName } from '../workspaces/names.ts'
import { Snapshot, type SandboxSnapshot } from '../workspaces/snapshot.ts'
import { stateDiff, type StateDiff } from '../workspaces/state-diff.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import { operation } from './declare.ts'
import { replaced, replacedText, rowCount, summaryOf, type ReplacedWorkspace } from './replaced.ts'
import { dumped } from './state.ts'
import type { RecordAction } from './timeline.ts'

/** The snapshot that every workspace has: its initial rows. A snapshot of this name replaces it. */
export const baselineName = 'baseline'

/** The snapshots of a workspace that have names. */
export interface SandboxSnapshots {
  /** Returns every named snapshot. */
  list(): SandboxSnapshot[]
  /** Returns one as a state document, or undefined; a copy. */
  get(name: string): DumpedDocument | undefined
  /**
   * Returns the changes since a snapshot was taken, or between two snapshots: by collection, rows that were added,
   * changed (each field before and after) and removed. Every workspace has a snapshot `baseline`, its initial rows,
   * until one is taken under that name.
   * @throws {NotFoundError} for an unknown name.
   * @example
   * snapshots.diff('before')   // { rewards: { added: [], changed: [{ id: 'rwd_1', fields: { … } }], removed: [] } }
   */
  diff(from: string | SandboxSnapshot, to?: string | SandboxSnapshot): StateDiff
  /** Deletes one; false if there is none of this name. */
  delete(name: string): boolean
}

export function workspaceSnapshots(
  workspace: Workspace,
  record: RecordAction,
  workspaces: Pick<Workspaces, 'baselineOf'>,
) {
  const named = (name: string): Snapshot | undefined => {
    const taken = workspace.snapshots?.get(name)
    if (taken || name !== baselineName) return taken
    const { createdAt: created_at } = workspace
    return new Snapshot(workspace, name, {
      created_at,
      state: workspaces.baselineOf(workspace),
      clock: undefined,
    })
  }
  /** @throws {NotFoundError} for an unknown name, and for a snapshot of another workspace. */
  const find = (which: string | SandboxSnapshot): Snapshot => {
    if (typeof which === 'string') {
      const found = named(which)
      if (!found) throw notThere('snapshot', which, workspace.snapshots?.keys() ?? [])
      return found
    }
    if (which instanceof Snapshot && which.isOf(workspace)) return which
    throw new NotFoundError(
      `this is no snapshot of workspace '${workspace.name}': restore takes a result of its own snapshot()`,
    )
  }
  /** Like `diff`, with rows that are the states' own. */
  const compare = (from: string | SandboxSnapshot, to?: string | SandboxSnapshot): StateDiff => {
    const earlier = find(from)
    return earlier.diff(to === undefined ? workspace.state : find(to))
  }
  const forget = (name: string): boolean => {
    if (workspace.snapshots?.has(name) !== true) return false
    workspace.changeSettings(() => workspace.snapshots?.delete(name))
    record('snapshot', `Deleted snapshot ${name}`)
    return true
  }
  return {
    find,
    compare,
    /** Takes one; with a name, it replaces one of the same name. */
    take(name?: string): Snapshot {
      if (name === undefined) {
        const unnamed = new Snapshot(workspace)
        record('snapshot', 'Took a snapshot without a name')
        return unnamed
      }
      requireName('snapshot', name)
      const taken = workspace.changeSettings(() => {
        const snapshot = new Snapshot(workspace, name)
        workspace.snapshots = (workspace.snapshots ?? new Map<string, Snapshot>()).set(name, snapshot)
        return snapshot
      })
      record('snapshot', `Took snapshot ${name}`)
      return taken
    },
    restore(which: string | SandboxSnapshot) {
      const snapshot = find(which)
      snapshot.restore()
      record(
        'restore',
        `Restored ${snapshot.name === undefined ? 'a snapshot' : `snapshot ${snapshot.name}`} of ${snapshot.created_at}`,
      )
    },
    list: () =>
      [...(workspace.snapshots ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, taken]) => taken),
    get(name) {
      const snapshot = named(name)
      return snapshot && dumped(snapshot.document())
    },
    diff: (from, to) => plainCopy(compare(from, to)),
    delete: forget,
    /** Like `delete`. @throws {NotFoundError} for a name under which no snapshot was taken. */
    remove(name: string): void {
      if (!forget(name)) throw notThere('snapshot', name, workspace.snapshots?.keys() ?? [])
    },
  } satisfies SandboxSnapshots & Record<string, unknown>
}

const snapshot = z.object({ name: z.string(), created_at: z.string(), rows: z.number() })

interface SnapshotsTarget {
  workspace: ReplacedWorkspace & { snapshots: ReturnType<typeof workspaceSnapshots> }
}

export const snapshotOperations = [
  operation({
    id: 'snapshots.list',
    route: 'GET /_sandbox/snapshots',
    verb: 'snapshot list',
    about: 'list the snapshots',
    result: z.object({ snapshots: z.array(snapshot) }),
    run: ({ workspace }: SnapshotsTarget) => ({ snapshots: workspace.snapshots.list() }),
  }),
  operation({
    id: 'snapshots.get',
    route: 'GET /_sandbox/snapshots/:name',
    verb: { name: 'snapshot dump', writes: 'snapshot' },
    about: 'print a snapshot as a state document',
    result: z.unknown(),
    isStreamed: true,
    expensive: true,
    run: ({ workspace }: SnapshotsTarget, { path }) =>
      documentText(workspace.snapshots.find(path.name).dump()),
  }),
  operation({
    id: 'snapshot',
    route: 'PUT /_sandbox/snapshots/:name',
    verb: 'snapshot save',
    about: 'save a snapshot; replaces one of the same name',
    result: snapshot,
    printed: {
      note: ({ rows }, { args: [name], workspace }) =>
        `Saved snapshot '${name}' of workspace '${workspace}': ${rowCount(rows)}`,
    },
    run: ({ workspace }: SnapshotsTarget, { path }) => workspace.snapshots.take(path.name),
  }),
  operation({
    id: 'restore',
    route: 'POST /_sandbox/snapshots/:name/restore',
    verb: 'snapshot restore',
    about: 'restore a snapshot: rows, ids and a clock that was set',
    result: replaced,
    printed: {
      note: (answer, { args: [name] }) =>
        `Restored workspace '${answer.workspace}' to snapshot '${name}': ${replacedText(answer)}`,
    },
    run({ workspace }: SnapshotsTarget, { path }) {
      workspace.snapshots.restore(path.name)
      return summaryOf(workspace)
    },
  }),
  operation({
    id: 'snapshots.diff',
    route: 'GET /_sandbox/snapshots/:name/diff',
    verb: { name: 'snapshot diff', names: { with: 'snapshot' } },
    about: 'show what changed since a snapshot',
    query: z.strictObject({
      with: z.string().optional().describe('compare with this snapshot (default: the current rows)'),
    }),
    result: stateDiff,
    isStreamed: true,
    expensive: true,
    printed: {
      text: async (found) => (await import('./diff-text.ts')).diffText(found),
      note: (found) => (Object.keys(found).length > 0 ? undefined : 'No differences.'),
    },
    run: ({ workspace }: SnapshotsTarget, { path, query }) =>
      documentsText(workspace.snapshots.compare(path.name, query.with)),
  }),
  operation({
    id: 'snapshots.delete',
    route: 'DELETE /_sandbox/snapshots/:name',
    verb: 'snapshot delete',
    about: 'delete a snapshot',
    printed: {
      note: (_, { args: [name], workspace }) => `Deleted snapshot '${name}' of workspace '${workspace}'`,
    },
    run: ({ workspace }: SnapshotsTarget, { path }) => workspace.snapshots.remove(path.name),
  }),
]
