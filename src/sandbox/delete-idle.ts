// Deletes idle workspaces (--workspace-ttl), and reports the last access of those that other processes share.
import type { Service } from '../http/service.ts'
import type { Settings } from '../options/index.ts'
import { ttlMs } from '../options/option-values.ts'
import {
  forgetIdle,
  forgottenLine,
  keepForgetting,
  lookingEvery,
  madeRoomLine,
} from '../workspaces/forgetting.ts'
import type { SandboxEvents } from './events.ts'

/** @returns ends it, once the last check is over. */
export function deleteIdle(
  { workspaces, storage, onBug }: Service,
  { workspaceTtl, maxWorkspaces }: Settings,
  { onNotice }: SandboxEvents,
): () => Promise<void> {
  workspaces.onMadeRoom = (name) => onNotice?.(madeRoomLine(name, maxWorkspaces))
  const ttl = ttlMs(workspaceTtl)
  const forgetting = storage.eviction
  const report = (error: unknown): void => onBug(error, 'none')
  const ends: (() => Promise<void>)[] = []
  if (ttl !== undefined) {
    const look = async (): Promise<void> => {
      const forgotten = await (forgetting?.forgetIdle() ?? forgetIdle(workspaces, ttl))
      const line = forgottenLine(forgotten, workspaceTtl)
      if (line !== undefined) onNotice?.(line)
    }
    ends.push(keepForgetting(forgetting?.reportEvery ?? lookingEvery(ttl), look, report))
  }
  if (forgetting)
    ends.push(keepForgetting(forgetting.reportOpenEvery, () => forgetting.reportAccess(), report))
  return async () => {
    for (const end of ends) await end()
  }
}
