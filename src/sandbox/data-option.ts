// Opens the data file or the data folder of a sandbox (`--data`). The storage modules are loaded only if it is set.
import { resolve } from 'node:path'
import type { Assumptions } from '../contract/assumptions.ts'
import { defaultSeed, type Settings } from '../options/index.ts'
import { durationMs } from '../runtime/duration.ts'
import { isFolder, monotonicNow, shownPath, systemHost } from '../runtime/host.ts'
import { every } from '../runtime/wait.ts'
import { inMemory } from '../input/store-address.ts'
import { accessReportInterval } from '../workspaces/eviction.ts'
import type { FolderTime } from '../storage/file/folder-files.ts'
import type { OpenFolder } from '../storage/file/open-folder.ts'
import type { LockTestHooks } from '../storage/file/lock.ts'
import type { OpenData } from '../storage/file/open-data.ts'
import type { SandboxEvents } from './events.ts'

/** Test hooks for the lock of the data, the size of its journal and the time of a folder. */
export interface DataTestHooks {
  lock?: LockTestHooks
  minJournalBytes?: number
  folderTime?: FolderTime
}

/** Whether the path names a data folder, which persists every workspace. A data file persists only `default`. */
const isDataFolder = (data: string, cwd: string): boolean =>
  data.endsWith('/') || isFolder(resolve(cwd, data))

/** Whether every workspace is persisted, in a data folder or in a shared store. */
export function persistsAll({ data, store }: Pick<Settings, 'data' | 'store'>): boolean {
  return store !== inMemory || (data !== undefined && isDataFolder(data, systemHost().cwd))
}

export async function openDataOf(
  settings: Settings,
  assumptions: Assumptions,
  events: SandboxEvents & DataTestHooks,
): Promise<OpenData | OpenFolder | undefined> {
  const { data, durability, recover, seed } = settings
  if (data === undefined) return undefined
  const { cwd, pid } = systemHost()
  const path = resolve(cwd, data)
  const name = shownPath(path, cwd)
  const onNotice = (line: string): void => events.onNotice?.(line)
  const options = {
    path,
    name,
    durability,
    recover,
    pid,
    assumptions,
    seed,
    defaultSeed,
    onNotice,
    ...(events.lock ? { testHooks: events.lock } : {}),
    ...(events.minJournalBytes === undefined ? {} : { minJournalBytes: events.minJournalBytes }),
    ...(events.signal ? { signal: events.signal } : {}),
  }
  const time = events.folderTime ?? { now: monotonicNow, every }
  const ttl = durationMs(settings.workspaceTtl)
  const ofFolder = { time, usesNotedEvery: ttl === undefined ? Infinity : accessReportInterval(ttl) }
  const opened = isDataFolder(data, cwd)
    ? await (await import('../storage/file/open-folder.ts')).openFolder({ ...options, ...ofFolder })
    : await (await import('../storage/file/open-data.ts')).openData(options)
  if (opened.loaded && (settings.fixtures.length > 0 || settings.generate)) {
    onNotice(
      `${name} exists and is used; the fixtures are the state after a reset, and that of new workspaces`,
    )
  }
  return opened
}
