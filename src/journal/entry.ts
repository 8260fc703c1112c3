// A call as the journal shows it: with every secret hidden.
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

/** What was sent. A header or parameter that was sent several times has a list of values. */
export interface SentRequest {
  headers: Record<string, string | string[]>
  query: Record<string, string | string[]>
  /** The body as JSON where it is JSON, else as text; null when none was read. */
  body: unknown
  /** How long the body was, where the journal keeps only its beginning, which is then shown as text. */
  body_bytes?: number
}

/** What was answered; after a transport fault, what would have been. */
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

/** One call as the journal shows it, with every secret hidden (design: Control plane). */
export interface JournalEntry {
  /** The `x-sandbox-request-id` of the answer. */
  id: string
  /** When it came, RFC 3339, on the sandbox clock. */
  at: string
  workspace: string
  /** The test that made it: as its header `x-sandbox-test` says, else the one that its workspace is for. */
  test: TestName | null
  /** The operation id; null where no endpoint has this path and method. */
  operation: OperationId | null
  method: string
  path: string
  /** As it was sent, without the question mark; empty where there was none. `request.query` has it by name. */
  query: string
  key_id: string | null
  version: string | null
  /** The merchant key of the product. */
  product: string | null
  /** The status that the client received; null where it received none, or not all of the body. */
  status: number | null
  outcome: OutcomeName
  /** The type in the body of the error; null for a success and for the validation shape, which has none. */
  error_type: string | null
  /** The scenario rules that acted on it, such as `reward-vanishes#0`. */
  scenario_rules: string[]
  assumptions: string[]
  /** The contract does not allow such an answer; a scenario asked for it. */
  off_contract: boolean
  changes: EntryChange[]
  /** How long it took, in the machine's own time. */
  duration_ms: number
  request: SentRequest
  response: SentResponse
}

/** An entry without changes and messages. */
export type EntryHead = Omit<JournalEntry, 'changes' | 'duration_ms' | 'request' | 'response'>

/** An entry without bodies and rows, as a stream tells it. */
export interface StreamedEntry extends Omit<JournalEntry, 'changes' | 'request' | 'response'> {
  changes: Pick<EntryChange, 'collection' | 'id'>[]
}

/** A call as a stream tells it. */
export function streamedEntryOf(call: Call, hide: Redactor): StreamedEntry {
  const { outcome } = call
  // No copy of the head: that was a third of what a call costs that is watched.
  return Object.assign(headOf(call, hide), {
    changes: outcome.changes.map(({ collection, id }) => ({ collection, id })),
    duration_ms: shownDuration(outcome),
  })
}

/** The part of an entry that costs little to hide. */
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

/** The test of a call, with the secrets in its name hidden. */
export function shownTest({ request, outcome }: Call, hide: Redactor): TestName | null {
  const test = testOf(request, outcome.test)
  return test && { name: hide.text(test.name), file: test.file === null ? null : hide.text(test.file) }
}

/** How long a call took, in milliseconds, exact to the microsecond. */
export function shownDuration({ duration }: { duration: number }): number {
  return Math.round(duration * 1000) / 1000
}

/** A call as it may be shown. @example entryOf(call, redactor(secrets)) */
export function entryOf(call: Call, hide: Redactor): JournalEntry {
  return { ...lazyEntryOf(call, hide, (value) => value) }
}

/** Prints an entry with all of its fields, those that are not made yet too. */
const printable = {
  [inspect.custom](this: object) {
    return { ...this }
  },
}

/**
 * The same, with what costs most to hide (rows and bodies) made when it is first looked at: who follows the calls of
 * a sandbox seldom does.
 *
 * @param give makes of them what is given away, such as a plain copy.
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

/** What an answer of 400 and above says was wrong, without the rest of it; also of one to HEAD, which is not shown it. */
export function reasonOf({ status, body }: Answer, hide: Redactor): string | undefined {
  const value = status < 400 || typeof body !== 'string' ? undefined : readBody(body)
  // A scenario may answer with anything, which is then no reason that could be told.
  if (!isJsonObject(value)) return undefined
  const { details, error } = value
  const { message } = isJsonObject(error) && 'message' in error ? error : value
  const reason = Array.isArray(details) ? details.join('; ') : message
  return reason === undefined ? undefined : hide.text(String(reason))
}

/** The query of a request as it was sent, without what is secret by itself or by its name. */
export function shownQuery({ query }: Pick<IncomingRequest, 'query'>, hide: Redactor): string {
  if (query === '') return ''
  return query
    .split('&')
    .map((part) => shownParameter(part, hide))
    .join('&')
}

/** A parameter as it was sent, or decoded where something of it is hidden. */
function shownParameter(part: string, hide: Redactor): string {
  for (const [name, value] of new URLSearchParams(part)) {
    const shown = { name: hide.text(name), value: hide.parameter(name, value) }
    if (shown.name !== name || shown.value !== value) return `${shown.name}=${shown.value}`
  }
  return part
}

/** Longer than any secret or card number: what the end of a cut body is left off by, as it may be half of one. */
const doubtfulEnd = 256

type ShownBody = Pick<SentRequest, 'body' | 'body_bytes'>

/** The body that was sent. */
export function sentBody({ body, bodyBytes }: IncomingRequest, hide: Redactor): ShownBody {
  return hiddenBody(readBody(body), bodyBytes, hide)
}

/** The body that was answered. An answer to HEAD has the headers of the body that it leaves out. */
export function answeredBody({ request, outcome }: Call, hide: Redactor): ShownBody {
  return hiddenBody(request.method === 'HEAD' ? null : readBody(outcome.body), outcome.bodyBytes, hide)
}

function hiddenBody(body: unknown, cutFrom: number | undefined, hide: Redactor): ShownBody {
  const shown = hide.body(body)
  if (cutFrom === undefined || typeof shown !== 'string') return { body: shown }
  return { body: shown.slice(0, -doubtfulEnd), body_bytes: cutFrom }
}

/** A body as JSON where it is JSON, else as text; null for none. */
export function readBody(body: string | Uint8Array | null | undefined): unknown {
  if (body === null || body === undefined || body.length === 0) return null
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  try {
    // A byte order mark is none of the text (RFC 8259).
    return parseExact(text.replace(/^\ufeff/, ''), true)
  } catch {
    return text
  }
}

/** Pairs as an object; a name that came more than once gets the list of its values. */
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

/** The type of an error as it was answered: shapes B and C carry one. */
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
