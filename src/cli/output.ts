import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isSystemError } from '../runtime/host.ts'
import { CliError, exitCodes, type Io } from './io.ts'

/** Writes a result, piece by piece, to the file of `-o`, or to stdout. */
export async function writeResult(pieces: Iterable<string>, file: unknown, io: Io): Promise<void> {
  if (typeof file !== 'string') {
    for (const piece of pieces) io.stdout(piece)
    return
  }
  try {
    await writeFile(resolve(io.cwd, file), pieces)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new CliError(`error: --output: cannot write '${file}' (${error.code})`, exitCodes.usage)
  }
}

/** A text of somebody else, which the terminal must not obey. Lines and tabs stay. */
export function terminalSafe(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is replaced
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '?')
}
