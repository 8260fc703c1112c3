// Deletes idle workspaces (--workspace-ttl), and reports the last access of workspaces that other processes share.
import type { Service } from '../http/service.ts'
import type { Settings } from '../options/index.ts'
import { durationMs } from '../runtime/duration.ts'
import {
  evictIdle,
  evictedLine,
  startEviction,
  idleCheckInterval,
  evictedForRoomLine,
} from '../workspaces/eviction.ts'
import type { SandboxEvents } from './events.ts'

/** @returns a function that stops the checks. It resolves once the last check is over. */
export function deleteIdle(
  { workspaces, storage, onBug }: Service,
  { workspaceTtl, maxWorkspaces }: Settings,
  { onNotice }: SandboxEvents,
): () => Promise<void> {
  workspaces.onEvictedForRoom = (name) => onNotice?.(evictedForRoomLine(name, maxWorkspaces))
  const ttl = durationMs(workspaceTtl)
  const forgetting = storage.eviction
  const report = (error: unknown): void => onBug(error, 'none')
  const ends: (() => Promise<void>)[] = []
  if (ttl !== undefined) {
    const look = async (): Promise<void> => {
      const forgotten = await (forgetting?.forgetIdle() ?? evictIdle(workspaces, ttl))
      const line = evictedLine(forgotten, workspaceTtl)
      if (line !== undefined) onNotice?.(line)
    }
    ends.push(startEviction(forgetting?.reportEvery ?? idleCheckInterval(ttl), look, report))
  }
  if (forgetting)
    ends.push(startEviction(forgetting.reportOpenEvery, () => forgetting.reportAccess(), report))
  return async () => {
    for (const end of ends) await end()
  }
}
