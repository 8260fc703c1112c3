// The file system as data files use it: what can be done, what its failures mean, and bringing names to the disk (fsync).
import * as fs from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { constants, readFileSync, type Stats } from 'node:fs'
import { maxSize } from '../../input/source-file.ts'
import { isSystemError } from '../../runtime/host.ts'

/** As much of an open file as saving uses. */
export type OpenFile = Pick<
  FileHandle,
  'writeFile' | 'sync' | 'datasync' | 'truncate' | 'chmod' | 'chown' | 'stat' | 'close'
> & {
  /** Writes a text over what stands at the beginning. */
  overwrite(text: string): Promise<void>
}

/** The file system, as an argument: a test can make any step of it fail. */
export interface Files {
  open(path: string, flags: string, mode?: number): Promise<OpenFile>
  readFile(path: string): Promise<Buffer>
  /** At once, while nothing else happens in this process. */
  readNow(path: string): Buffer
  /** The end of a file, at most so many bytes. */
  readEnd(path: string, most: number): Promise<Uint8Array>
  readdir(path: string): Promise<string[]>
  readlink(path: string): Promise<string>
  realpath(path: string): Promise<string>
  stat(path: string): Promise<Stats>
  link(from: string, to: string): Promise<void>
  symlink(to: string, path: string): Promise<void>
  copyFile(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  utimes(path: string, read: Date, written: Date): Promise<void>
  unlink(path: string): Promise<void>
  mkdir(path: string, how?: { recursive: true; mode: number }): Promise<unknown>
  rmdir(path: string): Promise<void>
  rm(path: string, how: { recursive: true; force: true }): Promise<void>
}

/** For reading, without a wait for whoever might write to something that is no file. */
const reading = constants.O_RDONLY | constants.O_NONBLOCK

/** The real file system, which data files are kept in. */
export const systemFiles: Files = {
  ...fs,
  open: openFile,
  readFile: (path) => fs.readFile(path, { flag: reading }),
  readEnd,
  readNow: (path) => readFileSync(path),
}

async function openFile(path: string, flags: string, mode?: number): Promise<OpenFile> {
  const file = await fs.open(path, flags, mode)
  return Object.assign(file, {
    overwrite: async (text: string) => {
      await file.write(text, 0)
    },
  })
}

async function readEnd(path: string, most: number): Promise<Uint8Array> {
  const file = await fs.open(path, reading)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, Math.max(0, size - most))
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Does something to a file that need not be there; undefined when it is not. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Opens a file, does something with it, and closes it whatever comes. */
export async function withOpen<T>(open: Promise<OpenFile>, work: (file: OpenFile) => Promise<T>): Promise<T> {
  const file = await open
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

/** Systems that cannot sync a folder say so in one of these ways; they order names by themselves. */
const cannotSyncFolders: readonly string[] = ['EINVAL', 'EPERM', 'EISDIR', 'ENOTSUP', 'EBADF']

/** Brings the names of a folder to the disk: without it, a new name may be gone after a power cut. */
export async function syncFolder(files: Files, folder: string): Promise<void> {
  try {
    await withOpen(files.open(folder, 'r'), (file) => file.sync())
  } catch (error) {
    if (!isSystemError(error) || !cannotSyncFolders.includes(error.code)) throw error
  }
}

/** Gives a file a second name, or a copy where the file system has no hard links. */
export async function linkOrCopy(files: Files, from: string, to: string): Promise<void> {
  try {
    await files.link(from, to)
  } catch (error) {
    if (!isSystemError(error) || ['ENOENT', 'EEXIST', 'EIO', 'ENOSPC', 'EROFS'].includes(error.code))
      throw error
    await files.copyFile(from, to)
  }
}

/** Thrown for a file that is, or would be, too large to be read. */
export class TooLargeError extends Error {}

/** Thrown by a holder of a lock that another sandbox has now. */
export class LostLockError extends Error {
  /** @param who has it; undefined when the lock is not there any more. */
  constructor(who: string | undefined) {
    super(
      who === undefined
        ? 'its lock was removed, so that another sandbox may use it'
        : `another sandbox (${who}) took it over, as this one stood still for more than 10 s`,
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than the system allows',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied for the file or its folder',
  EPERM: 'permission denied for the file or its folder',
  EBUSY: 'it is a mount of its own and cannot be replaced; mount its folder instead',
  EXDEV: 'it is a mount of its own and cannot be replaced; mount its folder instead',
  EIO: 'the disk reported an error',
  ENOENT: 'its folder is not there',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long; names are added to it',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

/** Whether there is no room for anything new. */
export function isFull(error: unknown): boolean {
  return isSystemError(error) && ['ENOSPC', 'EDQUOT'].includes(error.code)
}

/** Why, where `whyNotSaved` knows no reason. */
export const ourBug = 'this is a bug of the sandbox'

/** Why a data file could not be written, in plain words; undefined for a failure that is a bug of ours. */
export function whyNotSaved(error: unknown): string | undefined {
  if (error instanceof TooLargeError)
    return `it is larger than the ${maxSize / 2 ** 20} MiB that can be read again`
  if (error instanceof Error && 'code' in error && error.code === 'ERR_FS_FILE_TOO_LARGE') {
    return 'its journal is too large to be read'
  }
  if (error instanceof LostLockError) return error.message
  if (isSystemError(error)) return reasons[error.code] ?? error.code
  return undefined
}

/** Whether there is no use in trying again: the file is somebody else's now, or nothing can be trusted any more. */
export function isFinal(error: unknown): boolean {
  return error instanceof LostLockError || isDiskFailure(error)
}

/**
 * Whether the disk failed to take what it had accepted. Trying again would seem to work, as the system forgets what it
 * could not write.
 */
function isDiskFailure(error: unknown): boolean {
  return (
    isSystemError(error) &&
    error.code === 'EIO' &&
    'syscall' in error &&
    (error.syscall === 'fsync' || error.syscall === 'fdatasync')
  )
}
