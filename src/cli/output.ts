// Writes results to stdout or to a file, and replaces control characters in text of other sources.
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isSystemError } from '../runtime/host.ts'
import { CliError, type Io } from './io.ts'

/** Size of a write. */
const chunkLength = 64 * 1024

/**
 * Writes a result of any length to the file of `-o` and names it on stderr, or to stdout without a file and for `-`.
 * Chunks are written as they arrive.
 * @param what the name of the result, such as `the OpenAPI document`.
 */
export async function writeResult(
  pieces: Iterable<string> | AsyncIterable<string>,
  file: unknown,
  io: Pick<Io, 'cwd' | 'stdout' | 'stderr'>,
  what: string,
): Promise<void> {
  const chunks = Symbol.iterator in pieces ? inChunks(pieces) : pieces
  if (typeof file !== 'string' || file === '-') {
    for await (const chunk of chunks) io.stdout(chunk)
    return
  }
  // A result that fails before its first chunk leaves the file as it is.
  const reading = Symbol.iterator in chunks ? chunks[Symbol.iterator]() : chunks[Symbol.asyncIterator]()
  const first = await reading.next()
  await writeFile(resolve(io.cwd, file), resumed(first, reading)).catch(cannotWrite('--output', file))
  io.stderr(terminalSafe(`Wrote ${what} to ${file}\n`))
}

async function* resumed(
  first: IteratorResult<string>,
  reading: Iterator<string> | AsyncIterator<string>,
): AsyncGenerator<string> {
  for (let next = first; !next.done; next = await reading.next()) yield next.value
}

/** One write per row would take as long as generating the row: half of the time of `generate -o`. */
function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/** Converts a failure to write the file of an option into a message that names both. */
export function cannotWrite(option: string, file: string): (error: unknown) => never {
  return (error) => {
    throw isSystemError(error)
      ? new CliError(`error: ${option}: cannot write '${file}' (${error.code})`)
      : error
  }
}

/** Replaces control characters in text of another source, which a terminal would execute. Line breaks and tabs stay. */
export function terminalSafe(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is replaced
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '?')
}
