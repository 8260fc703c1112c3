// Opens a data file or a folder of data: finds its path, takes its lock, and scans its files.
import { basename, join } from 'node:path'
import { maxSize } from '../../input/source-file.ts'
import { isSystemError, machineTimeOf, monotonicNow } from '../../runtime/host.ts'
import type { Storage, StorageEvents } from '../../workspaces/storage.ts'
import { ifThere, systemFiles, type Files } from './files.ts'
import { isLock, lockTimes, requireFree, takeLock, type LockTimes, type Processes } from './lock.ts'
import { realPathOf } from './paths.ts'
import { FileContext } from './file-context.ts'
import { FileLayout } from './file-layout.ts'
import { FilesStorage } from './files-storage.ts'

/** Where workspaces are persisted, and how to lock it. */
export interface FilesOptions {
  /** An absolute path: of the file of workspace `default`, or of a folder for all workspaces. */
  path: string
  isFolder: boolean
  /** The name of the data in messages; the path by default. */
  name?: string
  processes: Processes
  events: Pick<StorageEvents, 'onEnd' | 'onProblem'>
  /** Aborts the waiting for the lock. */
  signal?: AbortSignal | undefined
  files?: Files
  times?: LockTimes | undefined
  /** The time of the machine in ms since 1970. */
  now?: () => number
  /** Maximum size in bytes of a document. */
  maxBytes?: number
}

/** Thrown if the path is of another kind. */
export class WrongKindError extends Error {
  override name = 'WrongKindError'
  /** Whether a folder was requested. */
  readonly isFolder: boolean

  constructor(message: string, isFolder: boolean) {
    super(message)
    this.isFolder = isFolder
  }
}

/**
 * Opens the data, waiting up to 15 s for another process that uses it.
 * @throws {LockedError} if that process goes on. @throws {Stopped} if the signal is aborted. @throws {WrongKindError}
 */
export async function openFiles(options: FilesOptions): Promise<Storage> {
  const {
    isFolder,
    files = systemFiles,
    times = lockTimes,
    processes,
    events,
    signal,
    name = options.path,
    maxBytes = maxSize,
  } = options
  const path = await (isFolder ? folderAt(files, options.path) : fileAt(files, options.path))
  const seconds = times.waitTimeout / 1000
  const how = {
    processes,
    times,
    signal,
    onWaiting: (who: string) =>
      events.onProblem(
        `${name} is in use by another sandbox (${who}): waiting up to ${seconds} s for it to stop`,
      ),
  }
  const layout = new FileLayout(path, isFolder)
  const lock = isFolder
    ? await takeLock(join(path, '.lock'), { files, ...how })
    : await takeLock(`${path}.lock`, { files, ...how }, basename(path))
  try {
    for (const other of isFolder ? await locksOfFiles(files, path) : [join(layout.folder, '.lock')])
      if (await isLock(other)) await requireFree(other, how)
    const context = await FileContext.open({ files, lock, layout, maxBytes })
    const now = options.now ?? (() => machineTimeOf(monotonicNow()))
    return new FilesStorage(context, await layout.scan(files), { events, times, now })
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Returns the path of a file without links; the file need not exist. */
async function fileAt(files: Files, path: string): Promise<string> {
  const real = await realPathOf(files, path)
  const found = await ifThere(files.stat(real))
  if (found && !found.isFile()) throw new WrongKindError(`${path} is no file`, false)
  return real
}

/** Creates a folder if needed, which only the owner may read, and returns its path without links. */
async function folderAt(files: Files, path: string): Promise<string> {
  try {
    await files.mkdir(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST')
      throw new WrongKindError(`${path} is a file and no folder`, true)
    throw error
  }
  return files.realpath(path)
}

/** Returns the locks of processes that may use one file of a folder alone. */
async function locksOfFiles(files: Files, folder: string): Promise<string[]> {
  const names = await files.readdir(folder)
  return names.filter((name) => /^[\w-]{1,64}\.json\.lock$/.test(name)).map((name) => join(folder, name))
}
