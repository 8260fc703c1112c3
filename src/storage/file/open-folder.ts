// Opens the folder of `data`: creates it if needed, takes its lock, and finishes what a crash interrupted.
import { join } from 'node:path'
import { isSystemError } from '../../runtime/host.ts'
import { defaultWorkspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { DataFolder } from './data-folder.ts'
import { systemFiles } from './files.ts'
import { FolderFiles, type FolderOptions } from './folder-files.ts'
import { requireFree, takeLock } from './lock.ts'
import {
  lockOptions,
  openData,
  UnreachableError,
  unusable,
  type PersistOptions,
  type OpenData,
} from './open-data.ts'
import { finishRemoval, isMarker, removedName } from './remove-data.ts'

/** A folder that this process has locked. */
export interface OpenFolder extends Pick<OpenData, 'name' | 'loaded' | 'release'> {
  /**
   * Persists all workspaces in it from now on; workspaces with files are closed at first.
   * @throws {DocumentError} if `default` cannot be written.
   */
  persistAll(
    workspaces: Workspaces,
    options: PersistOptions & Required<Pick<PersistOptions, 'clock'>>,
  ): Promise<DataFolder>
}

/**
 * Opens a folder, which is created if it does not exist, and scans its files.
 * @throws {DocumentError} if another sandbox uses it, if it cannot be reached, or if `default` cannot be used; all
 * files are unchanged.
 */
export async function openFolder(options: FolderOptions): Promise<OpenFolder> {
  const { name, path } = options
  const files = systemFiles
  const explained = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw unusable(error, options)
    })
  const folder = await explained(
    // Only the owner may read the folder: its files have keys that open workspaces.
    files.mkdir(path, { recursive: true, mode: 0o700 }).then(
      () => files.realpath(path),
      (error: unknown) => {
        throw isSystemError(error) && error.code === 'EEXIST' ? notAFolder(name) : error
      },
    ),
  )
  const lock = await explained(takeLock(join(folder, '.lock'), { files, ...lockOptions(options) }))
  try {
    // Another process may use one of its files alone (--data FOLDER/NAME.json).
    for (const file of await explained(files.readdir(folder))) {
      if (/^[\w-]{1,64}\.json\.lock$/.test(file))
        await explained(requireFree(join(folder, file), lockOptions(options)))
    }
    const ours = new FolderFiles(folder, lock, options)
    const found = new Set<string>()
    for (const file of await explained(files.readdir(folder))) {
      const removed = removedName(file)
      if (removed !== undefined && (await isMarker(files, join(folder, file))))
        await explained(finishRemoval({ files, lock }, ours.pathsOf(removed)))
      const loaded = /^([\w-]{1,64})\.json(?:\.wal|\.prev)?$/.exec(file)?.[1]
      if (loaded !== undefined) found.add(loaded)
    }
    found.delete(defaultWorkspace)
    const ofDefault = await openData({
      ...options,
      path: ours.pathOf(defaultWorkspace),
      name: ours.shown(defaultWorkspace),
      lock,
    })
    return {
      name,
      loaded: ofDefault.loaded,
      release: async () => {
        await ofDefault.release()
        await lock.release()
      },
      persistAll: (workspaces, how) => DataFolder.begin({ files: ours, found, ofDefault, workspaces, how }),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

function notAFolder(name: string): UnreachableError {
  const reason = 'is a file and no folder'
  return new UnreachableError(
    name,
    reason,
    'remove the trailing slash, or name a folder with --data and copy the file there as default.json',
  )
}
