// Records a call just before its answer leaves: in the journal, coverage and metrics, and for those who follow calls.
import type { Call } from '../call/index.ts'
import { Outcome } from '../call/outcome.ts'
import { errorRow } from '../contract/errors.ts'
import { lazyEntryOf, reasonOf } from '../journal/entry.ts'
import { kept } from '../journal/limits.ts'
import { plainCopy } from '../json/copy.ts'
import { redactor } from '../secrets/redact.ts'
import { tellCall } from '../workspaces/watchers.ts'
import { httpDate } from './http-date.ts'
import type { ServedCall } from './served-call.ts'
import { stubsOf } from './serve-stub.ts'
import type { Service } from './service.ts'

/** Records a call that is answered; also one that was refused before its endpoint was looked for. @returns the call. */
export function recordCall(call: ServedCall): Call {
  const { request, resolution, service } = call
  if (request.isOfBrowser) return call
  try {
    count(call)
    tellAnswer(call)
    return call
  } catch (error) {
    service.onBug(error, 'none')
    return { request, resolution, outcome: bugOutcome(service) }
  }
}

function count(call: ServedCall): void {
  const { request, workspace, service, client } = call
  const { recorder } = service
  call.end()
  recorder.metrics.count(call)
  if (request.endpoint) workspace.coverage.count(call)
  const isUnmatched = metNoEndpoint(call)
  if (isUnmatched) recorder.unmatched.add(request.method, request.path)
  // The journal of a shared store is there, and is read when it is requested.
  const number = service.storage.isShared && !workspace.watchers ? 0 : workspace.journal.add(call)
  if (workspace.watchers) tellCall(workspace, number, call)
  recorder.onCall?.(call, { workspace, overHttp: client.overHttp, metNoEndpoint: isUnmatched })
}

/** Whether a call meant something that is not there. */
function metNoEndpoint(call: ServedCall): boolean {
  const { endpoint, method } = call.request
  return endpoint === undefined && method !== 'OPTIONS' && !stubsOf(call)?.matched
}

/** Reports the answer of a call to those who follow calls. */
export function tellAnswer(call: ServedCall): void {
  const { onAnswer, secrets } = call.service.recorder
  if (!onAnswer) return
  const hide = redactor(secrets)
  onAnswer(lazyEntryOf(kept(call), hide, plainCopy), reasonOf(call.outcome, hide))
}

/** The answer to a call that a bug of ours kept from being served. */
export function bugOutcome({ workspaces }: Service): Outcome {
  const { status, message } = errorRow('INTERNAL_ERROR')
  const body = JSON.stringify({ error: { type: 'INTERNAL_ERROR', message } })
  const outcome = new Outcome().answerJson(status, body)
  outcome.complete(undefined, '', httpDate(workspaces.default.clock.now()))
  return outcome
}
