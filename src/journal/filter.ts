// Filters the journal by operation, status, outcome, text, time and position.
import { z } from 'zod'
import { timestamp } from '../contract/formats.ts'
import type { OperationId } from '../contract/declared.generated.ts'
import { outcomes, type OutcomeName } from '../contract/outcomes.ts'
import { allEndpoints } from '../endpoints/index.ts'
import type { Journal } from './journal.ts'
import { outcomeOf, receivedStatus, type Call } from '../call/index.ts'
import { integerBetween, numeral } from '../input/integer-between.ts'
import type { Redactor } from '../secrets/redact.ts'
import { answeredBody, headOf, sentBody, shownTest } from './entry.ts'
import { hasFields, hasText, paged } from './match-entry.ts'

/** The operation ids by which the journal can be filtered. */
export const operationId = z.enum(allEndpoints.map(({ id }) => id))

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

/** The conditions of a filter; an omitted one matches every request. */
export const requestFilter = z.strictObject({
  operation: operationId.optional().describe('only calls of this operation, such as updateReward'),
  status: statusOrClass
    .optional()
    .describe('only calls that were answered with this status, one of a class such as 4xx, or lost'),
  outcome: z.enum(outcomes).optional().describe('only calls with this outcome, such as not_found'),
  test: z
    .string()
    .optional()
    .describe('only calls of tests whose name or file contains this text, ignoring case'),
  /** See `shows`. */
  text: z
    .string()
    .optional()
    .describe('only calls with this text in path, query, body or metadata, ignoring case'),
  since: timestamp
    .optional()
    .describe('only calls from this instant on (RFC 3339, by the clock of the workspace)'),
  after: z
    .string()
    .optional()
    .describe('only calls after the one with this id; all, if the journal does not have it'),
  before: z
    .string()
    .optional()
    .describe('only calls before the one with this id; none, if the journal does not have it'),
  limit: integerBetween(1, 1_000_000)
    .optional()
    .describe('the maximum number of calls; the newest are returned'),
})

export interface RequestFilter {
  operation?: OperationId
  /** A status, all of one class, such as `4xx`, or `lost` for calls whose client received none. */
  status?: number | StatusClass
  outcome?: OutcomeName
  /** Part of the name or the file of the test that made the request, ignoring case. */
  test?: string
  /**
   * A complete status, or part of id, method, path, query, operation, outcome, error type, key id, product, a scenario
   * rule or a body as shown, ignoring case; a JSON body is searched without spaces.
   */
  text?: string
  since?: string
  /** The id of a request: only later ones; all, if the journal does not have it. */
  after?: string
  /** The id of a request: only earlier ones; none, if the journal does not have it. */
  before?: string
  /** Maximum number of requests, the newest of them. */
  limit?: number
}

/** Returns the calls that match a filter, newest first. */
export function filtered(
  journal: Journal,
  { since, after, before, limit, text, ...fields }: z.output<typeof requestFilter>,
  hide: Redactor,
): Call[] {
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
  return paged(journal.calls(), ({ outcome }) => outcome, page, fits)
}

/** Whether a text is part of the shown text of a call; hidden parts are not searched. */
function shows(call: Call, text: string, hide: Redactor): boolean {
  function* bodies(): Generator<unknown> {
    yield sentBody(call.request, hide).body
    yield answeredBody(call, hide).body
  }
  return hasText(headOf(call, hide), bodies(), text)
}
