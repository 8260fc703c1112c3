import * as fs from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { isSystemError } from '../runtime/host.ts'

/** As much of an open file as saving uses. */
export type OpenFile = Pick<
  FileHandle,
  'writeFile' | 'sync' | 'datasync' | 'truncate' | 'chmod' | 'chown' | 'stat' | 'close'
>

/** The file system, as an argument: a test can make any step of it fail. */
export interface Files {
  open(path: string, flags: string, mode?: number): Promise<OpenFile>
  readFile(path: string): Promise<Buffer>
  readdir(path: string): Promise<string[]>
  readlink(path: string): Promise<string>
  realpath(path: string): Promise<string>
  stat(path: string): Promise<Stats>
  link(from: string, to: string): Promise<void>
  copyFile(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
}

/** The real file system, which data files are kept in. */
export const systemFiles: Files = { ...fs }

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
