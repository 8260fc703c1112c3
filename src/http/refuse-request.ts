// Answers and records a request that is refused before it reaches the app, as a call of workspace `default`.
import { ApiError } from '../contract/errors.ts'
import type { Answer } from '../call/outcome.ts'
import { IncomingRequest } from '../call/incoming-request.ts'
import { sentHeaders } from '../call/sent-headers.ts'
import { answerRefused } from './answer-call.ts'
import type { Client } from './client.ts'
import type { HeaderProblem, RefusedRequest } from './refused-request.ts'
import { ServedCall } from './served-call.ts'
import type { Service } from './service.ts'

export function refuseRequest(
  service: Service,
  { method, target, headers, port }: RefusedRequest,
  { type, message, outcome = 'invalid' }: HeaderProblem,
): Answer {
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
  return answerRefused(new ServedCall(service, client, request), thrown).outcome
}
