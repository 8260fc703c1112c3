// The fence: what a sandbox may do to its data files by name, and cannot once another one has taken them over.
//
// A process may stand still between any two calls of the system, for as long as anybody likes, and a clock may show
// anything. So no time decides about safety; the order of calls does. Whoever takes a lock over first puts its own name
// into it, then removes everything unfinished, and only then reads. Of who had it before, therefore:
//
// - A write is acknowledged after it is in the journal and the lock was seen to be ours after that. It was there before
//   the new holder's name was, so that the new holder reads it.
// - A file gets a name by renaming an unfinished one, and loses it by a path through an unfinished folder, or through an
//   unfinished link. Either was made before the lock was seen to be ours. So it was made before the new holder's name was
//   there, and is removed before the new holder reads: what a call that was late needs is gone, and it fails.
// - What is still written goes into open files. Until the new holder begins a journal by renaming, that may be the one
//   it reads: it finds an end that nobody acknowledged, or a journal cut after a snapshot that holds all of it.
//
// The new holder has read everything when it begins a journal, and acknowledges nothing before that.
import { basename } from 'node:path'
import { isSystemError } from '../../runtime/host.ts'
import { ifThere, isFull, type Files } from './files.ts'

/** Whose files they are. */
export interface Fence {
  files: Files
  lock: {
    /** @throws {LostLockError} when somebody else has it. */
    requireOurs(): void
  }
}

/** Gives an unfinished file its name, in place of the one that has it. @throws {LostLockError} */
export async function giveName(fence: Fence, unfinished: string, path: string): Promise<void> {
  await whileOurs(fence, () => fence.files.rename(unfinished, path))
}

/**
 * Takes a name away that may be there.
 * @param way an unfinished name, for what the path goes through. @throws {LostLockError}
 */
export async function removeName(fence: Fence, way: string, path: string): Promise<void> {
  await through(fence, way, path, (there) => ifThere(fence.files.unlink(there)))
}

/**
 * Gives a file another name, in place of one that may have it; false when there is no such file.
 * @param way as that of `removeName`. @throws {LostLockError}
 */
export async function changeName(fence: Fence, way: string, path: string, to: string): Promise<boolean> {
  let isThere = false
  await through(fence, way, path, async (there) => {
    isThere = (await ifThere(fence.files.rename(there, to).then(() => true))) ?? false
  })
  return isThere
}

/** Does something with a path that leads nowhere once the way is gone. */
async function through(
  fence: Fence,
  way: string,
  path: string,
  work: (there: string) => Promise<unknown>,
): Promise<void> {
  const { folder, remove } = await makeWay(fence.files, way)
  try {
    // Not joined, which would take the way out.
    await whileOurs(fence, () => work(`${folder}/${basename(path)}`))
  } finally {
    await ifThere(remove())
  }
}

/** The same folder by a way that is made, and what takes that away. */
async function makeWay(
  files: Files,
  way: string,
  isFirst = true,
): Promise<{ folder: string; remove: () => Promise<unknown> }> {
  try {
    await files.mkdir(way)
    return { folder: `${way}/..`, remove: () => files.rmdir(way) }
  } catch (error) {
    // Nobody else makes ways of this name: it could not be taken away when it was used last.
    if (isSystemError(error) && error.code === 'EEXIST' && isFirst) {
      await files.rmdir(way).catch(() => files.unlink(way))
      return makeWay(files, way, false)
    }
    if (!isFull(error)) throw error
    // A folder takes a block, and a link that is so short none: what is removed from a full disk is what frees it.
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
    // Why it failed, where it did as somebody else has them.
    fence.lock.requireOurs()
    throw error
  }
}
