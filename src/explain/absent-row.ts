// Why a row was not there: deleted, created later, in another workspace, misspelt.
import { closest } from '../input/did-you-mean.ts'
import { collectionNames, type CollectionName } from '../store/rows.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { authorOf, type RowHistory } from './row-history.ts'
import { listed, quoted, rowName } from './quoted-values.ts'

/** Collections that are larger are not searched for an id that is like another. */
const searchedAtMost = 5_000
const shownWorkspaces = 3

/** Why a row was not there, as far as anything still tells, in words that complete "there is none: …". */
export function whyAbsent(
  collection: CollectionName,
  id: string,
  history: RowHistory,
  context: ExplanationContext,
): string {
  const name = rowName(collection)
  const last = history.before(collection, id)
  if (last && last.change.after === undefined) return `it was deleted by ${authorOf(last)}`
  const next = history.after(collection, id)
  if (next && next.change.before === undefined) return `it was created later, by ${authorOf(next)}`
  if (context.state.get(collection, id)) return 'it was put there later, by no request of the journal'
  if (context.baseline.get(collection, id)) {
    return 'it was there at start and is deleted, by no request that the journal still holds'
  }
  const elsewhere = workspacesWith(collection, id, context)
  if (elsewhere !== undefined) return `it is in ${elsewhere}`
  const other = collectionNames.find((candidate) => context.state.get(candidate, id) !== undefined)
  if (other) return `it is the id of a ${rowName(other)}, not of a ${name}`
  const guess = likeId(collection, id, context)
  return guess === undefined
    ? `no ${name} ever had this id, as far as the journal goes back`
    : `no ${name} has this id; the nearest is ${quoted(guess)}`
}

function workspacesWith(
  collection: CollectionName,
  id: string,
  context: ExplanationContext,
): string | undefined {
  const names: string[] = []
  for (const { name, state } of context.others()) {
    if (state.get(collection, id) === undefined) continue
    if (names.length === shownWorkspaces) return `workspaces ${names.join(', ')} and others`
    names.push(name)
  }
  if (names.length === 0) return undefined
  return `${names.length === 1 ? 'workspace' : 'workspaces'} ${listed(names)}`
}

function likeId(collection: CollectionName, id: string, { state }: ExplanationContext): string | undefined {
  if (state.size(collection) > searchedAtMost) return undefined
  return closest(
    id,
    [...state.all(collection)].map((row) => state.idOf(collection, row)),
  )
}
