// Work on workspaces between calls: deletes idle ones (--workspace-ttl), gives up those of
// storage, reports when they were used, and opens those whose events wait for a delivery.
import type { Service } from '../http/service.ts'
import type { Settings } from '../options/index.ts'
import { durationMs } from '../runtime/duration.ts'
import type { OwnedWorkspaces } from '../storage/core/owned-workspaces.ts'
import {
  accessReportInterval,
  evictedForRoomLine,
  evictedLine,
  evictIdle,
  idleCheckInterval,
  repeat,
} from '../workspaces/eviction.ts'
import { StorageUnavailableError } from '../workspaces/storage.ts'
import type { SandboxEvents } from './events.ts'

/** Interval of the checks for idle workspaces of storage (ms). */
const giveUpEvery = 1_000

/** Interval of the looks for events that wait (ms). */
const lookEvery = 2_000

/** @returns a function that stops the checks. It resolves once the last check is over. */
export function tendWorkspaces(
  { workspaces, onBug }: Service,
  owned: OwnedWorkspaces | undefined,
  { workspaceTtl, maxWorkspaces }: Settings,
  { onNotice }: SandboxEvents,
): () => Promise<void> {
  workspaces.onEvictedForRoom = (name) => onNotice?.(evictedForRoomLine(name, maxWorkspaces))
  const ttl = durationMs(workspaceTtl)
  const report = (error: unknown): void => {
    // While the store is away, everything waits.
    if (!(error instanceof StorageUnavailableError)) onBug(error, 'none')
  }
  const ends: (() => Promise<void>)[] = []
  const each = (milliseconds: number, check: () => Promise<void>): void => {
    ends.push(repeat(milliseconds, check, report))
  }
  if (ttl !== undefined) {
    each(idleCheckInterval(ttl), async () => {
      if (owned?.isShared) await owned.refreshNames()
      const line = evictedLine(await evictIdle(workspaces, ttl), workspaceTtl)
      if (line !== undefined) onNotice?.(line)
    })
    if (owned) each(accessReportInterval(ttl), () => owned.reportUses())
  }
  if (owned) each(giveUpEvery, () => owned.giveUpIdle())
  if (owned && workspaces.default.outbox) each(lookEvery, () => owned.openWaiting())
  return async () => {
    for (const end of ends) await end()
  }
}
