// Answers a request: runs its stages as a task of storage, which persists what they wrote.
import type { Call } from '../call/index.ts'
import { hasBody } from './body/read-body.ts'
import { enterCall } from './call-task.ts'
import type { ServedCall } from './served-call.ts'
import { refusalOf } from './stages/check-headers.ts'
import { receive } from './stages/receive-body.ts'

/**
 * Answers a request, and records it just before its answer may leave: once its writes are persisted. A value where
 * nothing waits, else a promise, which never rejects.
 */
export function answerCall(call: ServedCall): Call | Promise<Call> {
  // Waiting for the body between two runs would take two round trips more.
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
