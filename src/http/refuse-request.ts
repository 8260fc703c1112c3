// Answers and records a request that is refused before it reaches the app, as a call of workspace `default`.
import { ApiError } from '../contract/errors.ts'
import type { Answer } from '../call/outcome.ts'
import { IncomingRequest } from '../call/incoming-request.ts'
import { sentHeaders } from '../call/sent-headers.ts'
import { enterCall } from './call-task.ts'
import type { Client } from './client.ts'
import type { HeaderProblem, RefusedRequest } from './refused-request.ts'
import { ServedCall } from './served-call.ts'
import type { Service } from './service.ts'

/** @param onAnswer called with the answer once the call is recorded; immediately, unless a shared store records it. */
export function refuseRequest(
  service: Service,
  { method, target, headers, port }: RefusedRequest,
  { type, message, outcome = 'invalid' }: HeaderProblem,
  onAnswer: (answer: Answer) => void,
): void {
  const request = new IncomingRequest({
    method,
    target,
    origin: `http://localhost:${port}`,
    headers: sentHeaders([...headers]),
    route: undefined,
  })
  const client: Client = {
    overHttp: true,
    body: { bytes: undefined },
    workspace: undefined,
    header: () => undefined,
    gone: () => service.closing,
    isGone: false,
  }
  const thrown = new ApiError(type, { message, outcome, beforeRequest: true })
  enterCall(new ServedCall(service, client, request), (call) => onAnswer(call.outcome), { thrown })
}
