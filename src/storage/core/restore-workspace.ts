// Gives a workspace what was persisted: rows, clock, scenarios, named snapshots, owner.
import { Clock } from '../../runtime/clock.ts'
import { monotonicNow } from '../../runtime/host.ts'
import type { ClosedWorkspace } from '../../workspaces/closed.ts'
import { defaultWorkspace } from '../../workspaces/names.ts'
import { Snapshot } from '../../workspaces/snapshot.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import type { OwnersOfWorkspaces } from './persisted-owners.ts'
import type { PersistedWorkspace } from './read-document.ts'
import { beginningOf } from './workspace-part.ts'

/** How the clock starts. */
export interface RequestedClock {
  clock: string | undefined
  frozen: boolean
}

export interface RestoreOptions {
  workspaces: Workspaces
  owners: OwnersOfWorkspaces
  /** The machine's clock, and the time that the clocks of workspaces should show. */
  clock: { now: () => number; requested: RequestedClock }
  onNotice(line: string): void
}

/**
 * Restores a workspace; it is not registered yet. `default` is always the same object.
 * @param closed what is known of it. @param source the name of its file or key, in messages.
 */
export async function restoreWorkspace(
  read: PersistedWorkspace,
  closed: ClosedWorkspace,
  source: string,
  { workspaces, owners, clock, onNotice }: RestoreOptions,
): Promise<Workspace> {
  const { part, beginning } = read
  const { own, start } = await beginningOf(part ?? {}, beginning, workspaces.beginning.clock)
  const isolation = part?.isolation && owners.ownerOf(closed.name, part.isolation)
  const workspace =
    closed.name === defaultWorkspace
      ? workspaces.default
      : workspaces.revive({ ...closed, isolation }, own, start)
  workspace.isolation = isolation
  workspace.createdAt = part?.created_at ?? closed.createdAt
  workspace.requests = read.nextRequest - 1
  // A workspace with a clock of its own continues from it; the options apply to the others.
  const requested = own.clock ? { clock: undefined, frozen: false } : clock.requested
  workspace.applyState(read.state, continuedClock(clock.now, requested, read))
  restoreScenarios(workspace, read, start, (scenario) =>
    onNotice(`${source}: scenario '${scenario}' was active and no longer exists, so it is off now`),
  )
  const snapshots = Array.from(read.snapshots, ([name, moment]): [string, Snapshot] => [
    name,
    new Snapshot(workspace, name, moment),
  ])
  workspace.snapshots = snapshots.length > 0 ? new Map(snapshots) : undefined
  workspace.journal.secrets.note(workspace.state.secretRows())
  workspace.usedAt = monotonicNow()
  return workspace
}

/**
 * Returns the clock of a sandbox that continues: a clock that was set goes on from its last time, or from a later instant
 * that was requested; no other one begins before the last persisted instant.
 */
function continuedClock(
  now: () => number,
  requested: RequestedClock,
  { sandbox: { clock: persisted }, at }: PersistedWorkspace,
): Clock {
  const instants = [requested.clock, persisted?.now]
    .filter((instant) => instant !== undefined)
    .map((instant) => Date.parse(instant))
  const clock = new Clock(now, {
    ...(instants.length === 0 ? {} : { at: Math.max(...instants) }),
    frozen: requested.frozen || persisted?.frozen === true,
  })
  if (at !== undefined && !clock.frozen) clock.setMinimum(at)
  return clock
}

/** @param onMissing called for each active scenario that no longer exists. */
function restoreScenarios(
  { scenarios: engine }: Workspace,
  { scenarios }: PersistedWorkspace,
  start: Parameters<typeof engine.beginWith>[0],
  onMissing: (name: string) => void,
): void {
  engine.beginWith(start)
  if (!scenarios) return
  engine.resume({ ...engine.copy(), own: scenarios.own, active: [] })
  const active = scenarios.active.filter((name) => {
    const isUsable = engine.whyUnknown(name) === undefined
    if (!isUsable) onMissing(name)
    return isUsable
  })
  engine.resume({ ...engine.copy(), active })
}
