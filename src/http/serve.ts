// Serves one request of the Hono app: creates a call from the context, runs the stages, and returns a Response.
import type { Call } from '../call/index.ts'
import { IncomingRequest } from '../call/incoming-request.ts'
import { sentHeaders } from '../call/sent-headers.ts'
import type { Route } from '../endpoints/routes.ts'
import { answerCall } from './answer-call.ts'
import { AppClient } from './client.ts'
import type { AppContext } from './context.ts'
import { rawHeadersOf } from './raw-headers.ts'
import { respond } from './respond.ts'
import { ServedCall } from './served-call.ts'
import type { Service } from './service.ts'

/**
 * Serves a request. Returns a value if nothing waits, which saves most calls a promise.
 * @param route the path with its endpoints; undefined for a path that no endpoint has.
 */
export function serve(
  service: Service,
  route: Route | undefined,
  c: AppContext,
): Response | Promise<Response> {
  const call = new ServedCall(service, new AppClient(c), requestOf(c, route))
  const answered = answerCall(call)
  return answered instanceof Promise ? respondOnce(answered, c, call) : respond(answered, c, call)
}

async function respondOnce(answered: Promise<Call>, c: AppContext, call: ServedCall): Promise<Response> {
  return respond(await answered, c, call)
}

function requestOf({ req, env }: AppContext, route: Route | undefined): IncomingRequest {
  const { url, method } = req.raw
  const pathStart = url.indexOf('/', url.indexOf('//') + 2)
  const queryStart = url.indexOf('?', pathStart)
  const path = url.slice(pathStart, queryStart === -1 ? url.length : queryStart)
  return new IncomingRequest({
    method,
    target: url.slice(pathStart),
    origin: url.slice(0, pathStart),
    headers: sentHeaders(rawHeadersOf(req.raw, env)),
    route,
    routedPath: req.path === path ? undefined : req.path,
  })
}
