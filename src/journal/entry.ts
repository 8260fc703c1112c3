// The entry of a call in the journal: with every secret hidden.
import type { OperationId } from '../contract/declared.generated.ts'
import { inspect } from 'node:util'
import type { OutcomeName } from '../contract/outcomes.ts'
import { isJsonObject } from '../contract/formats.ts'
import type { Change } from '../store/transaction.ts'
import type { Answer } from '../call/outcome.ts'
import { outcomeOf, receivedStatus, type Call } from '../call/index.ts'
import { testOf, type TestName } from '../call/test-of-call.ts'
import { headerPairs, type IncomingRequest } from '../call/incoming-request.ts'
import { parseExact } from '../json/parse-exact.ts'
import type { Redactor } from '../secrets/redact.ts'

/** The request. A repeated header or parameter has a list of values. */
export interface SentRequest {
  headers: Record<string, string | string[]>
  query: Record<string, string | string[]>
  /** The body as JSON if it is JSON, or as text; null if none was read. */
  body: unknown
  /** The original length, if the journal has only the beginning of the body, which is then shown as text. */
  body_bytes?: number
}

/** The response; after a transport fault, the one that would have been sent. */
export interface SentResponse {
  status: number
  headers: Record<string, string>
  body: unknown
  /** As in the request. */
  body_bytes?: number
}

/** A row that a call changed; `before` is missing for a new row, `after` for a deleted one. */
export interface EntryChange {
  /** Such as `rewards`, or `account` for the account's one row. */
  collection: string
  id: string
  before?: object
  after?: object
}

/** One call in the journal, with every secret hidden (design: Control plane). */
export interface JournalEntry {
  /** The `x-sandbox-request-id` of the answer. */
  id: string
  /** When it arrived, RFC 3339, on the sandbox clock. */
  at: string
  workspace: string
  /** The test that made it: from its header `x-sandbox-test`, or the one that its workspace was created for. */
  test: TestName | null
  /** The operation id; null if no endpoint has this path and method. */
  operation: OperationId | null
  method: string
  path: string
  /** As sent, without the question mark; empty if there was none. `request.query` has it by name. */
  query: string
  key_id: string | null
  version: string | null
  /** The merchant key of the product. */
  product: string | null
  /** The status that the client received; null if it received none, or not the whole body. */
  status: number | null
  outcome: OutcomeName
  /** The type in the body of the error; null for a success and for the validation shape, which has none. */
  error_type: string | null
  /** The scenario rules that acted on it, such as `reward-vanishes#1`. */
  scenario_rules: string[]
  assumptions: string[]
  /** The contract does not allow such an answer; a scenario or a stub produced it. */
  off_contract: boolean
  changes: EntryChange[]
  /** Duration in ms, in monotonic time. */
  duration_ms: number
  request: SentRequest
  response: SentResponse
}

/** An entry without changes, duration and messages. */
export type EntryHead = Omit<JournalEntry, 'changes' | 'duration_ms' | 'request' | 'response'>

/** An entry without bodies and rows, for a stream. */
export interface StreamedEntry extends Omit<JournalEntry, 'changes' | 'request' | 'response'> {
  changes: Pick<EntryChange, 'collection' | 'id'>[]
}

/** Returns a call in the form of a stream. */
export function streamedEntryOf(call: Call, hide: Redactor): StreamedEntry {
  const { outcome } = call
  // Without a copy of the head, which would take a third of the time of a watched call.
  return Object.assign(headOf(call, hide), {
    changes: outcome.changes.map(({ collection, id }) => ({ collection, id })),
    duration_ms: shownDuration(outcome),
  })
}

/** The parts of an entry whose secrets are cheap to hide. */
export function headOf(call: Call, hide: Redactor): EntryHead {
  const { request, resolution, outcome } = call
  return {
    id: outcome.id,
    at: new Date(outcome.at).toISOString(),
    workspace: outcome.workspace,
    test: shownTest(call, hide),
    operation: request.endpoint?.id ?? null,
    method: request.method,
    path: hide.text(request.path),
    query: shownQuery(request, hide),
    key_id: resolution.key?.id ?? null,
    version: resolution.version ?? null,
    product: resolution.product?.merchant_key ?? null,
    status: receivedStatus(call),
    outcome: outcomeOf(call),
    error_type: errorTypeOf(outcome),
    scenario_rules: [...(resolution.plan?.rules ?? [])],
    assumptions: [...resolution.restsOn.ids],
    off_contract: resolution.offContract,
  }
}

/** Returns the test of a call, with the secrets in its name hidden. */
export function shownTest({ request, outcome }: Call, hide: Redactor): TestName | null {
  const test = testOf(request, outcome.test)
  return test && { name: hide.text(test.name), file: test.file === null ? null : hide.text(test.file) }
}

/** Returns the duration of a call in ms, exact to the microsecond. */
export function shownDuration({ duration }: { duration: number }): number {
  return Math.round(duration * 1000) / 1000
}

/** Returns the journal entry of a call, with secrets hidden. @example entryOf(call, redactor(secrets)) */
export function entryOf(call: Call, hide: Redactor): JournalEntry {
  return { ...lazyEntryOf(call, hide, (value) => value) }
}

