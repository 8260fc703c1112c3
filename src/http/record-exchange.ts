import { merchantKeyHeader } from '../contract/credentials.ts'
import { versionHeader } from '../contract/versions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import type { ObservedCall } from '../coverage/observed-call.ts'
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
  if (!journal.isOn) return
  const { oldest } = journal
  journal.add(oldest instanceof Slot ? oldest.write(exchange, answer) : new Slot(exchange, answer))
}

/** The endpoint that a call is for, also where it was refused before its route was looked at. */
function calledEndpoint({ endpoint, incoming }: Exchange): Endpoint | undefined {
  return endpoint ?? incoming.route?.byMethod.get(incoming.method)
}

function observedCall(exchange: Exchange): ObservedCall {
  const { method, headers, query } = exchange.incoming
  return {
    method,
    endpoint: calledEndpoint(exchange),
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

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- its fields are those of a record, which `write` sets
interface Slot extends Writable<ExchangeRecord> {}

/**
 * A record that is written anew when another exchange takes its place. One that was made new each time would live long
 * enough to be moved to the old objects, and become garbage there, which costs more than all of the writing.
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- see above
class Slot {
  constructor(exchange: Exchange, answer: Answer) {
    this.write(exchange, answer)
  }

  write(exchange: Exchange, answer: Answer): this {
    const { incoming, bytes } = exchange
    const { body } = answer
    this.id = exchange.requestId
    this.at = exchange.at
    this.workspace = exchange.workspace.name
    this.method = incoming.method
    this.path = incoming.path
    this.origin = incoming.origin
    this.query = incoming.query
    this.requestHeaders = incoming.rawHeaders
    this.requestBody = bytes && beginning(bytes)
    this.requestBodyCutFrom = bytes && cutFrom(bytes)
    this.params = incoming.params
    this.endpoint = calledEndpoint(exchange)
    this.credentialProblem = exchange.credentialProblem
    this.key = exchange.key
    this.version = exchange.version
    this.versionSource = exchange.versionSource
    this.savedVersion = exchange.savedVersion
    this.product = exchange.product
    this.scopes = exchange.scopes
    this.status = answer.status
    this.responseHeaders = answer.headers
    this.responseBody = body && beginning(body)
    this.responseBodyCutFrom = body === null ? undefined : cutFrom(body)
    this.fault = answer.fault
    this.failure = exchange.failure
    this.scenarios = exchange.scenarios
    this.plan = exchange.plan
    this.assumptions = exchange.restsOn
    this.reads = exchange.reads
    this.changes = exchange.changes
    this.scenarioChanges = exchange.scenarioChanges
    this.duration = monotonicNow() - exchange.started
    return this
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
