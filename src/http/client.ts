// The client of a call while it is served: its body, its headers, and whether it is still connected.
import type { Workspace } from '../workspaces/workspace.ts'
import { bodyOf, type BodySource } from './body/read-body.ts'
import { goneSignal } from './client-gone.ts'
import type { AppContext } from './context.ts'

/** The facts about a client that stages read. The journal records none of them. */
export interface Client {
  /** The call came through a socket. */
  readonly overHttp: boolean
  readonly body: BodySource
  /** The workspace whose `fetch` received the call; undefined for all other calls. */
  readonly workspace: Workspace | undefined
  /** For replays: ignore the workspace that the key names. */
  readonly takesAnyKey?: true
  /** The value of any header, for rules that match headers. */
  header(name: string): string | undefined
  /** A signal that aborts when the client is gone. */
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
