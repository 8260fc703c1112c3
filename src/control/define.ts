// The declaration of a control-plane resource: a path below /_sandbox with its methods, and how a request reaches them.
import type { Context } from 'hono'
import type { z } from 'zod'
import { didYouMean } from '../input/did-you-mean.ts'
import type { Bindings, Slot } from '../http/context.ts'
import { untilSent } from '../http/client-gone.ts'
import { methodNotAllowed } from '../http/control-error.ts'
import { printable } from '../input/problems.ts'
import { requireName } from '../workspaces/names.ts'
import { defaultWorkspace } from '../workspaces/workspace.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import { endedToken, isHeld, requireHeld } from './held-token.ts'
import { receiveBody } from './read-body.ts'
import { orRefusal, Refusal, refusalFor } from './refusal.ts'
import type { Sandbox, Verbs } from '../operations/index.ts'
import type { WorkspaceVerbs } from '../operations/sandbox-workspace.ts'

export type ControlContext = Context<{ Bindings: Bindings }>

/** Answers one method of a resource. An error that it throws as a refusal becomes the answer; see `refusalFor`. */
export type ControlHandler = (
  verbs: Verbs,
  context: ControlContext,
  workspace: WorkspaceVerbs,
) => Response | Promise<Response>

/** The methods that a path may have; HEAD follows from GET. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A member of the library by its path: `reset`, `state.put`. */
type LibraryMember = {
  [Name in keyof Sandbox & string]: Sandbox[Name] extends (...args: never[]) => unknown
    ? Name
    : `${Name}.${keyof Sandbox[Name] & string}`
}[keyof Sandbox & string]

/** Returns a query parameter that is true or false; false if it was not sent. */
export function flagOf(c: ControlContext, name: string): boolean {
  const value = c.req.query(name) ?? 'false'
  if (value !== 'true' && value !== 'false')
    throw new Refusal('INVALID', `${name} '${printable(value)}': must be true or false`)
  return value === 'true'
}

/** One path below `/_sandbox` with its methods; HEAD follows from GET. */
export interface Noun {
  path: string
  /** Its description in the list of `GET /_sandbox`. */
  about: string
  methods: Readonly<Partial<Record<Method, ControlHandler>>>
  /** The schema of the JSON that each method answers on success, for those that answer JSON. */
  answers?: Readonly<Partial<Record<Method, z.ZodType>>>
  /** The member of the library with the same function, for each of its methods. */
  library: Readonly<Partial<Record<Method, LibraryMember>>>
  /** Why a method has no member of the library. */
  whyNoLibrary?: Readonly<Partial<Record<Method, string>>>
  /** Why a method has no verb of the command line. */
  whyNoVerb?: Readonly<Partial<Record<Method, string>>>
  /** Query parameters in addition to `workspace`. */
  query?: readonly string[]
  /** It does not depend on the workspace: `?workspace=` is accepted, and creates none. */
  shared?: true
  /** It is about all workspaces of this process if the request names none. */
  ofAll?: true
  /**
   * For a resource that does not depend on the workspace: the methods that the token of a partner may use; they then
   * show and change only the partner's data. `:name` in its path is the name of a workspace.
   */
  forPartners?: readonly Method[]
  /** No method of it changes anything: it is not in the audit trail. */
  readOnly?: true
  /** Outside the guard, for health probes. */
  open?: true
  /** Pages of allowed origins may read it. */
  forPages?: true
  /** GET is expensive, at least with this query: few such answers are produced concurrently. */
  expensive?(context: ControlContext): boolean
  /** Maximum size of its body in bytes, if it is larger than a row or a scenario needs. */
  maxBody?: number
  /** Files of the page for browsers: they have no data, and query parameters are ignored. */
  isPage?: true
}

/** The workspace that a request names; a partner's own if it names none, and undefined for other callers. */
export function requestedWorkspace({ req, env }: ControlContext): string | undefined {
  return req.query('workspace') ?? env?.partner?.of
}

/** The workspace of a request. */
export function workspaceNameOf(context: ControlContext): string {
  return requestedWorkspace(context) ?? defaultWorkspace
}

