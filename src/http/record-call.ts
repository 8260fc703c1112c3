// Writes a call to the journal, and counts what it exercised of the contract, or that it met no endpoint: also
// where it was refused before anybody looked for one. Just before its answer leaves.
import type { ServedCall } from './served-call.ts'
import { tellCall } from '../workspaces/watchers.ts'
import { stubsOf } from './serve-stub.ts'

export function recordCall(call: ServedCall): void {
  const { request, workspace, service, caller } = call
  call.end()
  service.metrics.count(call)
  if (request.endpoint) workspace.coverage.count(call)
  const isUnmatched = metNoEndpoint(call)
  if (isUnmatched) service.unmatched.add(request.method, request.path)
  // With a store that several processes share the journal is there, and is read when somebody asks for it.
  const number = service.shared && !workspace.watchers ? 0 : workspace.journal.add(call)
  if (workspace.watchers) tellCall(workspace, number, call)
  service.onCall?.(call, { workspace, overHttp: caller.overHttp, metNoEndpoint: isUnmatched })
}

/** Whether a call meant something that is not there. */
function metNoEndpoint(call: ServedCall): boolean {
  const { endpoint, method } = call.request
  return endpoint === undefined && method !== 'OPTIONS' && !stubsOf(call)?.matched
}
