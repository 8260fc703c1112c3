// Calls inside this process, without a port: the `fetch` of a sandbox and of a workspace.
import type { App } from '../http/context.ts'
import { keepAlive } from '../http/client-gone.ts'
import type { Service } from '../http/service.ts'
import { LostAnswerError } from '../http/transport-faults.ts'
import { readyKey } from '../workspaces/ready-key.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** The origin of calls whose address has no host. */
export const inProcessOrigin = 'http://localhost'

/** The app and the service that answer in-process calls. */
interface InProcess {
  app: App
  service: Service
}

/**
 * Answers a call as a client on a socket would see it: the promise rejects if a scenario drops the answer.
 * @param init a `RequestInit`. If the input is a `Request`, any other value is ignored, such as the context that a
 * framework passes to its handlers.
 * @param workspace the workspace that the call must stay in. Its key is added if the call has none.
 */
export async function callInProcess(
  { app, service }: InProcess,
  input: string | URL | Request,
  init: unknown,
  workspace?: Workspace,
): Promise<Response> {
  let request = requestOf(input, init)
  if (workspace && !request.headers.has('authorization')) {
    // The caller's own Request does not change, as the caller may send it to another workspace next.
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

/** Copies a request with changes. The copy aborts when the caller aborts the original. */
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
