// Opens the folder that `data` names: makes it where it is not there, takes its lock, and finishes what a crash left.
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
  type KeepOptions,
  type OpenData,
} from './open-data.ts'
import { finishRemoval, isMarker, removedName } from './remove-data.ts'

/** A folder that this process has the lock of. */
export interface OpenFolder extends Pick<OpenData, 'name' | 'kept' | 'release'> {
  /**
   * Keeps all workspaces in it from here on; those that are kept there are closed at first.
   * @throws {DocumentError} when `default` cannot be written.
   */
  keepAll(
    workspaces: Workspaces,
    options: KeepOptions & Required<Pick<KeepOptions, 'clock'>>,
  ): Promise<DataFolder>
}

/**
 * Takes a folder, which is made where it is not there, and looks at what is in it.
 * @throws {DocumentError} for one that another sandbox uses or that cannot be reached, and where `default` cannot be
 * used; everything is left as it is.
 */
export async function openFolder(options: FolderOptions): Promise<OpenFolder> {
  const { name, path } = options
  const files = systemFiles
  const explained = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw unusable(error, options)
    })
  const folder = await explained(
    // For nobody else: what is in it opens the workspaces.
    files.mkdir(path, { recursive: true, mode: 0o700 }).then(
      () => files.realpath(path),
      (error: unknown) => {
        throw isSystemError(error) && error.code === 'EEXIST' ? notAFolder(name) : error
      },
    ),
  )
  const lock = await explained(takeLock(join(folder, '.lock'), { files, ...lockOptions(options) }))
  try {
    // Each may be in use alone, too (--data FOLDER/NAME.json).
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
      const kept = /^([\w-]{1,64})\.json(?:\.wal|\.prev)?$/.exec(file)?.[1]
      if (kept !== undefined) found.add(kept)
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
      kept: ofDefault.kept,
      release: async () => {
        await ofDefault.release()
        await lock.release()
      },
      keepAll: (workspaces, how) => DataFolder.begin({ files: ours, found, ofDefault, workspaces, how }),
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
    'leave the slash at its end out, or name a folder with --data and copy it there as default.json',
  )
}
