// What Hono hands to a handler: the types of the app, its context, and what a call brings beside its Request.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context, Hono } from 'hono'
import type { Workspace } from '../workspaces/workspace.ts'

/** The parts of a call that its Request does not have: the raw pair of a socket, or the workspace whose `fetch` it came through. */
export interface Bindings {
  incoming?: IncomingMessage
  outgoing?: ServerResponse
  workspace?: Workspace
  /** The partner whose token came with a call of the control plane. */
  partner?: Partner
  /** The right to produce an expensive answer of the control plane, one piece at a time. */
  slot?: Slot
}

/** The right to produce an answer: held while its code runs, and left while the client reads. */
export interface Slot {
  /** Waits for it again, behind those that wait by now. */
  enter(): Promise<void>
  leave(): void
}

/** A partner who sends a request, with `--isolation partner`. */
export interface Partner {
  /** The name of its workspace. */
  readonly of: string
  /** Whether its token still opens that. */
  holds(): boolean
  /** Whether a workspace is its own, or a copy of that. */
  owns(name: string): boolean
  /** Whether one of this name can be, as far as the name tells. */
  mayBeOwn(name: string): boolean
}

export type App = Hono<{ Bindings: Bindings }>
export type AppContext = Context<{ Bindings: Bindings }>

/** The control plane, which is built on top of this and handed in. */
export type ControlPlane = (context: AppContext) => Promise<ControlAnswer>

/** An answer of the control plane, and the workspace whose time it tells; undefined for that of `default`. */
export interface ControlAnswer {
  response: Response
  workspace: string | undefined
}
