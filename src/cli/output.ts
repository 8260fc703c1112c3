import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isSystemError } from '../runtime/host.ts'
import { CliError, exitCodes, type Io } from './io.ts'

/** Writes a result to the file of `-o`, or to stdout. */
export async function writeResult(text: string, file: unknown, io: Io): Promise<void> {
  if (typeof file !== 'string') {
    io.stdout(text)
    return
  }
  try {
    await writeFile(resolve(io.cwd, file), text)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new CliError(`error: --output: cannot write '${file}' (${error.code})`, exitCodes.usage)
  }
}
