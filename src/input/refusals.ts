// Refusals of what was asked for: not found, invalid, in conflict, still in use.
import { didYouMean } from './did-you-mean.ts'
import { DocumentError, printable } from './problems.ts'

/** Thrown for something that is not there: a collection, a row, a snapshot, a workspace. */
export class NotFoundError extends RangeError {
  override name = 'NotFoundError'
}

/** Thrown for a word that cannot be what it was given as, such as a name with a space in it. */
export class InvalidError extends RangeError {
  override name = 'InvalidError'
}

/** Thrown for what cannot be done as things stand, though nothing is wrong with how it was asked for. */
export class ConflictError extends Error {
  override name = 'ConflictError'
}

/** Thrown for what whoever asks may not do, whether it could be done or not. */
export class ForbiddenError extends Error {
  override name = 'ForbiddenError'
}

/** Thrown for a row that cannot be deleted, as other rows still name it. */
export class RowInUseError extends DocumentError {
  override name = 'RowInUseError'
}

/** How many names a message lists. */
const maxListed = 20

/**
 * The refusal of a name that nothing has: it tells the nearest one, or else what there is.
 * @example notThere('snapshot', 'befor', ['before']).message   // no snapshot is called 'befor', did you mean 'before'?
 */
export function notThere(kind: string, name: string, known: Iterable<string>): NotFoundError {
  const names = [...known]
  const hint = didYouMean(name, names, `: ${listed(names)}`)
  return new NotFoundError(`no ${kind} is called '${printable(name)}'${hint}`)
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'there is none'
  const shown = names.slice(0, maxListed).map((name) => `'${name}'`)
  const more = names.length - shown.length
  return `there is ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
