// Writes an exchange to the journal, and counts what it exercised of the contract, or that it met no endpoint: also
// where it was refused before anybody looked for one. Just before its answer leaves.
import type { OpenExchange } from './open-exchange.ts'
import { tellCall } from '../workspaces/watchers.ts'
import { stubsOf } from './serve-stub.ts'

export function recordExchange(exchange: OpenExchange): void {
  const { received, workspace, service, caller } = exchange
  exchange.end()
  service.metrics.count(exchange)
  if (received.endpoint) workspace.coverage.count(exchange)
  const isUnmatched = metNoEndpoint(exchange)
  if (isUnmatched) service.unmatched.add(received.method, received.path)
  // With a store that several processes share the journal is there, and is read when somebody asks for it.
  const number = service.shared && !workspace.watchers ? 0 : workspace.journal.add(exchange)
  if (workspace.watchers) tellCall(workspace, number, exchange)
  service.onCall?.(exchange, { workspace, overHttp: caller.overHttp, metNoEndpoint: isUnmatched })
}

/** Whether a call meant something that is not there. */
function metNoEndpoint(exchange: OpenExchange): boolean {
  const { endpoint, method } = exchange.received
  return endpoint === undefined && method !== 'OPTIONS' && !stubsOf(exchange)?.matched
}
