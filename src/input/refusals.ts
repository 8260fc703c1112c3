// Errors of requests: not found, invalid, conflict, still in use.
import { didYouMean } from './did-you-mean.ts'
import { DocumentError, printable } from './problems.ts'

/** Thrown for an unknown collection, row, snapshot or workspace. */
export class NotFoundError extends RangeError {
  override name = 'NotFoundError'
}

/** Thrown for an invalid value, such as a name with a space in it. */
export class InvalidError extends RangeError {
  override name = 'InvalidError'
}

/** Thrown for a valid request that conflicts with the current state. */
export class ConflictError extends Error {
  override name = 'ConflictError'
}

/** Thrown for a request that the caller may not make, whether it could succeed or not. */
export class ForbiddenError extends Error {
  override name = 'ForbiddenError'
}

/** Thrown for a row that cannot be deleted, as other rows refer to it. */
export class RowInUseError extends DocumentError {
  override name = 'RowInUseError'
}

/** How many names a message lists. */
const maxListed = 20

/**
 * Returns the error for an unknown name, with the nearest one or the known names.
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
