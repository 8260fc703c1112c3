// The file of --log-file, which the log is added to.
import { appendFileSync, openSync } from 'node:fs'
import { isSystemError } from '../runtime/host.ts'
import type { Io } from './io.ts'
import { cannotWrite } from './output.ts'

/**
 * What takes the log in place of stderr. It is written at once, as stderr is where that is a file: nothing is lost
 * however the process ends.
 *
 * @throws {CliError} when the file cannot be opened.
 */
export function logTo(file: string, io: Io): Io {
  const open = openedFile(file)
  let failed = false
  const stderr = (text: string): void => {
    try {
      appendFileSync(open, text)
    } catch (error) {
      if (!isSystemError(error)) throw error
      // A full disk is no reason to serve no longer, and is told once.
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
