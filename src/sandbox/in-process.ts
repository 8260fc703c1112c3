// Calls of the API inside this process, without a port: what `fetch` of a sandbox and of a workspace do.
import type { App } from '../http/context.ts'
import { directFetch } from '../http/direct-fetch.ts'
import { lostConnection } from '../http/scenarios/transport-faults.ts'
import type { Service } from '../http/service.ts'
import { untilAborted } from '../runtime/wait.ts'
import type { Loss } from '../scenarios/consequences.ts'
import { readyKey } from '../workspaces/ready-key.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** Where a sandbox seems to be for calls that name no host. */
export const inProcessOrigin = 'http://localhost'

/** What calls in this process go to. */
interface InProcess {
  app: App
  service: Service
}

/**
 * Lets callers in this process see what a client on a socket would, lost connections included.
 * @param workspace the one to stay in; its key is added when the call has none.
 */
export function callInProcess(
  { app, service }: InProcess,
  input: string | URL | Request,
  init: RequestInit | undefined,
  workspace?: Workspace,
): Promise<Response> {
  const key = workspace && (() => readyKey(workspace, service.environment))
  const direct = directFetch(service, inProcessOrigin, input, init, workspace, key)
  if (direct)
    return direct.then((ending) => ('response' in ending ? ending.response : lose(ending.lost, service)))
  return callThroughApp(app, service, input, init, workspace)
}

async function callThroughApp(
  app: App,
  service: Service,
  input: string | URL | Request,
  init: RequestInit | undefined,
  workspace: Workspace | undefined,
): Promise<Response> {
  let request =
    input instanceof Request && !init
      ? input
      : new Request(input instanceof Request ? input : new URL(input, inProcessOrigin), init)
  if (workspace && !request.headers.has('authorization')) {
    // The caller's own Request stays as it is: it may be sent to another workspace next.
    const headers = new Headers(request.headers)
    headers.set('authorization', `Bearer ${readyKey(workspace, service.environment)}`)
    request = new Request(request, { headers })
  }
  let loss: Loss | undefined
  const lost = (how: Loss): void => void (loss = how)
  const response = await app.fetch(request, workspace ? { workspace, lost } : { lost })
  return loss === undefined ? response : lose(loss, service, request.signal)
}

/** A call that hangs ends when its caller gives up, or when the sandbox closes. */
async function lose(loss: Loss, { closing }: Service, signal?: AbortSignal): Promise<never> {
  if (loss === 'hang') await untilAborted(signal ?? closing, closing)
  signal?.throwIfAborted()
  throw lostConnection(loss === 'reset' ? 'reset' : 'closed')
}
