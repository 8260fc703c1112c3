// The data file of a sandbox, or its folder of data, taken if the options name one; what that needs is loaded for nobody else.
import { resolve } from 'node:path'
import type { Assumptions } from '../contract/assumptions.ts'
import { defaultSeed, type Settings } from '../options/index.ts'
import { ttlMs } from '../options/option-values.ts'
import { isFolder, monotonicNow, shownPath, systemHost } from '../runtime/host.ts'
import { every } from '../runtime/wait.ts'
import { inMemory } from '../input/store-address.ts'
import { tellingEvery } from '../workspaces/forgetting.ts'
import type { FolderTime } from '../storage/file/folder-files.ts'
import type { OpenFolder } from '../storage/file/open-folder.ts'
import type { LockTestHooks } from '../storage/file/lock.ts'
import type { OpenData } from '../storage/file/open-data.ts'
import type { SandboxEvents } from './events.ts'

/** What the lock of data, its journal and idle workspaces go by, where that itself is tried. */
export interface DataTrial {
  lock?: LockTestHooks
  minJournalBytes?: number
  folderTime?: FolderTime
}

/** Whether it is a folder of data, which keeps every workspace; a file keeps `default` alone. */
const isOfFolder = (data: string, cwd: string): boolean => data.endsWith('/') || isFolder(resolve(cwd, data))

/** Whether every workspace is kept, in a folder of data or in a store. */
export function keepsAll({ data, store }: Pick<Settings, 'data' | 'store'>): boolean {
  return store !== inMemory || (data !== undefined && isOfFolder(data, systemHost().cwd))
}

export async function openDataOf(
  settings: Settings,
  assumptions: Assumptions,
  events: SandboxEvents & DataTrial,
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
    ...(events.lock ? { seams: events.lock } : {}),
    ...(events.minJournalBytes === undefined ? {} : { minJournalBytes: events.minJournalBytes }),
    ...(events.signal ? { signal: events.signal } : {}),
  }
  const time = events.folderTime ?? { now: monotonicNow, every }
  const ttl = ttlMs(settings.workspaceTtl)
  const ofFolder = { time, usesNotedEvery: ttl === undefined ? Infinity : tellingEvery(ttl) }
  const opened = isOfFolder(data, cwd)
    ? await (await import('../storage/file/open-folder.ts')).openFolder({ ...options, ...ofFolder })
    : await (await import('../storage/file/open-data.ts')).openData(options)
  if (opened.kept && (settings.fixtures.length > 0 || settings.generate)) {
    onNotice(
      `${name} is there and used; the fixtures are what a reset returns to, and other workspaces begin with`,
    )
  }
  return opened
}
