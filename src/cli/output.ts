// Writes results to stdout or into a file, and text of others so that a terminal does not obey it.
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isSystemError } from '../runtime/host.ts'
import { CliError, type Io } from './io.ts'

/** Writes a result, piece by piece, to the file of `-o`, or to stdout. */
export async function writeResult(
  pieces: Iterable<string> | AsyncIterable<string>,
  file: unknown,
  io: Pick<Io, 'cwd' | 'stdout'>,
): Promise<void> {
  if (typeof file !== 'string') {
    for await (const piece of pieces) io.stdout(piece)
    return
  }
  await writeFile(resolve(io.cwd, file), pieces).catch(cannotWrite('--output', file))
}

/** Turns the failure to write the file of an option into a message that names both. */
export function cannotWrite(option: string, file: string): (error: unknown) => never {
  return (error) => {
    throw isSystemError(error)
      ? new CliError(`error: ${option}: cannot write '${file}' (${error.code})`)
      : error
  }
}

/** A text of somebody else, which the terminal must not obey. Lines and tabs stay. */
export function terminalSafe(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is replaced
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '?')
}
