// The scenarios and the named snapshots of a workspace, as its file persists them. Their counts change with every call, so
// that a file never has them.
import { z } from 'zod'
import type { Scenario } from '../../scenarios/scenario.ts'
import { readScenarios } from '../../scenarios/scenarios-text.ts'
import type { State } from '../../store/state.ts'
import { Snapshot, type SnapshotMoment } from '../../workspaces/snapshot.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { snapshotText } from '../standing-text.ts'
import { readState, stateTextForm } from '../state-text.ts'

/** The scenarios and the named snapshots of a workspace at one moment. */
export interface WorkspaceSettings {
  readonly own: readonly Scenario[]
  readonly active: readonly string[]
  /** They are those that the workspace begins with. */
  readonly isAtStart: boolean
  readonly snapshots: ReadonlyMap<string, Snapshot>
}

const snapshotForm = z.strictObject({
  created_at: z.string(),
  clock: z.strictObject({ now: z.string(), frozen: z.boolean() }).exactOptional(),
  /** The rows in which it differs from those of the workspace. */
  state: stateTextForm,
})

/** The settings as text, or what changed in them. */
export const settingsForm = z.strictObject({
  scenarios: z.strictObject({ own: z.array(z.unknown()), active: z.array(z.string()) }).exactOptional(),
  snapshots: z.record(z.string(), snapshotForm).exactOptional(),
  /** The names of snapshots that were deleted. */
  deleted_snapshots: z.array(z.string()).exactOptional(),
})

export type SettingsText = z.output<typeof settingsForm>

export function settingsOf({ scenarios, snapshots }: Workspace): WorkspaceSettings {
  const { own, active } = scenarios.copy()
  return { own, active, isAtStart: scenarios.isAtStart, snapshots: new Map(snapshots) }
}

/** What changed in the settings; undefined for nothing. @param state the rows of the workspace after the change. */
export function changesOf(
  before: WorkspaceSettings,
  after: WorkspaceSettings,
  state: State,
): SettingsText | undefined {
  const put = [...after.snapshots].filter(([name, snapshot]) => before.snapshots.get(name) !== snapshot)
  const deleted = [...before.snapshots.keys()].filter((name) => !after.snapshots.has(name))
  const text: SettingsText = {
    ...(isSameList(before.own, after.own) && isSameList(before.active, after.active)
      ? {}
      : { scenarios: scenariosOf(after) }),
    ...(put.length > 0 && { snapshots: snapshotsOf(put, state) }),
    ...(deleted.length > 0 && { deleted_snapshots: deleted }),
  }
  return Object.keys(text).length === 0 ? undefined : text
}

/** All settings as text; undefined where they are those that the workspace begins with. */
export function wholeSettings(settings: WorkspaceSettings, state: State): SettingsText | undefined {
  const { isAtStart, snapshots } = settings
  if (isAtStart && snapshots.size === 0) return undefined
  return {
    ...(!isAtStart && { scenarios: scenariosOf(settings) }),
    ...(snapshots.size > 0 && { snapshots: snapshotsOf(snapshots, state) }),
  }
}

function scenariosOf({ own, active }: WorkspaceSettings): SettingsText['scenarios'] & object {
  return { own: own.map(({ document }) => document), active: [...active] }
}

function snapshotsOf(
  snapshots: Iterable<[string, Snapshot]>,
  state: State,
): SettingsText['snapshots'] & object {
  return Object.fromEntries([...snapshots].map(([name, snapshot]) => [name, snapshotText(state, snapshot)]))
}

const isSameList = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at])

/** Settings while they are read: those of a document, and then the changes of each commit. */
export class SettingsReader {
  #scenarios: SettingsText['scenarios']
  readonly #snapshots = new Map<string, SnapshotMoment>()

  /** @param state the rows of the workspace after the change. */
  add(text: SettingsText | undefined, state: State): void {
    this.#scenarios = text?.scenarios ?? this.#scenarios
    for (const name of text?.deleted_snapshots ?? []) this.#snapshots.delete(name)
    for (const [name, { created_at, clock, state: rows }] of Object.entries(text?.snapshots ?? {})) {
      this.#snapshots.set(name, { created_at, clock, state: readState(state, rows) })
    }
  }

  async result(): Promise<ReadSettings> {
    const text = this.#scenarios && { ...this.#scenarios, uses: [], draws: 0, round: 0 }
    const scenarios = text && (await readScenarios(text, { own: [], active: [] }))
    return { scenarios, snapshots: this.#snapshots }
  }
}

/** Settings that were read. */
export interface ReadSettings {
  /** Undefined for those that the workspace begins with. */
  scenarios: Pick<WorkspaceSettings, 'own' | 'active'> | undefined
  snapshots: ReadonlyMap<string, SnapshotMoment>
}

/** Gives a workspace the settings that were read. @param onMissing called for each active scenario that is not there any more. */
export function restoreSettings(
  workspace: Workspace,
  { scenarios, snapshots }: ReadSettings,
  onMissing: (name: string) => void,
): void {
  if (snapshots.size > 0) {
    workspace.snapshots = new Map(
      [...snapshots].map(([name, moment]) => [name, new Snapshot(workspace, name, moment)]),
    )
  }
  if (!scenarios) return
  putScenarios(workspace, scenarios)
  const usable = scenarios.active.filter((name) => {
    const isUsable = workspace.scenarios.whyUnknown(name) === undefined
    if (!isUsable) onMissing(name)
    return isUsable
  })
  if (usable.length < scenarios.active.length) putScenarios(workspace, { ...scenarios, active: usable })
}

/** Rolls back scenarios and snapshots; counts go on. */
export function rollBackSettings(workspace: Workspace, settings: WorkspaceSettings): void {
  putScenarios(workspace, settings)
  workspace.snapshots = settings.snapshots.size === 0 ? undefined : new Map(settings.snapshots)
}

function putScenarios(
  { scenarios }: Workspace,
  { own, active }: Pick<WorkspaceSettings, 'own' | 'active'>,
): void {
  scenarios.resume({ ...scenarios.copy(), own, active })
}