/** Prints an entry with all of its fields, including those that are not computed yet. */
const printable = {
  [inspect.custom](this: object) {
    return { ...this }
  },
}

/**
 * The same, with the expensive parts (rows and bodies) computed on first access, as watchers of calls seldom need them.
 *
 * @param give converts each part to its result, such as a plain copy.
 */
export function lazyEntryOf(call: Call, hide: Redactor, give: <T>(value: T) => T): JournalEntry {
  const { request, outcome } = call
  let changes: EntryChange[] | undefined
  let sent: SentRequest | undefined
  let response: SentResponse | undefined
  const entry: JournalEntry = {
    ...headOf(call, hide),
    get changes() {
      return (changes ??= give(outcome.changes.map((change) => hidden(change, hide))))
    },
    duration_ms: shownDuration(outcome),
    get request() {
      return (sent ??= give({
        headers: grouped(headerPairs(request), hide.named, hide),
        query: grouped([...new URLSearchParams(request.query)], hide.parameter, hide),
        ...sentBody(request, hide),
      }))
    },
    get response() {
      return (response ??= give({
        status: outcome.status,
        headers: Object.fromEntries(
          Object.entries(outcome.headers).map(([name, value]) => [name, hide.named(name, value)]),
        ),
        ...answeredBody(call, hide),
      }))
    },
  }
  return Object.setPrototypeOf(entry, printable)
}

/** Returns the error message of an answer of 400 and above, including one to HEAD, which is sent without a body. */
export function reasonOf({ status, body }: Answer, hide: Redactor): string | undefined {
  const value = status < 400 || typeof body !== 'string' ? undefined : readBody(body)
  // A scenario may answer with anything, which may have no message.
  if (!isJsonObject(value)) return undefined
  const { details, error } = value
  const { message } = isJsonObject(error) && 'message' in error ? error : value
  const reason = Array.isArray(details) ? details.join('; ') : message
  return reason === undefined ? undefined : hide.text(String(reason))
}

/** Returns the query of a request as sent, with secrets hidden by value and by name. */
export function shownQuery({ query }: Pick<IncomingRequest, 'query'>, hide: Redactor): string {
  if (query === '') return ''
  return query
    .split('&')
    .map((part) => shownParameter(part, hide))
    .join('&')
}

/** Returns a parameter as sent, or decoded if a part of it is hidden. */
function shownParameter(part: string, hide: Redactor): string {
  for (const [name, value] of new URLSearchParams(part)) {
    const shown = { name: hide.text(name), value: hide.parameter(name, value) }
    if (shown.name !== name || shown.value !== value) return `${shown.name}=${shown.value}`
  }
  return part
}

/** Longer than any secret or card number: this much is removed from the end of a cut body, as it may be half of one. */
const doubtfulEnd = 256

type ShownBody = Pick<SentRequest, 'body' | 'body_bytes'>

/** Returns the body of the request. */
export function sentBody({ body, bodyBytes }: IncomingRequest, hide: Redactor): ShownBody {
  return hiddenBody(readBody(body), bodyBytes, hide)
}

/** Returns the body of the response. An answer to HEAD has the headers of the body that it omits. */
export function answeredBody({ request, outcome }: Call, hide: Redactor): ShownBody {
  return hiddenBody(request.method === 'HEAD' ? null : readBody(outcome.body), outcome.bodyBytes, hide)
}

function hiddenBody(body: unknown, cutFrom: number | undefined, hide: Redactor): ShownBody {
  const shown = hide.body(body)
  if (cutFrom === undefined || typeof shown !== 'string') return { body: shown }
  return { body: shown.slice(0, -doubtfulEnd), body_bytes: cutFrom }
}

/** Returns a body as JSON if it is JSON, or as text; null for none. */
export function readBody(body: string | Uint8Array | null | undefined): unknown {
  if (body === null || body === undefined || body.length === 0) return null
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  try {
    // A byte order mark is not part of the text (RFC 8259).
    return parseExact(text.replace(/^\ufeff/, ''), true)
  } catch {
    return text
  }
}

/** Returns pairs as an object; a repeated name gets the list of its values. */
function grouped(
  pairs: readonly (readonly [string, string])[],
  shown: (name: string, value: string) => string,
  hide: Redactor,
): Record<string, string | string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    values.set(name, [...(values.get(name) ?? []), shown(name, value)])
  }
  return Object.fromEntries(
    [...values].map(([name, list]) => [hide.text(name), list.length === 1 ? (list[0] ?? '') : list]),
  )
}

/** Returns the type of an error in the answer: shapes B and C have one. */
export function errorTypeOf({ status, body }: Answer): string | null {
  const read = status < 400 ? undefined : readBody(body)
  if (!isJsonObject(read)) return null
  const holder = isJsonObject(read['error']) ? read['error'] : read
  return typeof holder['type'] === 'string' ? holder['type'] : null
}

function hidden({ collection, id, before, after }: Change, hide: Redactor): EntryChange {
  const shown = (row: object): object => hide.json(row) as object
  return {
    collection,
    id,
    ...(before ? { before: shown(before) } : {}),
    ...(after ? { after: shown(after) } : {}),
  }
}
