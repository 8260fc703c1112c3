// Removes the files of a workspace that was deleted from a folder of data, so that a crash in the middle leaves none.
import { isSystemError } from '../../runtime/host.ts'
import { changeName, removeName, type Fence } from './fence.ts'
import { ifThere, isFull, syncFolder, type Files } from './files.ts'
import { unfinishedName, type DataPaths } from './paths.ts'

/** Whose files they are, under one lock. */
type Folder = Fence & { lock: { nonce: string } }

/** Says that the workspace of this file is gone, and that what is left of it is to go. */
const markerOf = ({ file }: DataPaths): string => file.replace(/\.json$/, '.gone')

/** The name of the workspace that a marker may be of; undefined for another file. */
export const removedName = (file: string): string | undefined => /^([\w-]{1,64})\.gone$/.exec(file)?.[1]

/** Whether it can be a marker, which was a data file: others have files of such names, too. */
export async function isMarker(files: Files, path: string): Promise<boolean> {
  try {
    return (await files.stat(path)).isFile() && (await files.readFile(path)).includes('"schema_version"')
  } catch (error) {
    if (isSystemError(error)) return false
    throw error
  }
}

const wayTo = ({ lock }: Folder, { file }: DataPaths): string => unfinishedName(file, lock.nonce, 0)

/** Once the first name is changed, the workspace is gone, whenever the machine stops. @throws {LostLockError} */
export async function removeData(folder: Folder, paths: DataPaths): Promise<void> {
  try {
    await changeName(folder, wayTo(folder, paths), paths.file, markerOf(paths))
  } catch (error) {
    if (!isFull(error) && !(isSystemError(error) && error.code === 'EISDIR')) throw error
    return removeUnmarked(folder, paths)
  }
  await syncFolder(folder.files, paths.folder)
  // Whoever has the folder now may have found it before it was gone.
  folder.lock.requireOurs()
  await finishRemoval(folder, paths)
}

/**
 * Removes them where there is no room for another name, or where a folder has it. A machine that stops before the file is
 * gone brings the workspace back, and nobody was told otherwise; after that its journal alone is a damaged one.
 */
async function removeUnmarked(folder: Folder, paths: DataPaths): Promise<void> {
  for (const path of [paths.previous, paths.file, paths.journal]) {
    await removeName(folder, wayTo(folder, paths), path)
  }
  await syncFolder(folder.files, paths.folder)
  folder.lock.requireOurs()
}

/** Removes what a removal has left that was begun. */
export async function finishRemoval(folder: Folder, paths: DataPaths): Promise<void> {
  const { files } = folder
  // A file that is there was put there since.
  const isThere = (await ifThere(files.stat(paths.file))) !== undefined
  const left = isThere ? [] : [paths.journal, paths.previous]
  for (const path of left) await removeName(folder, wayTo(folder, paths), path)
  await syncFolder(files, paths.folder)
  await removeName(folder, wayTo(folder, paths), markerOf(paths))
  await syncFolder(files, paths.folder)
}

/** Moves the files of a workspace aside that cannot be used: somebody may still make something of them. */
export async function moveAside(folder: Folder, paths: DataPaths): Promise<void> {
  for (const path of [paths.file, paths.journal, paths.previous]) {
    await changeName(folder, wayTo(folder, paths), path, `${path}.unusable`)
  }
  await syncFolder(folder.files, paths.folder)
}
