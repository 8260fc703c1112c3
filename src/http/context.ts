// The types of the Hono app: its context, the bindings of a call, and the control plane.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context, Hono } from 'hono'
import type { Workspace } from '../workspaces/workspace.ts'

/** The parts of a call that its Request lacks: the raw pair of a socket, or the workspace whose `fetch` received it. */
export interface Bindings {
  incoming?: IncomingMessage
  outgoing?: ServerResponse
  workspace?: Workspace
  /** The partner whose token a call of the control plane carries. */
  partner?: Partner
  /** The right to produce an expensive answer of the control plane. */
  slot?: Slot
}

/** The right to produce an answer: held while the code runs, released while the client reads. */
export interface Slot {
  /** Acquires the slot again, behind the callers that already wait. */
  enter(): Promise<void>
  leave(): void
}

/** A partner who sends a request, with `--isolation partner`. */
export interface Partner {
  /** The name of the partner's workspace. */
  readonly of: string
  /** Whether the partner's token still opens the workspace. */
  holds(): boolean
  /** Whether a workspace is the partner's own, or a copy of it. */
  owns(name: string): boolean
  /** Whether a workspace of this name could be the partner's, judging by the name only. */
  mayBeOwn(name: string): boolean
}

export type App = Hono<{ Bindings: Bindings }>
export type AppContext = Context<{ Bindings: Bindings }>

/** The control plane. It depends on this folder, so it is passed in. */
export type ControlPlane = (context: AppContext) => Promise<ControlAnswer>

/** An answer of the control plane, and the workspace that its `date` is of; undefined for `default`. */
export interface ControlAnswer {
  response: Response
  workspace: string | undefined
}
