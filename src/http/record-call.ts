// Records a call just before its answer leaves: journal, coverage, metrics, watchers and callbacks.
import type { Call } from '../call/index.ts'
import { pageOf } from '../call/page-text.ts'
import { Outcome } from '../call/outcome.ts'
import { errorRow } from '../contract/errors.ts'
import { lazyEntryOf, reasonOf } from '../journal/entry.ts'
import { kept } from '../journal/limits.ts'
import { plainCopy } from '../json/copy.ts'
import { redactor } from '../secrets/redact.ts'
import { notifyCall } from '../workspaces/watchers.ts'
import { httpDate } from './http-date.ts'
import type { ServedCall } from './served-call.ts'
import { stubsOf } from './serve-stub.ts'
import type { Service } from './service.ts'

/** Records an answered call, also if it was refused before routing. @returns the call, or a bug's answer to it. */
export function recordCall(call: ServedCall): Call {
  const { request, resolution, service } = call
  if (request.isOfBrowser) return call
  try {
    count(call)
    notifyAnswer(call)
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
  const isUnmatched = meetsNoEndpoint(call)
  if (isUnmatched) recorder.unmatched.add(request.method, request.path)
  const number = workspace.journal.add(call)
  if (workspace.watchers) notifyCall(workspace, number, call)
  recorder.onCall?.(call, { workspace, overHttp: client.overHttp, isUnmatched })
}

/** Whether a call has a path or method that neither an endpoint nor a stub has. */
function meetsNoEndpoint(call: ServedCall): boolean {
  const { endpoint, method } = call.request
  const { about } = call.outcome.failure ?? {}
  if (about?.beforeRequest) return about.outcome === 'unmatched'
  return endpoint === undefined && method !== 'OPTIONS' && !stubsOf(call)?.matched
}

/** Reports the answer of a call to the `onAnswer` callback. */
export function notifyAnswer(call: ServedCall): void {
  const { onAnswer, secrets } = call.service.recorder
  if (!onAnswer) return
  const hide = redactor(secrets)
  onAnswer(
    lazyEntryOf(kept(call), hide, plainCopy),
    reasonOf(call.outcome, hide) ?? pageOf(call.outcome)?.text,
  )
}

/** The answer to a call that failed by a bug of the sandbox. */
export function bugOutcome({ workspaces }: Service): Outcome {
  const { status, message } = errorRow('INTERNAL_ERROR')
  const body = JSON.stringify({ error: { type: 'INTERNAL_ERROR', message } })
  const outcome = new Outcome().answerJson(status, body)
  outcome.complete(undefined, '', httpDate(workspaces.default.clock.now()))
  return outcome
}
