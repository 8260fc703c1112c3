import { merchantKeyHeader } from '../contract/merchant-key.ts'
import { versionHeader } from '../contract/versions.ts'
import type { ObservedCall } from '../journal/observed-call.ts'
import { keptOfBody, type ExchangeRecord } from '../journal/record.ts'
import { monotonicNow } from '../runtime/host.ts'
import type { Answer } from './answer.ts'
import type { Exchange } from './exchange.ts'

/**
 * Writes an exchange down, just before its answer leaves, and counts what it exercised of the contract, or that it met
 * no endpoint: also where it was refused before anybody looked for one.
 */
export function recordExchange(exchange: Exchange, answer: Answer): void {
  const { journal, coverage } = exchange.workspace
  const call = observedCall(exchange)
  if (call.endpoint) coverage.count(call)
  else if (call.method !== 'OPTIONS') exchange.service.unmatched.add(call.method, exchange.incoming.path)
  if (journal.isOn) journal.add(recordOf(exchange, answer))
}

function observedCall(exchange: Exchange): ObservedCall {
  const { method, route, headers, query } = exchange.incoming
  return {
    method,
    endpoint: exchange.endpoint ?? route?.byMethod.get(method),
    hasCredential: headers.authorization !== undefined,
    credentialForm: exchange.credentialForm,
    key: exchange.key,
    versionHeader: headers[versionHeader],
    version: exchange.version,
    productHeader: headers[merchantKeyHeader],
    product: exchange.product,
    scopes: exchange.scopes,
    plan: exchange.plan,
    query,
    parameters: exchange.query,
    body: exchange.parsed,
    permitted: exchange.permitted,
    asked: exchange.asked,
    failure: exchange.failure,
    result: exchange.result,
  }
}

function recordOf(exchange: Exchange, answer: Answer): ExchangeRecord {
  const { incoming, bytes } = exchange
  const { body } = answer
  return {
    id: exchange.requestId,
    at: exchange.at,
    workspace: exchange.workspace.name,
    method: incoming.method,
    path: incoming.path,
    origin: incoming.origin,
    query: incoming.query,
    requestHeaders: incoming.rawHeaders,
    requestBody: bytes && beginning(bytes),
    requestBodyCutFrom: bytes && cutFrom(bytes),
    params: incoming.params,
    endpoint: exchange.endpoint,
    credentialProblem: exchange.credentialProblem,
    key: exchange.key,
    version: exchange.version,
    versionSource: exchange.versionSource,
    savedVersion: exchange.savedVersion,
    product: exchange.product,
    scopes: exchange.scopes,
    status: answer.status,
    responseHeaders: answer.headers,
    responseBody: body && beginning(body),
    responseBodyCutFrom: body === null ? undefined : cutFrom(body),
    fault: answer.fault,
    failure: exchange.failure,
    scenarios: exchange.scenarios,
    plan: exchange.plan,
    assumptions: exchange.restsOn,
    reads: exchange.reads,
    changes: exchange.changes,
    scenarioChanges: exchange.scenarioChanges,
    duration: monotonicNow() - exchange.started,
  }
}

/** How many bytes a body has of which only the beginning is kept. */
function cutFrom(body: string | Uint8Array): number | undefined {
  // No character takes more than three bytes, so that most texts need not be measured.
  if (body.length <= (typeof body === 'string' ? keptOfBody / 3 : keptOfBody)) return undefined
  const bytes = Buffer.byteLength(body)
  return bytes > keptOfBody ? bytes : undefined
}

/** As much of a body as is kept: a copy where that is a part, which would hold on to the whole. */
function beginning<B extends string | Uint8Array>(body: B): B | Uint8Array {
  return cutFrom(body) === undefined ? body : new Uint8Array(Buffer.from(body).subarray(0, keptOfBody))
}
