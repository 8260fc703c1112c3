// The row of a not-found answer, and why it was not found.
import type { Read } from '../store/transaction.ts'
import type { Call } from '../call/index.ts'
import { whyAbsent } from './absent-row.ts'
import type { ExplanationContext } from './explanation-context.ts'
import type { RowHistory } from './row-history.ts'
import { quoted, rowName } from './quoted-values.ts'

/** The lookup that decided a not-found answer. */
export interface MissingRow {
  read: Read
  /** The result of the lookup. */
  why: string
  reason: string
}

/**
 * Returns the row of a not-found answer: the last one that was looked up, or the one that led to it. An existing row
 * was refused for its owner: it belongs to another product, or to another customer than the call names.
 */
export function missingRow(
  call: Call,
  history: RowHistory,
  context: ExplanationContext,
): MissingRow | undefined {
  const lookups = call.resolution.reads.filter(({ id }) => id !== undefined)
  const last = lookups.at(-1)
  if (!last || last.id === undefined) return undefined
  const { collection, id, row } = last
  if (!row) {
    const why = whyAbsent(collection, id, history, context)
    return {
      read: last,
      why: `not found: ${why}`,
      reason: `There was no ${rowName(collection)} ${quoted(id)}: ${why}.`,
    }
  }
  const owner = textOf(row, 'customer_id')
  if (collection !== 'customers') {
    if (owner === undefined) return undefined
    return of(last, `it belongs to customer ${quoted(owner)}, not to the one of the call`)
  }
  const product = textOf(row, 'product')
  const own = call.resolution.product?.merchant_key
  const before = lookups.at(-2)
  const isOwner = before?.row !== undefined && textOf(before.row, 'customer_id') === id
  if (product === own && before && isOwner) {
    return of(before, `it belongs to customer ${quoted(id)}, not to the one of the call`)
  }
  if (product === undefined || product === own) return undefined
  const other = `it is in product ${quoted(product)}, and the call is for ${quoted(own ?? '')}`
  return before && isOwner ? of(before, other) : of(last, other)
}

function of(read: Read, why: string): MissingRow {
  const { collection, id = '' } = read
  return {
    read,
    why: `found, but ${why}`,
    reason: `The ${rowName(collection)} ${quoted(id)} exists, but ${why}.`,
  }
}

function textOf(row: object, field: string): string | undefined {
  const value: unknown = Reflect.get(row, field)
  return typeof value === 'string' ? value : undefined
}
