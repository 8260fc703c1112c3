// The audit trail of the control plane: each call that was to change something, with what became of it.
import { shownQuery } from '../journal/entry.ts'
import { outcomeOfStatus, type OutcomeName } from '../contract/outcomes.ts'
import type { Redactor } from '../secrets/redact.ts'
import { workspaceNameOf, type ControlContext } from './define.ts'

/** A call of the control plane that was to change something; no body, no header and no secret of it. */
export interface ControlCall {
  method: string
  path: string
  /** As it was sent, without the question mark. */
  query: string
  workspace: string
  status: number
  outcome: OutcomeName
  /** How long it took, in the machine's own time. */
  duration_ms: number
}

/** What may be told of a call, once it is answered. @param duration in milliseconds. */
export function controlCall(
  context: ControlContext,
  { status }: Response,
  duration: number,
  hide: Redactor,
): ControlCall {
  const { req } = context
  const { pathname, search } = new URL(req.url)
  return {
    method: req.method,
    path: hide.text(pathname),
    query: shownQuery({ query: search.slice(1) }, hide),
    workspace: hide.text(workspaceNameOf(context)),
    status,
    outcome: outcomeOfStatus(status),
    duration_ms: Math.round(duration * 1000) / 1000,
  }
}
