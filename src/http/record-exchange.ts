// Writes an exchange to the journal, and counts what it exercised of the contract, or that it met no endpoint: also
// where it was refused before anybody looked for one. Just before its answer leaves.
import type { OpenExchange } from './open-exchange.ts'
import { stubsOf } from './serve-stub.ts'

export function recordExchange(exchange: OpenExchange): void {
  const { received, workspace } = exchange
  exchange.end()
  if (received.endpoint) workspace.coverage.count(exchange)
  else if (metNoEndpoint(exchange)) exchange.service.unmatched.add(received.method, received.path)
  workspace.journal.add(exchange)
}

/** Whether a call meant something that is not there. */
export function metNoEndpoint(exchange: OpenExchange): boolean {
  const { endpoint, method } = exchange.received
  return endpoint === undefined && method !== 'OPTIONS' && !stubsOf(exchange)?.matched
}
