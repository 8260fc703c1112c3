// The JSON that a verb sends: as an argument, from a file (@FILE), or from stdin (-, or nothing).
import { resolve } from 'node:path'
import { stringify } from '../../json/stringify.ts'
import { bodyLimits } from '../../control/read-body.ts'
import { readSource, sourceFromText, type Source } from '../../input/source-file.ts'
import { textOf } from '../../input/utf8.ts'
import { shownPath } from '../../runtime/host.ts'
import type { CommandIo } from '../io.ts'

/** The argument of a verb that sends JSON. */
export const sentJson = [
  '[json]',
  'JSON, @FILE to read it from a file, or - for stdin (default: stdin)',
] as const

/** @throws {DocumentError} for an unreadable file or invalid JSON; a file may also be YAML. */
export async function readInput(
  word: string | undefined,
  io: Pick<CommandIo, 'cwd' | 'readStdin'>,
): Promise<Source> {
  if (word?.startsWith('@')) {
    const path = resolve(io.cwd, word.slice(1))
    return readSource(path, shownPath(path, io.cwd), bodyLimits.documents)
  }
  if (word !== undefined && word !== '-') return sourceFromText(word, 'JSON', '.json')
  return sourceFromText(textOf(await io.readStdin(), 'stdin'), 'stdin', '.json')
}

/** Returns the original JSON; for YAML, JSON with a line for each value, so that problems have lines. */
export function jsonOf({ json, value }: Source): string {
  return json ?? stringify(value, 1)
}
