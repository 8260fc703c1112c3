import type { App } from '../http/context.ts'
import { lostConnection, type Loss } from '../http/scenarios/transport-faults.ts'
import { untilAborted } from '../runtime/wait.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** Where a sandbox seems to be for calls that name no host. */
export const inProcessOrigin = 'http://localhost'

/** Calls the app without a port; in a workspace, whatever key the call has, when one is given. */
export type InProcessCall = (
  input: string | URL | Request,
  init: RequestInit | undefined,
  workspace?: Workspace,
) => Promise<Response>

/** Lets callers in this process see what a client on a socket would, lost connections included. */
export function inProcessCaller(app: App, closing: AbortSignal): InProcessCall {
  return async (input, init, workspace) => {
    const request = requestOf(input, init)
    let loss: Loss | undefined
    const lost = (how: Loss): void => void (loss = how)
    const response = await app.fetch(request, workspace ? { workspace, lost } : { lost })
    if (loss === undefined) return response
    // A call that hangs ends when its caller gives up, or when the sandbox closes.
    if (loss === 'hang') await untilAborted(request.signal, closing)
    request.signal.throwIfAborted()
    throw lostConnection(loss === 'reset' ? 'reset' : 'closed')
  }
}

/** What `fetch` was given, as a Request. */
export function requestOf(input: string | URL | Request, init: RequestInit | undefined): Request {
  if (input instanceof Request) return init ? new Request(input, init) : input
  return new Request(new URL(input, inProcessOrigin), init)
}
