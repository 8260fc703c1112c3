// Filters the journal by operation, status, outcome and time.
import { z } from 'zod'
import { timestamp } from '../contract/formats.ts'
import type { OperationId } from '../contract/declared.generated.ts'
import { outcomes, type Outcome } from '../contract/outcomes.ts'
import { endpoints } from '../endpoints/index.ts'
import type { Journal } from './journal.ts'
import { outcomeOf, type Exchange } from '../exchange/index.ts'

const numeral = z.string().regex(/^\d{1,9}$/)

/** An integer, also as the text that a query holds. */
const integer = (least: number, most: number) =>
  z
    .union([z.int(), numeral.transform(Number)], { error: 'must be an integer' })
    .refine((value) => value >= least && value <= most, { error: `must be from ${least} to ${most}` })

/** The operation ids that the journal can be filtered by. */
export const operationId = z.enum(endpoints.map(({ id }) => id))

/** Which requests are asked for; what is left out lets all of them through. */
export const requestFilter = z.strictObject({
  operation: operationId.optional(),
  status: integer(100, 599).optional(),
  outcome: z.enum(outcomes).optional(),
  /** RFC 3339, on the sandbox clock. */
  since: timestamp.optional(),
  /** Only those that came after the request of this id; all, where the journal does not hold it. */
  after: z.string().optional(),
  /** At most this many, the newest. */
  limit: integer(1, 1_000_000).optional(),
})

export interface RequestFilter {
  operation?: OperationId
  status?: number
  outcome?: Outcome
  since?: string
  after?: string
  limit?: number
}

/** The exchanges that a filter lets through, newest first. */
export function filtered(journal: Journal, filter: z.output<typeof requestFilter>): Exchange[] {
  const { operation, status, outcome, since, after, limit = Number.POSITIVE_INFINITY } = filter
  const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since)
  const found: Exchange[] = []
  for (const exchange of journal.exchanges()) {
    if (found.length >= limit || exchange.became.id === after) break
    if (operation !== undefined && exchange.received.endpoint?.id !== operation) continue
    if (status !== undefined && exchange.became.status !== status) continue
    if (outcome !== undefined && outcomeOf(exchange) !== outcome) continue
    if (exchange.became.at >= from) found.push(exchange)
  }
  return found
}
