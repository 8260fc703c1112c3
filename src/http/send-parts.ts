// Sends a call that is made of stored parts straight into the pipeline, in one workspace, whatever workspace its key names.
import { findRoute } from '../endpoints/routes.ts'
import type { Call } from '../call/index.ts'
import { IncomingRequest } from '../call/incoming-request.ts'
import { sentHeaders } from '../call/sent-headers.ts'
import { printable } from '../reading/problems.ts'
import { ConflictError, InvalidError } from '../reading/refusals.ts'
import type { PartsOfCall } from '../verbs/replay-request.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { BodySource } from './body/read-body.ts'
import type { Caller } from './caller.ts'
import { ServedCall } from './served-call.ts'
import { pathReader } from './path.ts'
import { answer } from './pipeline.ts'
import { measure } from './send.ts'
import type { Service } from './service.ts'

/** As `SendParts` says. */
export function sendParts(
  service: Service,
  { method, target, origin, headers, body }: PartsOfCall,
): (workspace: Workspace) => Promise<Call> {
  // Read as a client would send it: with its dots and percent signs resolved.
  const url = new URL(origin + target)
  const routedPath = pathReader(service)(new Request(url))
  if (/^\/_sandbox(?:\/|$)/.test(routedPath)) {
    throw new InvalidError(
      `path '${printable(target)}': only calls of the API are replayed, and this is the control plane`,
    )
  }
  return (workspace) =>
    new Promise((resolve, reject) => {
      const request = new IncomingRequest({
        method,
        target: url.href.slice(url.origin.length).replace(/#.*$/, ''),
        origin,
        headers: sentHeaders([...headers]),
        route: findRoute(routedPath),
        routedPath,
      })
      let missed = false
      const source = body === 'unread' ? missing(() => (missed = true)) : { bytes: body }
      const caller: Caller = {
        overHttp: false,
        body: source,
        fixed: workspace,
        takesAnyKey: true,
        header: (name) => headerOf(headers, name.toLowerCase()),
        gone: () => service.closing,
        send(outcome) {
          measure(outcome)
          if (missed && call.early?.isAskedFor !== false) reject(new ConflictError(notKept))
          else resolve({ request, resolution: call.resolution, outcome })
          return undefined
        },
      }
      const call = new ServedCall(service, caller, request)
      answer(call)
    })
}

const notKept =
  'The body of this request was refused before it was read, so that the journal has none, and now it is asked for: give it as body.'

/** A body that was sent once and is not there any more. @param asked told when somebody reads it. */
function missing(asked: () => void): BodySource {
  const web = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        asked()
        controller.close()
      },
    },
    // Nothing is asked for before somebody reads.
    { highWaterMark: 0 },
  )
  return { web }
}

function headerOf(raw: readonly string[], wanted: string): string | undefined {
  const values = raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === wanted)
  return values.length === 0 ? undefined : values.join(', ')
}
