// Delivers an answer: into journal and coverage, to whoever follows the calls, and to the caller, once what the caller
// sent is taken in.
import type { IncomingMessage } from 'node:http'
import { errorRow } from '../contract/errors.ts'
import { Outcome } from '../call/outcome.ts'
import { lazyEntryOf, reasonOf } from '../journal/entry.ts'
import { kept } from '../journal/limits.ts'
import { redactor } from '../secrets/redact.ts'
import { monotonicNow } from '../runtime/host.ts'
import { hasBody } from './body/read-body.ts'
import { plainCopy } from '../json/copy.ts'
import { httpDate } from './http-date.ts'
import type { Service } from './service.ts'
import type { ServedCall } from './served-call.ts'
import { recordCall } from './record-call.ts'

/** A body that was sent and not read, because the call was refused before or needs none. */
function unreadBody({ caller: { body }, headers, bodyTaken }: ServedCall): IncomingMessage | undefined {
  if (bodyTaken || !('stream' in body) || !hasBody(body, headers)) return undefined
  return body.stream.readableEnded ? undefined : body.stream
}

/** Into journal and coverage, and to whoever follows the calls. */
function record(call: ServedCall): void {
  recordCall(call)
  tellAnswer(call)
}

/** To whoever follows the calls. */
export function tellAnswer(call: ServedCall): void {
  const { service, outcome } = call
  if (!service.onAnswer) return
  const hide = redactor(service.secrets)
  service.onAnswer(lazyEntryOf(kept(call), hide, plainCopy), reasonOf(outcome, hide))
}

export function deliver(call: ServedCall): void {
  const { service, request, outcome } = call
  try {
    if (!request.isOfBrowser) record(call)
    sendAnswer(call, outcome, unreadBody(call))
  } catch (error) {
    call.leave()
    service.onBug(error, 'none')
    sendAnswer(call, bugAnswer(service))
  }
}

/** Sends the answer of a call, which leaves its workspace once that is done or the connection is lost. */
export function sendAnswer(call: ServedCall, answer: Outcome, unread?: IncomingMessage): void {
  const { caller, request, service } = call
  const sending = caller.send(answer, request.method, service.closing, unread)
  if (sending === undefined) call.leave()
  else void sending.then(() => call.leave(monotonicNow()))
}

/** What a call is answered that a bug of ours kept from being served. */
export function bugAnswer({ workspaces }: Service): Outcome {
  const { status, message } = errorRow('INTERNAL_ERROR')
  const failed = new Outcome().answerJson(
    status,
    JSON.stringify({ error: { type: 'INTERNAL_ERROR', message } }),
    {},
  )
  failed.headers['date'] = httpDate(workspaces.default.clock.now())
  return failed
}
