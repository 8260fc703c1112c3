// Answers a request: runs its stages as a task of storage, which persists their writes.
import type { Call } from '../call/index.ts'
import { hasBody } from './body/read-body.ts'
import { enterCall } from './call-task.ts'
import type { ServedCall } from './served-call.ts'
import { refusalOf } from './stages/check-headers.ts'
import { receive } from './stages/receive-body.ts'

/**
 * Answers a request. Records it once its writes are persisted, just before the answer may leave.
 *
 * @returns the call itself if nothing waits; in all other cases a promise, which never rejects.
 */
export function answerCall(call: ServedCall): Call | Promise<Call> {
  // With a shared store, a wait for the body between two runs would cost two more round trips.
  const received = call.service.storage.isShared && wantsBody(call) ? receive(call) : undefined
  if (received) return received.then(() => answerReceived(call))
  return answerReceived(call)
}

function answerReceived(call: ServedCall): Call | Promise<Call> {
  let answer: Call | undefined
  let resolve = (answered: Call): void => {
    answer = answered
  }
  enterCall(call, (answered) => resolve(answered))
  return (
    answer ??
    new Promise((settle) => {
      resolve = settle
    })
  )
}

function wantsBody(call: ServedCall): boolean {
  const { request, client, service } = call
  if (!request.endpoint?.body || !hasBody(client.body)) return false
  return !refusalOf(call, (id) => service.assumptions[id])
}
