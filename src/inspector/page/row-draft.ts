// Editing a row: reads it, and saves it unless another user changed it meanwhile.
import { stringify } from '../../json/stringify.ts'
import { parseExact } from '../../json/parse-exact.ts'
import { fieldChanges, isSame, type FieldChanges } from './row-changes.ts'
import { Refused, type Source } from './source.ts'
import { jsonProblems, placedProblems, type TextProblem } from './text-problems.ts'

/** The location of a row. */
export interface RowPlace {
  source: Source
  /** The path after `/_sandbox`, such as `/state/rewards/rwd_1`. */
  path: string
  workspace: string
}

/** The outcome of saving a row. */
export type Saved =
  | { kind: 'saved'; row: object }
  /** It became another one meanwhile; undefined where it was deleted. */
  | { kind: 'changed'; now: object | undefined }
  | { kind: 'refused'; problems: readonly TextProblem[] }

/** Returns the current row; undefined if it does not exist. @throws {Refused} for any other refusal. */
export async function readRow({ source, path, workspace }: RowPlace): Promise<object | undefined> {
  try {
    return await source.ask<object>('GET', path, { workspace })
  } catch (error) {
    // Neither is a collection that is not there a row that could be written.
    if (error instanceof Refused && error.status === 404 && /^\/state\/[^/]+\/./.test(path)) return undefined
    throw error
  }
}

/**
 * Saves a text as a row, unless another user changed the row since it was opened.
 * @param opened the row when the editor was opened; undefined for a new one.
 */
export async function saveRow(place: RowPlace, text: string, opened: object | undefined): Promise<Saved> {
  const faults = jsonProblems(text)
  if (faults.length > 0) return { kind: 'refused', problems: faults }
  const now = await readRow(place)
  if (!isSame(now, opened)) return { kind: 'changed', now }
  const { source, path, workspace } = place
  try {
    const row = await source.ask<object>('PUT', path, { workspace, body: parseExact(text, true) })
    return { kind: 'saved', row }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { details, message } = error
    return {
      kind: 'refused',
      problems: details.length > 0 ? placedProblems(text, details) : [{ line: undefined, path: '', message }],
    }
  }
}

/** How a row is written. */
export function textOfRow(row: object): string {
  return stringify(row, 2)
}

/** The changes by another user. */
export function changedMeanwhile(opened: object | undefined, now: object | undefined): FieldChanges {
  return fieldChanges(opened ?? {}, now ?? {})
}
