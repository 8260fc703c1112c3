// What Hono hands to a handler: the types of the app, its context, and what a call brings beside its Request.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context, Hono } from 'hono'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Loss } from '../scenarios/consequences.ts'

/** What a call brings beside its Request: the raw pair of a socket, or the workspace whose `fetch` it came through. */
export interface Bindings {
  incoming?: IncomingMessage
  outgoing?: ServerResponse
  /** What stands for an answer that went to the socket already. */
  sent?: Response
  workspace?: Workspace
  /**
   * Told that a caller in this process gets no response. No property of the response could tell: Hono answers HEAD
   * with a copy of it.
   */
  lost?: (how: Loss) => void
}

export type App = Hono<{ Bindings: Bindings }>
export type AppContext = Context<{ Bindings: Bindings }>

/** The control plane, which is built on top of this and handed in. */
export type ControlPlane = (context: AppContext) => Response | Promise<Response>
