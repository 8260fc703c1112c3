// Who makes a call, while it lasts: its stream or web body, any of its headers, and whether the client is gone.
import type { ServerResponse } from 'node:http'
import type { Workspace } from '../workspaces/workspace.ts'
import type { BodySource } from './body/read-body.ts'
import type { AppContext } from './context.ts'

/** What a call is asked while it lasts; nothing of it is kept. */
export interface Caller {
  readonly body: BodySource
  /** The workspace to stay in, when the call comes through a workspace's own `fetch`. */
  readonly fixed: Workspace | undefined
  /** The value of any header, for rules that look at it. */
  header(name: string): string | undefined
  /** Aborted when the client is gone. */
  gone(): AbortSignal
}

/** The caller behind a request that Hono routed. */
export class HonoCaller implements Caller {
  readonly body: BodySource
  readonly fixed: Workspace | undefined
  readonly #context: AppContext

  constructor(context: AppContext) {
    const stream = context.env?.incoming
    this.body = stream ? { stream } : { web: context.req.raw.body }
    this.fixed = context.env?.workspace
    this.#context = context
  }

  header(name: string): string | undefined {
    const stream = this.#context.env?.incoming
    if (!stream) return this.#context.req.raw.headers.get(name) ?? undefined
    const value = stream.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  gone(): AbortSignal {
    const outgoing = this.#context.env?.outgoing
    return outgoing ? closeOf(outgoing) : this.#context.req.raw.signal
  }
}

/** Aborted when the connection is closed before the answer was sent. */
function closeOf(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  return gone.signal
}
