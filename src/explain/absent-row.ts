// Why a row was not found: deleted, created later, in another workspace, misspelt.
import { closest } from '../input/did-you-mean.ts'
import { collectionNames, type CollectionName } from '../store/rows.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { authorOf, type RowHistory } from './row-history.ts'
import { listed, quoted, rowName } from './quoted-values.ts'

/** Larger collections are not searched for a similar id. */
const searchedAtMost = 5_000
const shownWorkspaces = 3

/** Returns why a row was not found, as far as it is known, in words that complete "there is none: …". */
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
  if (context.state.get(collection, id)) return 'it was added later, but not by a request of the journal'
  if (context.baseline.get(collection, id)) {
    return 'it existed at the start and was deleted, but not by a request that is still in the journal'
  }
  const elsewhere = workspacesWith(collection, id, context)
  if (elsewhere !== undefined) return `it is in ${elsewhere}`
  const other = collectionNames.find((candidate) => context.state.get(candidate, id) !== undefined)
  if (other) return `it is the id of a ${rowName(other)}, not of a ${name}`
  const guess = likeId(collection, id, context)
  return guess === undefined
    ? `no ${name} had this id since the journal began`
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
