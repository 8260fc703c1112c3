// Filters the journal by operation, status, outcome, text, time and place.
import { z } from 'zod'
import { timestamp } from '../contract/formats.ts'
import type { OperationId } from '../contract/declared.generated.ts'
import { outcomes, type OutcomeName } from '../contract/outcomes.ts'
import { endpoints } from '../endpoints/index.ts'
import type { Journal } from './journal.ts'
import { outcomeOf, receivedStatus, type Call } from '../call/index.ts'
import { integerBetween, numeral } from '../input/integer-between.ts'
import type { Redactor } from '../secrets/redact.ts'
import { answeredBody, headOf, sentBody, shownTest } from './entry.ts'
import { hasFields, hasText, paged } from './match-entry.ts'

/** The operation ids that the journal can be filtered by. */
export const operationId = z.enum(endpoints.map(({ id }) => id))

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx', 'lost'] as const

/** All statuses of one first digit, or `lost`: the client received none. */
export type StatusClass = (typeof statusClasses)[number]

const statusOrClass = z
  .union([z.int(), numeral.transform(Number), z.enum(statusClasses)], {
    error: 'must be an integer, a class such as 4xx, or lost',
  })
  .refine((value) => typeof value === 'string' || (value >= 100 && value <= 599), {
    error: 'must be from 100 to 599',
  })

/** Which requests are asked for; what is left out lets all of them through. */
export const requestFilter = z.strictObject({
  operation: operationId.optional(),
  status: statusOrClass.optional(),
  outcome: z.enum(outcomes).optional(),
  /** Part of the name or the file of the test, in any case. */
  test: z.string().optional(),
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
  /** A status, all of one class, such as `4xx`, or `lost` for calls whose client received none. */
  status?: number | StatusClass
  outcome?: OutcomeName
  /** Part of the name or the file of the test that made the request, in any case. */
  test?: string
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
export function filtered(
  journal: Journal,
  { since, after, before, limit, text, ...fields }: z.output<typeof requestFilter>,
  hide: Redactor,
): Generator<void, Call[]> {
  const page = { since: since === undefined ? undefined : Date.parse(since), after, before, limit }
  const fits = (call: Call): boolean => {
    const shown = {
      operation: call.request.endpoint?.id ?? null,
      status: receivedStatus(call),
      outcome: outcomeOf(call),
      test: fields.test === undefined ? null : shownTest(call, hide),
    }
    return hasFields(shown, fields) && (text === undefined || shows(call, text, hide))
  }
  // A copy: calls come and go while the search yields.
  return paged([...journal.calls()], ({ outcome }) => outcome, page, fits)
}

/** Whether a text is part of what is shown of a call; hidden parts are not searched. */
function shows(call: Call, text: string, hide: Redactor): boolean {
  function* bodies(): Generator<unknown> {
    yield sentBody(call.request, hide).body
    yield answeredBody(call, hide).body
  }
  return hasText(headOf(call, hide), bodies(), text)
}
