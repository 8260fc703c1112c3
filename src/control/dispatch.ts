// Passes a request to the operation of its path and method: with its query, its workspace, and a slot if it is expensive.
import { fieldsIn } from '../contract/schema-shape.ts'
import type { Slot } from '../http/context.ts'
import { untilSent } from '../http/client-gone.ts'
import { methodNotAllowed } from '../http/control-error.ts'
import { didYouMean } from '../input/did-you-mean.ts'
import { printable } from '../input/problems.ts'
import { noQuery } from '../operations/declare.ts'
import type { Verbs } from '../operations/index.ts'
import type { WorkspaceVerbs } from '../operations/sandbox-workspace.ts'
import { requireName } from '../workspaces/names.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import { requestedWorkspace, workspaceNameOf, type ControlContext } from './context.ts'
import { typed } from './from-operation.ts'
import { endedToken, isHeld, requireHeld } from './held-token.ts'
import { receiveBody } from './read-body.ts'
import { orRefusal, Refusal, refusalFor } from './refusal.ts'
import { allowOf, isRead, operationFor, type Handled, type Resource } from './resource.ts'

/** The dependencies of a request in addition to its resource and its workspace. */
interface DispatchContext {
  workspaces: Workspaces
  /** Waits until an expensive answer may be produced. */
  slotFor(context: ControlContext): Promise<Slot>
}

/** Passes a request to its operation, or refuses it. */
export async function dispatch(
  resource: Resource,
  verbs: Verbs,
  context: ControlContext,
  { workspaces, slotFor }: DispatchContext,
): Promise<Response> {
  const operation = operationFor(resource, context)
  if (!operation) return methodNotAllowed(allowOf(resource))
  const isUnguarded = operation.guard === 'none' || operation.isPage === true
  try {
    // A health probe is answered whatever its query, and by a method that changes nothing.
    if (!isUnguarded) checkQuery(operation, context)
    const slot = isExpensive(operation, context) ? await slotFor(context) : undefined
    if (slot) context.env.slot = slot
    try {
      return await produce(operation)
    } finally {
      slot?.leave()
    }
  } catch (error) {
    const refusal = refusalFor(isHeld(context) ? error : endedToken())
    if (!refusal) throw error
    return refusal
  }

  async function produce(found: Handled): Promise<Response> {
    const answer = (): Promise<Response> =>
      using(found, verbs, context, async (workspace) => {
        const response = await found.handle(verbs, context, workspace)
        // The answer to a read is only for a caller whose token is still valid.
        if (isRead(found)) requireHeld(context)
        return response
      })
    if (isUnguarded) return answer()
    // Before the workspace is in use, so that a slow client does not keep it open.
    await receiveBody(context, found.maxBody)
    if (!hasWorkspace(found, context)) return answer()
    // A refusal is an answer, too: it depends on the current rows.
    const isOfRead = ({ ok }: Response): boolean => !ok || isRead(found)
    const response = await workspaces.use(checkedNameOf(context), () => orRefusal(answer), isOfRead)
    requireHeld(context)
    return response
  }
}

function isExpensive({ expensive, query = noQuery }: Handled, { req }: ControlContext): boolean {
  if (typeof expensive !== 'function') return expensive === true
  return expensive(typed(query, req.query()))
}

/** Whether a request is about one workspace. */
function hasWorkspace({ of }: Handled, context: ControlContext): boolean {
  return of !== 'sandbox' && !(of === 'all' && requestedWorkspace(context) === undefined)
}

/** A workspace is in use until its answer was sent: a large document is written while it is sent. */
async function using(
  operation: Handled,
  verbs: Verbs,
  context: ControlContext,
  handle: (workspace: WorkspaceVerbs) => Promise<Response>,
): Promise<Response> {
  requireHeld(context)
  const workspace = workspaceOf(operation, verbs, context)
  if (!hasWorkspace(operation, context)) return handle(workspace)
  const end = workspace.use()
  try {
    return await handle(workspace)
  } finally {
    const outgoing = context.env?.outgoing
    const sending = outgoing && untilSent(outgoing)
    if (sending) void sending.then(end)
    else end()
  }
}

/** @throws {InvalidError} for an invalid workspace name. */
function checkedNameOf(context: ControlContext): string {
  const name = workspaceNameOf(context)
  requireName('workspace', name)
  return name
}

function workspaceOf(operation: Handled, verbs: Verbs, context: ControlContext): WorkspaceVerbs {
  const name = workspaceNameOf(context)
  if (hasWorkspace(operation, context)) return verbs.workspace(name)
  if (operation.guard !== 'none' && !operation.isPage) requireName('workspace', name)
  return verbs.home
}

/** An unknown parameter was meant to have an effect, and a repeated one is ambiguous. */
function checkQuery({ query = noQuery }: Handled, context: ControlContext): void {
  const known = ['workspace', ...fieldsIn(query).map(({ name }) => name)]
  for (const [name, values] of Object.entries(context.req.queries())) {
    if (!known.includes(name)) {
      const hint = didYouMean(name, known)
      throw new Refusal('INVALID', `unknown query parameter '${printable(name)}'${hint}`)
    }
    if (values.length > 1) throw new Refusal('INVALID', `query parameter '${name}' must be sent once`)
  }
}
