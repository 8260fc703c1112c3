import type { Outcome } from '../contract/outcomes.ts'
import { isJsonObject } from '../contract/formats.ts'
import type { Change } from '../store/transaction.ts'
import { outcomeOf } from './outcome.ts'
import type { ExchangeRecord } from './record.ts'
import type { Redactor } from './redact.ts'

/** What was sent. A header or parameter that was sent several times has a list of values. */
export interface SentRequest {
  headers: Record<string, string | string[]>
  query: Record<string, string | string[]>
  /** The body as JSON where it is JSON, else as text; null when none was read. */
  body: unknown
}

/** What was answered; after a transport fault, what would have been. */
export interface SentResponse {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** One exchange as the journal shows it, with every secret hidden (design: Control plane). */
export interface JournalEntry {
  /** The `x-sandbox-request-id` of the answer. */
  id: string
  /** When it came, RFC 3339, on the sandbox clock. */
  at: string
  workspace: string
  /** The operation id; null where no endpoint has this path and method. */
  operation: string | null
  method: string
  path: string
  key_id: string | null
  version: string | null
  /** The merchant key of the product. */
  product: string | null
  status: number
  outcome: Outcome
  /** The type in the body of the error; null for a success and for the validation shape, which has none. */
  error_type: string | null
  /** The scenario rules that acted on it, such as `reward-vanishes#0`. */
  scenario_rules: string[]
  assumptions: string[]
  /** The contract does not allow such an answer; a scenario asked for it. */
  off_contract: boolean
  changes: Change[]
  /** How long it took, in the machine's own time. */
  duration_ms: number
  request: SentRequest
  response: SentResponse
}

/** An exchange as it may be shown. @example entryOf(record, redactor(secrets)) */
export function entryOf(record: ExchangeRecord, hide: Redactor): JournalEntry {
  const response = readBody(record.responseBody)
  return {
    id: record.id,
    at: new Date(record.at).toISOString(),
    workspace: record.workspace,
    operation: record.endpoint?.id ?? null,
    method: record.method,
    path: hide.text(record.path),
    key_id: record.key?.id ?? null,
    version: record.version ?? null,
    product: record.product?.merchant_key ?? null,
    status: record.status,
    outcome: outcomeOf(record),
    error_type: record.status < 400 ? null : typeOf(response),
    scenario_rules: [...(record.plan?.rules ?? [])],
    assumptions: [...record.assumptions],
    off_contract: record.plan?.offContract ?? false,
    changes: record.changes.map((change) => hidden(change, hide)),
    duration_ms: Math.round(record.duration * 1000) / 1000,
    request: {
      headers: grouped(headerPairs(record), hide),
      query: grouped([...new URLSearchParams(record.query)], hide),
      body: hide.json(readBody(record.requestBody ?? null)),
    },
    response: {
      status: record.status,
      headers: Object.fromEntries(
        Object.entries(record.responseHeaders).map(([name, value]) => [name, hide.named(name, value)]),
      ),
      body: hide.json(response),
    },
  }
}

/** The request headers as they came, names in lower case. */
export function headerPairs({ requestHeaders }: ExchangeRecord): [string, string][] {
  if (requestHeaders instanceof Headers) return [...requestHeaders]
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < requestHeaders.length; at += 2) {
    pairs.push([(requestHeaders[at] ?? '').toLowerCase(), requestHeaders[at + 1] ?? ''])
  }
  return pairs
}

/** A body as JSON where it is JSON, else as text; null for none. */
export function readBody(body: string | Uint8Array | null): unknown {
  if (body === null || body.length === 0) return null
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Pairs as an object; a name that came more than once gets the list of its values. */
function grouped(
  pairs: readonly (readonly [string, string])[],
  hide: Redactor,
): Record<string, string | string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    values.set(name, [...(values.get(name) ?? []), hide.named(name, value)])
  }
  return Object.fromEntries(
    [...values].map(([name, list]) => [hide.text(name), list.length === 1 ? (list[0] ?? '') : list]),
  )
}

/** Shapes B and C carry a type. */
function typeOf(body: unknown): string | null {
  if (!isJsonObject(body)) return null
  const holder = isJsonObject(body['error']) ? body['error'] : body
  return typeof holder['type'] === 'string' ? holder['type'] : null
}

function hidden({ collection, id, before, after }: Change, hide: Redactor): Change {
  const shown = (row: object): object => hide.json(row) as object
  return {
    collection,
    id,
    ...(before ? { before: shown(before) } : {}),
    ...(after ? { after: shown(after) } : {}),
  }
}
