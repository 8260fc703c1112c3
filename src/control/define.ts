// The declaration of a control-plane resource: a path below /_sandbox with its methods, and how a request reaches them.
import type { Context } from 'hono'
import type { z } from 'zod'
import { didYouMean } from '../input/did-you-mean.ts'
import type { Bindings, Slot } from '../http/context.ts'
import { untilSent } from '../http/client-gone.ts'
import { methodNotAllowed } from '../http/control-error.ts'
import { printable } from '../input/problems.ts'
import { requireName } from '../workspaces/names.ts'
import type { Storage } from '../workspaces/storage.ts'
import { defaultWorkspace } from '../workspaces/workspace.ts'
import { endedToken, isHeld, requireHeld } from './held-token.ts'
import { receiveBody } from './read-body.ts'
import { orRefusal, Refusal, refusalFor } from './refusal.ts'
import { commitHeader } from '../call/outcome.ts'
import type { Sandbox, Verbs } from '../operations/index.ts'
import type { WorkspaceVerbs } from '../operations/sandbox-workspace.ts'

export type ControlContext = Context<{ Bindings: Bindings }>

/** An answer, or work that must wait until the task of the workspace has ended, as it calls that workspace itself. */
type Answering = Response | (() => Promise<Response>)

/** Answers one method of a resource. An error that it throws as a refusal becomes the answer; see `refusalFor`. */
export type ControlHandler = (
  verbs: Verbs,
  context: ControlContext,
  workspace: WorkspaceVerbs,
) => Answering | Promise<Answering>

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
  /**
   * For a resource that does not depend on the workspace: the methods that the token of a partner may use; they then
   * show and change only the partner's data. `:name` in its path is the name of a workspace.
   */
  forPartners?: readonly Method[]
  /** The changes of its methods are in no data file: no caller waits for a save. */
  inMemory?: true
  /** No method of it changes anything: it is not in the audit trail. */
  readOnly?: true
  /** Outside the guard, for health probes. */
  open?: true
  /** Pages of allowed origins may read it. */
  forPages?: true
  /** It reads the journal, which other processes may have written to. */
  readsJournal?: true
  /** GET is expensive, at least with this query: few such answers are produced concurrently. */
  expensive?(context: ControlContext): boolean
  /** Maximum size of its body in bytes, if it is larger than a row or a scenario needs. */
  maxBody?: number
  /** It waits for tasks of workspaces itself, which could not run within its own task. */
  outside?: true
  /** Applies the writes of other processes to what it reads in addition to its workspace. */
  prepare?(storage: Storage, context: ControlContext): Promise<unknown> | undefined
  /** Persists what it changed in addition to its workspace. */
  settle?(storage: Storage, context: ControlContext): Promise<unknown> | undefined
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
  storage: Storage
  /** Whether a request creates the workspace that it names. */
  creates: boolean
  /** Waits until an expensive answer may be produced. */
  slotFor(context: ControlContext): Promise<Slot>
}

/** Passes a request to the method of a resource, or refuses it. */
export async function dispatch(
  noun: Noun,
  verbs: Verbs,
  context: ControlContext,
  { storage, creates, slotFor }: DispatchContext,
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
    // Before the exclusive task begins, so that calls of the workspace do not wait as well.
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
    const handle = (): Promise<Answering> =>
      using(noun, verbs, context, async (workspace) => {
        const response = await handler(verbs, context, workspace)
        // The answer to a read is only for a caller whose token is still valid.
        if (name === 'GET' || noun.readOnly) requireHeld(context)
        return response
      })
    if (noun.open || noun.isPage) return finished(await handle())
    // Before the exclusive task begins, so that no call waits for a slow client.
    await receiveBody(context, noun.maxBody)
    await noun.prepare?.(storage, context)
    if (noun.shared || noun.outside) {
      if (!noun.shared) await storage.open(checkedNameOf(context), creates)
      const response = await finished(await handle())
      await noun.settle?.(storage, context)
      return response
    }
    const { result, version } = await storage.run(
      checkedNameOf(context),
      async (workspace) => {
        if (noun.readsJournal) await storage.readJournal(workspace)
        // A refusal is an answer, too: it depends on the current rows.
        return orRefusal(handle)
      },
      (answer) => ('ok' in answer && !answer.ok) || name === 'GET' || noun.inMemory === true,
    )
    if (typeof result === 'function') {
      const response = await result()
      requireHeld(context)
      return response
    }
    if (version !== undefined) result.headers.set(commitHeader, String(version))
    return result
  }
}

const finished = async (answer: Answering): Promise<Response> =>
  typeof answer === 'function' ? answer() : answer

/** A workspace is in use until its answer was sent: a large document is written while it is sent. */
async function using(
  noun: Noun,
  verbs: Verbs,
  context: ControlContext,
  handle: (workspace: WorkspaceVerbs) => Answering | Promise<Answering>,
): Promise<Answering> {
  requireHeld(context)
  const workspace = workspaceOf(noun, verbs, context)
  if (noun.shared) return handle(workspace)
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
  if (!noun.shared) return verbs.workspace(name)
  if (!noun.open && !noun.isPage) requireName('workspace', name)
  return verbs.workspace(defaultWorkspace)
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