/** The `:name` of a path. */
export const nameOf = (context: ControlContext): string => context.req.param('name') ?? ''

/** Returns the state of a workspace after all of it was replaced. */
export function stateSummary({ name, state, clock }: WorkspaceVerbs): Response {
  return Response.json({ workspace: name, rows: state.size(), clock: clock.read() })
}

/** The methods of a noun as `Allow` lists them. */
export function allowOf(noun: Noun): string {
  return Object.keys(noun.methods)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ')
}

/** The dependencies of a request in addition to its resource and its workspace. */
interface DispatchContext {
  workspaces: Workspaces
  /** Waits until an expensive answer may be produced. */
  slotFor(context: ControlContext): Promise<Slot>
}

/** Passes a request to the method of a resource, or refuses it. */
export async function dispatch(
  noun: Noun,
  verbs: Verbs,
  context: ControlContext,
  { workspaces, slotFor }: DispatchContext,
): Promise<Response> {
  const { method } = context.req.raw
  // A lookup in a list, so that no method name finds an inherited property of an object.
  const found = Object.entries(noun.methods).find(([name]) => name === (method === 'HEAD' ? 'GET' : method))
  if (!found) {
    return methodNotAllowed(allowOf(noun))
  }
  const [name, handler] = found
  try {
    // A health probe is answered whatever its query, and by a method that changes nothing.
    if (!noun.open && !noun.isPage) checkQuery(noun, context)
    const slot = name === 'GET' && noun.expensive?.(context) ? await slotFor(context) : undefined
    if (slot) context.env.slot = slot
    try {
      return await produce()
    } finally {
      slot?.leave()
    }
  } catch (error) {
    const refusal = refusalFor(isHeld(context) ? error : endedToken())
    if (!refusal) throw error
    return refusal
  }

  async function produce(): Promise<Response> {
    const handle = (): Promise<Response> =>
      using(noun, verbs, context, async (workspace) => {
        const response = await handler(verbs, context, workspace)
        // The answer to a read is only for a caller whose token is still valid.
        if (name === 'GET' || noun.readOnly) requireHeld(context)
        return response
      })
    if (noun.open || noun.isPage) return handle()
    // Before the workspace is in use, so that a slow client does not keep it open.
    await receiveBody(context, noun.maxBody)
    if (!hasWorkspace(noun, context)) return handle()
    // A refusal is an answer, too: it depends on the current rows.
    const isRead = ({ ok }: Response): boolean => !ok || name === 'GET' || noun.readOnly === true
    const answer = await workspaces.use(checkedNameOf(context), () => orRefusal(handle), isRead)
    requireHeld(context)
    return answer
  }
}

/** Whether a request is about one workspace. */
function hasWorkspace(noun: Noun, context: ControlContext): boolean {
  return !noun.shared && !(noun.ofAll && requestedWorkspace(context) === undefined)
}

/** A workspace is in use until its answer was sent: a large document is written while it is sent. */
async function using(
  noun: Noun,
  verbs: Verbs,
  context: ControlContext,
  handle: (workspace: WorkspaceVerbs) => Promise<Response>,
): Promise<Response> {
  requireHeld(context)
  const workspace = workspaceOf(noun, verbs, context)
  if (!hasWorkspace(noun, context)) return handle(workspace)
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

function workspaceOf(noun: Noun, verbs: Verbs, context: ControlContext): WorkspaceVerbs {
  const name = workspaceNameOf(context)
  if (hasWorkspace(noun, context)) return verbs.workspace(name)
  if (!noun.open && !noun.isPage) requireName('workspace', name)
  return verbs.home
}

/** An unknown parameter was meant to have an effect, and a repeated one is ambiguous. */
function checkQuery(noun: Noun, context: ControlContext): void {
  const known = ['workspace', ...(noun.query ?? [])]
  for (const [name, values] of Object.entries(context.req.queries())) {
    if (!known.includes(name)) {
      const hint = didYouMean(name, known)
      throw new Refusal('INVALID', `unknown query parameter '${printable(name)}'${hint}`)
    }
    if (values.length > 1) throw new Refusal('INVALID', `query parameter '${name}' must be sent once`)
  }
}
