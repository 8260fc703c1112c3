// Removes the files of a workspace that was deleted from a data folder, so that a crash in between restores none of it.
import { isSystemError } from '../../runtime/host.ts'
import { changeName, removeName, type Fence } from './fence.ts'
import { ifThere, isFull, syncFolder, type Files } from './files.ts'
import { unfinishedName, type DataPaths } from './paths.ts'

/** The files, and their lock. */
type Folder = Fence & { lock: { nonce: string } }

/** The name of the marker: the workspace of this file is deleted, and its remaining files must be removed. */
const markerOf = ({ file }: DataPaths): string => file.replace(/\.json$/, '.gone')

/** Returns the name of the workspace of a marker; undefined for another file. */
export const removedName = (file: string): string | undefined => /^([\w-]{1,64})\.gone$/.exec(file)?.[1]

/** Whether it can be a marker, which was a data file: other files may have such names, too. */
export async function isMarker(files: Files, path: string): Promise<boolean> {
  try {
    return (await files.stat(path)).isFile() && (await files.readFile(path)).includes('"schema_version"')
  } catch (error) {
    if (isSystemError(error)) return false
    throw error
  }
}

const wayTo = ({ lock }: Folder, { file }: DataPaths): string => unfinishedName(file, lock.nonce, 0)

/** After the first rename, the workspace is gone even if the machine stops. @throws {LostLockError} */
export async function removeData(folder: Folder, paths: DataPaths): Promise<void> {
  try {
    await changeName(folder, wayTo(folder, paths), paths.file, markerOf(paths))
  } catch (error) {
    if (!isFull(error) && !(isSystemError(error) && error.code === 'EISDIR')) throw error
    return removeUnmarked(folder, paths)
  }
  await syncFolder(folder.files, paths.folder)
  // The new holder of the folder may have seen it before it was gone.
  folder.lock.requireOurs()
  await finishRemoval(folder, paths)
}

/**
 * Removes the files directly, if there is no room for another name, or a folder has that name. If the machine stops
 * before the file is gone, the workspace is back, and no client has an answer that it is deleted; after that, the
 * journal alone is a damaged workspace.
 */
async function removeUnmarked(folder: Folder, paths: DataPaths): Promise<void> {
  for (const path of [paths.previous, paths.file, paths.journal]) {
    await removeName(folder, wayTo(folder, paths), path)
  }
  await syncFolder(folder.files, paths.folder)
  folder.lock.requireOurs()
}

/** Finishes a removal that was interrupted. */
export async function finishRemoval(folder: Folder, paths: DataPaths): Promise<void> {
  const { files } = folder
  // The file was added since.
  const isThere = (await ifThere(files.stat(paths.file))) !== undefined
  const left = isThere ? [] : [paths.journal, paths.previous]
  for (const path of left) await removeName(folder, wayTo(folder, paths), path)
  await syncFolder(files, paths.folder)
  await removeName(folder, wayTo(folder, paths), markerOf(paths))
  await syncFolder(files, paths.folder)
}

/** Moves the files of an unusable workspace aside, so that a person can still recover them. */
export async function moveAside(folder: Folder, paths: DataPaths): Promise<void> {
  for (const path of [paths.file, paths.journal, paths.previous]) {
    await changeName(folder, wayTo(folder, paths), path, `${path}.unusable`)
  }
  await syncFolder(folder.files, paths.folder)
}
