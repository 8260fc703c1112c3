// The fence: operations on data files by name that fail after another sandbox has taken over the lock.
//
// A process can be suspended between any two system calls for any time, and a clock can show anything. So safety
// depends on the order of system calls, never on time. A sandbox that takes over a lock first writes its own name into
// it, then removes all unfinished files, and only then reads. For the previous holder this means:
//
// - It acknowledges a write after the write is in the journal and the lock was checked afterwards. The write came
// before the name of the new holder, so the new holder reads it.
// - A file gets a name by renaming an unfinished file, and loses its name by a path through an unfinished folder or
// link. Each was created before the lock was checked, so before the name of the new holder. The new holder removes it
// before it reads: the path that a late call needs is gone, and the call fails.
// - Late writes go into open files. Until the new holder starts a journal by renaming, this may be the file that it
// reads: it finds a tail that was never acknowledged, or a journal that was cut after a snapshot that contains all of
// it.
//
// The new holder has read everything when it starts a journal, and acknowledges nothing before that.
import { basename } from 'node:path'
import { isSystemError } from '../../runtime/host.ts'
import { ifThere, isFull, type Files } from './files.ts'

/** The lock that owns the files. */
export interface Fence {
  files: Files
  lock: {
    /** @throws {LostLockError} if another sandbox has the lock. */
    requireOurs(): void
  }
}

/** Renames an unfinished file, replacing the file of that name. @throws {LostLockError} */
export async function giveName(fence: Fence, unfinished: string, path: string): Promise<void> {
  await whileOurs(fence, () => fence.files.rename(unfinished, path))
}

/**
 * Removes a name, which need not exist.
 * @param way an unfinished name, which the path goes through. @throws {LostLockError}
 */
export async function removeName(fence: Fence, way: string, path: string): Promise<void> {
  await through(fence, way, path, (there) => ifThere(fence.files.unlink(there)))
}

/** Runs an operation with a path that fails after the unfinished name in it was removed. */
async function through(
  fence: Fence,
  way: string,
  path: string,
  work: (there: string) => Promise<unknown>,
): Promise<void> {
  const { folder, remove } = await makeWay(fence.files, way)
  try {
    // Not joined: `join` would remove the unfinished name from the path.
    await whileOurs(fence, () => work(`${folder}/${basename(path)}`))
  } finally {
    await ifThere(remove())
  }
}

/** Creates a path to the same folder through an unfinished name. Returns the path, and the function that removes it. */
async function makeWay(
  files: Files,
  way: string,
  isFirst = true,
): Promise<{ folder: string; remove: () => Promise<unknown> }> {
  try {
    await files.mkdir(way)
    return { folder: `${way}/..`, remove: () => files.rmdir(way) }
  } catch (error) {
    // This process alone creates paths of this name: it could not remove the last one.
    if (isSystemError(error) && error.code === 'EEXIST' && isFirst) {
      await files.rmdir(way).catch(() => files.unlink(way))
      return makeWay(files, way, false)
    }
    if (!isFull(error)) throw error
    // A folder uses a block of the disk, and a short link uses none: removing files from a full disk must work.
    await files.symlink('.', way).catch(() => {
      throw error
    })
    return { folder: way, remove: () => files.unlink(way) }
  }
}

async function whileOurs(fence: Fence, work: () => Promise<unknown>): Promise<void> {
  fence.lock.requireOurs()
  try {
    await work()
  } catch (error) {
    // Returns why an operation failed, if the reason is that another sandbox has the files.
    fence.lock.requireOurs()
    throw error
  }
}
