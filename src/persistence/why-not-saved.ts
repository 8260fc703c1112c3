import { isSystemError } from '../runtime/host.ts'
import { maxSize } from '../reading/source-file.ts'
import { TooLargeError } from './snapshot-file.ts'

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
  ENOTDIR: 'its folder is not there',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long; names are added to it',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

/** Why a data file could not be written, in plain words; undefined for a failure that is a bug of ours. */
export function whyNotSaved(error: unknown): string | undefined {
  if (error instanceof TooLargeError)
    return `it is larger than the ${maxSize / 2 ** 20} MiB that can be read again`
  if (error instanceof Error && 'code' in error && error.code === 'ERR_FS_FILE_TOO_LARGE') {
    return 'its journal is too large to be read'
  }
  if (isSystemError(error)) return reasons[error.code] ?? error.code
  return undefined
}

/**
 * Whether the disk failed to take what it had accepted. Trying again would seem to work, as the system forgets what it
 * could not write: nothing can be trusted from here on.
 */
export function isDiskFailure(error: unknown): boolean {
  return (
    isSystemError(error) &&
    error.code === 'EIO' &&
    'syscall' in error &&
    (error.syscall === 'fsync' || error.syscall === 'fdatasync')
  )
}
