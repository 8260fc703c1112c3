// Replays a request from the journal. It calls the stages without the Hono app, as a web `Request` cannot carry headers
// and bodies exactly as the client sent them.
import { findRoute, routesOf } from '../endpoints/routes.ts'
import type { Call } from '../call/index.ts'
import { headerOf, IncomingRequest } from '../call/incoming-request.ts'
import { sentHeaders } from '../call/sent-headers.ts'
import { printable } from '../input/problems.ts'
import { ConflictError, InvalidError } from '../input/refusals.ts'
import type { PartsOfCall } from '../operations/replay-request.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { answerCall } from './answer-call.ts'
import type { Client } from './client.ts'
import { pathReader } from './path.ts'
import { ServedCall } from './served-call.ts'
import type { Service } from './service.ts'

/** Prepares a replay (see `SendParts`). It runs in the passed workspace, even if its key names another one. */
export function prepareReplay(
  service: Service,
  { method, target, origin, headers, body }: PartsOfCall,
): (workspace: Workspace) => Promise<Call> {
  // As clients do, resolve dot segments and percent-encode the target.
  const url = new URL(origin + target)
  const routedPath = pathReader(service)(new Request(url))
  if (/^\/_sandbox(?:\/|$)/.test(routedPath)) {
    throw new InvalidError(
      `path '${printable(target)}': only calls of the API can be replayed, and this path belongs to the control plane`,
    )
  }
  return async (workspace) => {
    const request = new IncomingRequest({
      method,
      target: url.href.slice(url.origin.length).replace(/#.*$/, ''),
      origin,
      headers: sentHeaders([...headers]),
      route: findRoute(routedPath, routesOf(service.assumptions)),
      routedPath,
    })
    const client: Client = {
      overHttp: false,
      body: { bytes: body === 'unread' ? new Uint8Array() : body },
      workspace,
      takesAnyKey: true,
      header: (name) => headerOf(request, name.toLowerCase()),
      gone: () => service.closing,
      isGone: false,
    }
    const call = new ServedCall(service, client, request)
    const answered = await answerCall(call)
    call.retryState.release()
    if (body === 'unread' && call.retryState.isBodyRead) throw new ConflictError(missed)
    return answered
  }
}

const missed =
  'The journal has no body of this request, as it was refused before its body was read: set body to the one to send.'
