// The file system as data files use it: its operations, the meaning of its failures, and flushing names to the disk
// (fsync).
import * as fs from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { constants, readFileSync, type Stats } from 'node:fs'
import { maxSize } from '../../input/source-file.ts'
import { isSystemError } from '../../runtime/host.ts'

/** The operations on an open file that saving uses. */
export type OpenFile = Pick<
  FileHandle,
  'writeFile' | 'sync' | 'datasync' | 'truncate' | 'chmod' | 'chown' | 'stat' | 'close'
> & {
  /** Overwrites the beginning of the file with a text. */
  overwrite(text: string): Promise<void>
}

/** The file system as an argument, so that a test can make any step fail. */
export interface Files {
  open(path: string, flags: string, mode?: number): Promise<OpenFile>
  readFile(path: string): Promise<Buffer>
  /** Synchronous: no other code of this process runs meanwhile. */
  readNow(path: string): Buffer
  /** Reads at most so many bytes from the start of a file. */
  readStart(path: string, most: number): Promise<Uint8Array>
  /** Reads at most so many bytes from the end of a file. */
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

/** Opens for reading, without waiting for a writer if the path is a pipe. */
const reading = constants.O_RDONLY | constants.O_NONBLOCK

/** The real file system. */
export const systemFiles: Files = {
  ...fs,
  open: openFile,
  readFile: (path) => fs.readFile(path, { flag: reading }),
  readStart: (path, most) => readPart(path, most, () => 0),
  readEnd: (path, most) => readPart(path, most, (size) => Math.max(0, size - most)),
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

async function readPart(path: string, most: number, from: (size: number) => number): Promise<Uint8Array> {
  const file = await fs.open(path, reading)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, from(size))
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Runs an operation on a file that need not exist; undefined if it does not. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Errors of systems that cannot sync a folder; they order names by themselves. */
export const cannotSyncFolders: readonly string[] = ['EINVAL', 'EPERM', 'EISDIR', 'ENOTSUP', 'EBADF']

/** Thrown for a file that is or would be too large to load. */
export class TooLargeError extends Error {}

/** Thrown by the holder of a lock that another sandbox has taken over. */
export class LostLockError extends Error {
  /** @param who the new holder; undefined if the lock no longer exists. */
  constructor(who: string | undefined) {
    super(
      who === undefined
        ? 'its lock was removed, so that another sandbox may use it'
        : `another sandbox (${who}) took it over, as this one did not run for more than 10 s`,
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
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links loop',
  ENAMETOOLONG: 'its name is too long: suffixes are added',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

/** Whether the disk is full. */
export function isFull(error: unknown): boolean {
  return isSystemError(error) && ['ENOSPC', 'EDQUOT'].includes(error.code)
}

/** Returns in plain words why a data file could not be written; undefined if the cause is a bug of ours. */
export function whyNotSaved(error: unknown): string | undefined {
  if (error instanceof TooLargeError)
    return `it is larger than the ${maxSize / 2 ** 20} MiB that can be loaded`
  if (error instanceof Error && 'code' in error && error.code === 'ERR_FS_FILE_TOO_LARGE') {
    return 'its journal is too large to be loaded'
  }
  if (error instanceof LostLockError) return error.message
  if (isSystemError(error)) return reasons[error.code] ?? error.code
  return undefined
}

/** Whether a retry is useless: another sandbox has the file, or its contents can no longer be trusted. */
export function isFinal(error: unknown): boolean {
  return error instanceof LostLockError || isDiskFailure(error)
}

/**
 * Whether the disk lost data that it had accepted. A retry would seem to succeed, as the system drops what it could not
 * write.
 */
function isDiskFailure(error: unknown): boolean {
  return (
    isSystemError(error) &&
    error.code === 'EIO' &&
    'syscall' in error &&
    (error.syscall === 'fsync' || error.syscall === 'fdatasync')
  )
}
