// Gives a workspace what was persisted beside its rows: the clock, the scenarios and the named snapshots.
import { Clock } from '../../runtime/clock.ts'
import { Snapshot } from '../../workspaces/snapshot.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { PersistedState } from '../file/load-persisted.ts'

/** How the clock starts. */
export interface RequestedClock {
  clock: string | undefined
  frozen: boolean
}

/**
 * Returns the clock of a sandbox that continues: from its last time, or from a later instant that was requested, but
 * never before the times of its rows.
 */
export function continuedClock(
  now: () => number,
  requested: RequestedClock,
  loaded: PersistedState['sandbox']['clock'],
): Clock {
  const instants = [requested.clock, loaded?.now]
    .filter((instant) => instant !== undefined)
    .map((at) => Date.parse(at))
  return new Clock(now, {
    ...(instants.length === 0 ? {} : { at: Math.max(...instants) }),
    frozen: requested.frozen || loaded?.frozen === true,
  })
}

/**
 * Restores the scenarios and the named snapshots. @param onMissing called for each active scenario that no longer
 * exists.
 */
export function restoreSettings(
  workspace: Workspace,
  { scenarios, snapshots }: PersistedState,
  onMissing: (name: string) => void,
): void {
  if (snapshots.size > 0) {
    const restored = Array.from(snapshots, ([name, moment]): [string, Snapshot] => [
      name,
      new Snapshot(workspace, name, moment),
    ])
    workspace.snapshots = new Map(restored)
  }
  if (!scenarios) return
  const engine = workspace.scenarios
  engine.resume({ ...engine.copy(), own: scenarios.own, active: [] })
  const active = scenarios.active.filter((name) => {
    const isUsable = engine.whyUnknown(name) === undefined
    if (!isUsable) onMissing(name)
    return isUsable
  })
  engine.resume({ ...engine.copy(), active })
}
