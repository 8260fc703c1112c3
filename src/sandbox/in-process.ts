// Calls inside this process, without a port: the `fetch` of a sandbox and of a workspace.
import type { App } from '../http/context.ts'
import { keepAlive } from '../http/client-gone.ts'
import type { Service } from '../http/service.ts'
import { LostAnswerError } from '../http/transport-faults.ts'
import { readyKey } from '../workspaces/ready-key.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** The origin of calls that name no host. */
export const inProcessOrigin = 'http://localhost'

/** What calls in this process go to. */
interface InProcess {
  app: App
  service: Service
}

/**
 * Answers a call as a client on a socket would see it: it rejects when the answer is lost.
 * @param init a `RequestInit`. Next to a `Request` anything else is ignored, such as the context that a framework hands
 * to its handlers.
 * @param workspace the workspace to stay in; its key is added when the call has none.
 */
export async function callInProcess(
  { app, service }: InProcess,
  input: string | URL | Request,
  init: unknown,
  workspace?: Workspace,
): Promise<Response> {
  let request = requestOf(input, init)
  if (workspace && !request.headers.has('authorization')) {
    // The caller's own Request stays as it is: it may be sent to another workspace next.
    const headers = new Headers(request.headers)
    headers.set('authorization', `Bearer ${readyKey(workspace, service.environment)}`)
    request = copyOf(request, { headers })
  }
  try {
    return await app.fetch(request, { workspace })
  } catch (error) {
    if (error instanceof LostAnswerError) request.signal.throwIfAborted()
    throw error
  }
}

function requestOf(input: string | URL | Request, init: unknown): Request {
  if (!(input instanceof Request)) return new Request(new URL(input, inProcessOrigin), init ?? undefined)
  return isRequestInit(init) ? copyOf(input, init) : input
}

/** A changed copy of a request, which ends when the caller of the request gives up. */
function copyOf(request: Request, init: RequestInit): Request {
  const copy = new Request(request, init)
  keepAlive(copy, request)
  return copy
}

const requestFields: ReadonlySet<string> = new Set([
  'body',
  'cache',
  'credentials',
  'dispatcher',
  'duplex',
  'headers',
  'integrity',
  'keepalive',
  'method',
  'mode',
  'priority',
  'redirect',
  'referrer',
  'referrerPolicy',
  'signal',
  'window',
])

function isRequestInit(value: unknown): value is RequestInit {
  if (typeof value !== 'object' || value === null) return false
  return Object.keys(value).some((field) => requestFields.has(field))
}
