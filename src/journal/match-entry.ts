// Matches entries by field, by text, and by page. Journal and trace both use it.
import { stringify } from '../json/stringify.ts'
import type { TestName } from '../call/test-of-call.ts'
import type { EntryHead } from './entry.ts'

/** The fields that a filter compares; a status may be a class such as `4xx`, or `lost`. */
export interface FieldFilter {
  operation?: string | undefined
  status?: number | string | undefined
  outcome?: string | undefined
  /** Part of the name or the file of its test, ignoring case. */
  test?: string | undefined
}

/** Whether an entry has the fields of a filter. */
export function hasFields(
  entry: Pick<EntryHead, 'operation' | 'status' | 'outcome' | 'test'>,
  { operation, status, outcome, test }: FieldFilter,
): boolean {
  if (operation !== undefined && entry.operation !== operation) return false
  if (outcome !== undefined && entry.outcome !== outcome) return false
  if (test !== undefined && !namesTest(entry.test, test)) return false
  return status === undefined || statusNames(entry).includes(String(status))
}

/** Returns the names of a status: itself and its class, or `lost` if the client received none. */
function statusNames({ status }: Pick<EntryHead, 'status'>): string[] {
  return status === null ? ['lost'] : [String(status), `${Math.floor(status / 100)}xx`]
}

function namesTest(test: TestName | null, text: string): boolean {
  const sought = text.toLowerCase()
  return [test?.name, test?.file].some((shown) => shown?.toLowerCase().includes(sought))
}

/**
 * Whether a text is part of an entry, ignoring case; a status only as a whole, as 20 is in every 200.
 * @param bodies are read last and one by one: their secrets are the most expensive to hide.
 */
export function hasText(entry: EntryHead, bodies: Iterable<unknown>, text: string): boolean {
  if (text === String(entry.status ?? 'lost')) return true
  const sought = text.toLowerCase()
  const holds = (shown: string): boolean => shown.toLowerCase().includes(sought)
  const { method, path, query, id, outcome, operation, error_type, key_id, product } = entry
  const target = `${method} ${path}${query === '' ? '' : `?${query}`}`
  const named = [operation, error_type, key_id, product, ...entry.scenario_rules]
  if ([target, id, outcome, ...named].some((shown) => shown !== null && holds(shown))) return true
  for (const body of bodies) {
    if (body !== null && holds(typeof body === 'string' ? body : stringify(body))) return true
  }
  return false
}

/** The requested page of entries. */
export interface EntryPage {
  /** In ms since the epoch. */
  since?: number | undefined
  /** The id of an entry: only newer ones; all, if it does not exist. */
  after?: string | undefined
  /** The id of an entry: only older ones; none, if it does not exist. */
  before?: string | undefined
  /** Maximum number of entries, the newest. */
  limit?: number | undefined
}

/** Returns the matching entries of a page, newest first. */
export function paged<T>(
  newestFirst: Iterable<T>,
  positionOf: (entry: T) => { id: string; at: number },
  { since = Number.NEGATIVE_INFINITY, after, before, limit = Number.POSITIVE_INFINITY }: EntryPage,
  fits: (entry: T) => boolean,
): T[] {
  const found: T[] = []
  let isReached = before === undefined
  for (const entry of newestFirst) {
    const { id, at } = positionOf(entry)
    if (found.length >= limit || id === after) break
    if (isReached && at >= since && fits(entry)) found.push(entry)
    if (id === before) isReached = true
  }
  return found
}
