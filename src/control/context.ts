// A request of the control plane: its context, its handler, and the workspace that it names.
import type { Context } from 'hono'
import type { Bindings } from '../http/context.ts'
import { defaultWorkspace } from '../workspaces/workspace.ts'
import type { Verbs } from '../operations/index.ts'
import type { WorkspaceVerbs } from '../operations/sandbox-workspace.ts'

export type ControlContext = Context<{ Bindings: Bindings }>

/** Answers a request. An error that it throws as a refusal becomes the answer; see `refusalFor`. */
export type ControlHandler = (
  verbs: Verbs,
  context: ControlContext,
  workspace: WorkspaceVerbs,
) => Response | Promise<Response>

/** The workspace that a request names; a partner's own if it names none, and undefined for other callers. */
export function requestedWorkspace({ req, env }: ControlContext): string | undefined {
  return req.query('workspace') ?? env?.partner?.of
}

/** The workspace of a request. */
export function workspaceNameOf(context: ControlContext): string {
  return requestedWorkspace(context) ?? defaultWorkspace
}
