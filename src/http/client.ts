// The client of a call, while the call lasts: its body, its headers, and whether it is still there.
import type { Workspace } from '../workspaces/workspace.ts'
import { bodyOf, type BodySource } from './body/read-body.ts'
import { goneSignal } from './client-gone.ts'
import type { AppContext } from './context.ts'

/** What stages ask about the client of a call. The journal keeps none of it. */
export interface Client {
  /** It called through a socket. */
  readonly overHttp: boolean
  readonly body: BodySource
  /** The workspace whose own `fetch` it called. */
  readonly workspace: Workspace | undefined
  /** Its key may name another workspace, which is ignored: a replay. */
  readonly takesAnyKey?: true
  /** The value of any header, for rules that look at it. */
  header(name: string): string | undefined
  /** Aborted when the client is gone. */
  gone(): AbortSignal
  /** Whether it is gone already. */
  readonly isGone: boolean
}

/** The client behind a request of the Hono app. */
export class AppClient implements Client {
  readonly overHttp: boolean
  readonly workspace: Workspace | undefined
  readonly #context: AppContext

  constructor(context: AppContext) {
    this.#context = context
    this.overHttp = context.env.incoming !== undefined
    this.workspace = context.env.workspace
  }

  get body(): BodySource {
    return bodyOf(this.#context.req.raw, this.#context.env)
  }

  header(name: string): string | undefined {
    return this.#context.req.header(name)
  }

  get isGone(): boolean {
    const { outgoing } = this.#context.env
    return outgoing
      ? outgoing.destroyed || outgoing.req.socket.destroyed
      : this.#context.req.raw.signal.aborted
  }

  gone(): AbortSignal {
    return goneSignal(this.#context.req.raw, this.#context.env)
  }
}
