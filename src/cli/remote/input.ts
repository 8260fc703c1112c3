// The JSON that a verb sends: written as a word, in a file (@FILE), or on stdin (-, or nothing).
import { resolve } from 'node:path'
import { stringify } from '../../json/stringify.ts'
import { bodyLimits } from '../../control/read-body.ts'
import { readSource, sourceFromText, type Source } from '../../input/source-file.ts'
import { textOf } from '../../input/utf8.ts'
import { shownPath } from '../../runtime/host.ts'
import type { CommandIo } from '../io.ts'

/** @throws {DocumentError} for what cannot be read, or is no JSON; a file may be YAML as well. */
export async function readInput(word: string | undefined, io: CommandIo): Promise<Source> {
  if (word?.startsWith('@')) {
    const path = resolve(io.cwd, word.slice(1))
    return readSource(path, shownPath(path, io.cwd), bodyLimits.documents)
  }
  if (word !== undefined && word !== '-') return sourceFromText(word, 'JSON', '.json')
  return sourceFromText(textOf(await io.readStdin(), 'stdin'), 'stdin', '.json')
}

/** The JSON of what was read, as it was written; of YAML, with a line for each value, which problems tell. */
export function jsonOf({ json, value }: Source): string {
  return json ?? stringify(value, 1)
}
