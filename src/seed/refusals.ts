import { closest } from '../contract/closest.ts'
import { DocumentError } from './problems.ts'

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

/** Thrown for a row that cannot be deleted, as other rows still name it. */
export class RowInUseError extends DocumentError {
  override name = 'RowInUseError'
}

/** "no snapshot is called 'befor', did you mean 'before'?" */
export function notThere(kind: string, name: string, known: Iterable<string>): NotFoundError {
  const guess = closest(name, known)
  const hint = guess === undefined ? '' : `, did you mean '${guess}'?`
  return new NotFoundError(`no ${kind} is called '${name.slice(0, 80)}'${hint}`)
}
