// The audit trail of the control plane: each call that could change something, with its result.
import { shownQuery } from '../journal/entry.ts'
import { outcomeOfStatus, type OutcomeName } from '../contract/outcomes.ts'
import type { Redactor } from '../secrets/redact.ts'
import { workspaceNameOf, type ControlContext } from './context.ts'

/** A call of the control plane that could change something, without its body, headers and secrets. */
export interface ControlCall {
  method: string
  path: string
  /** As sent, without the question mark. */
  query: string
  workspace: string
  status: number
  outcome: OutcomeName
  /** Its duration in monotonic time (ms). */
  duration_ms: number
}

/** Returns the audit record of a call after its answer. @param duration in ms. */
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
