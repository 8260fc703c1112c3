// Filters the journal by operation, status, outcome, text, time and place.
import { z } from 'zod'
import { timestamp } from '../contract/formats.ts'
import type { OperationId } from '../contract/declared.generated.ts'
import { outcomes, type OutcomeName } from '../contract/outcomes.ts'
import { endpoints } from '../endpoints/index.ts'
import type { Journal } from './journal.ts'
import { outcomeOf, type Call } from '../call/index.ts'
import { integerBetween, numeral } from '../input/integer-between.ts'
import type { Redactor } from '../secrets/redact.ts'
import { shows } from './shown-text.ts'

/** The operation ids that the journal can be filtered by. */
export const operationId = z.enum(endpoints.map(({ id }) => id))

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

/** All statuses of one first digit. */
export type StatusClass = (typeof statusClasses)[number]

const statusOrClass = z
  .union([z.int(), numeral.transform(Number), z.enum(statusClasses)], {
    error: 'must be an integer, or a class such as 4xx',
  })
  .refine((value) => typeof value === 'string' || (value >= 100 && value <= 599), {
    error: 'must be from 100 to 599',
  })

/** Which requests are asked for; what is left out lets all of them through. */
export const requestFilter = z.strictObject({
  operation: operationId.optional(),
  status: statusOrClass.optional(),
  outcome: z.enum(outcomes).optional(),
  /** Part of what is shown of a request, in any case; see `shows`. */
  text: z.string().optional(),
  /** RFC 3339, on the sandbox clock. */
  since: timestamp.optional(),
  /** Only those that came after the request of this id; all, where the journal does not hold it. */
  after: z.string().optional(),
  /** Only those that came before the request of this id; none, where the journal does not hold it. */
  before: z.string().optional(),
  /** At most this many, the newest. */
  limit: integerBetween(1, 1_000_000).optional(),
})

export interface RequestFilter {
  operation?: OperationId
  /** A status, or all of one class, such as `4xx`. */
  status?: number | StatusClass
  outcome?: OutcomeName
  /**
   * A whole status, or part of id, method, path, query, operation, outcome, error type, key id, product, a scenario rule
   * or a body as they are shown, in any case; a body of JSON is searched as it is written without spaces.
   */
  text?: string
  since?: string
  /** The id of a request: only those that came after it; all, where the journal does not hold it. */
  after?: string
  /** The id of a request: only those that came before it; none, where the journal does not hold it. */
  before?: string
  /** At most this many, the newest of them. */
  limit?: number
}

/** The calls that a filter lets through, newest first. Yields before it looks at one: a text is sought in all of it. */
export function* filtered(
  journal: Journal,
  { since, after, before, limit = Number.POSITIVE_INFINITY, ...asked }: z.output<typeof requestFilter>,
  hide: Redactor,
): Generator<void, Call[]> {
  const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since)
  const found: Call[] = []
  let isReached = before === undefined
  // As it is now: while others have their turns, calls come and go.
  const calls = [...journal.calls()]
  for (const call of calls) {
    yield
    const { id, at } = call.outcome
    if (found.length >= limit || id === after) break
    if (isReached && at >= from && fits(call, asked, hide)) found.push(call)
    if (id === before) isReached = true
  }
  return found
}

type Asked = Pick<z.output<typeof requestFilter>, 'operation' | 'status' | 'outcome' | 'text'>

function fits(call: Call, { operation, status, outcome: name, text }: Asked, hide: Redactor): boolean {
  const { request, outcome } = call
  if (operation !== undefined && request.endpoint?.id !== operation) return false
  if (status !== undefined && status !== outcome.status && status !== classOf(outcome.status)) return false
  if (name !== undefined && outcomeOf(call) !== name) return false
  return text === undefined || shows(call, text, hide)
}

const classOf = (status: number): string => `${Math.floor(status / 100)}xx`
