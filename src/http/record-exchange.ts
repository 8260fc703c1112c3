import { monotonicNow } from '../runtime/host.ts'
import type { ExchangeRecord } from '../journal/record.ts'
import type { Answer } from './answer.ts'
import type { Exchange } from './exchange.ts'

/** Writes an exchange down, just before its answer leaves. */
export function recordExchange(exchange: Exchange, answer: Answer): void {
  const { journal } = exchange.workspace
  if (journal.isOn) journal.add(recordOf(exchange, answer))
}

function recordOf(exchange: Exchange, answer: Answer): ExchangeRecord {
  const { incoming, workspace } = exchange
  return {
    id: exchange.requestId,
    at: workspace.clock.now(),
    workspace: workspace.name,
    method: incoming.method,
    path: incoming.path,
    origin: incoming.origin,
    query: incoming.query,
    requestHeaders: incoming.allHeaders(),
    requestBody: exchange.bytes,
    params: incoming.params,
    endpoint: exchange.endpoint,
    key: exchange.key,
    version: exchange.version,
    versionSource: exchange.versionSource,
    product: exchange.product,
    scopes: exchange.scopes,
    status: answer.status,
    responseHeaders: answer.headers,
    responseBody: answer.body,
    fault: answer.fault,
    failure: exchange.failure,
    plan: exchange.plan,
    assumptions: exchange.restsOn,
    reads: exchange.reads,
    changes: exchange.changes,
    duration: monotonicNow() - exchange.started,
  }
}
