// The file of --log-file, to which the log is appended.
import { appendFileSync, openSync } from 'node:fs'
import { isSystemError } from '../runtime/host.ts'
import type { Io } from './io.ts'
import { cannotWrite } from './output.ts'

/**
 * Returns an `Io` that appends the log to a file instead of stderr. Writes are synchronous, as for stderr when that is
 * a file, so that no line is lost however the process ends.
 *
 * @throws {CliError} if the file cannot be opened.
 */
export function ioWithLogFile(file: string, io: Io): Io {
  const open = openedFile(file)
  let failed = false
  const stderr = (text: string): void => {
    try {
      appendFileSync(open, text)
    } catch (error) {
      if (!isSystemError(error)) throw error
      // A full disk does not stop the sandbox, and is reported once.
      if (!failed) io.stderr(`--log-file: cannot write '${file}' (${error.code})\n`)
      failed = true
    }
  }
  return { ...io, stderr, colour: false }
}

function openedFile(file: string): number {
  try {
    return openSync(file, 'a')
  } catch (error) {
    return cannotWrite('--log-file', file)(error)
  }
}
