// What a noun of the control plane is: a path below /_sandbox with its methods, and how a request comes to one.
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

/** Answers one method of a noun. What it throws to refuse the request becomes the answer; see `refusalFor`. */
export type ControlHandler = (
  verbs: Verbs,
  context: ControlContext,
  workspace: WorkspaceVerbs,
) => Response | Promise<Response>

/** The methods that a path may have; HEAD follows from GET. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A member of the library, as `sandbox` has it: `reset`, `state.put`. */
type LibraryMember = {
  [Name in keyof Sandbox & string]: Sandbox[Name] extends (...given: never[]) => unknown
    ? Name
    : `${Name}.${keyof Sandbox[Name] & string}`
}[keyof Sandbox & string]

/** One path below `/_sandbox` with its methods; HEAD follows from GET. */
export interface Noun {
  path: string
  /** What it is for, as `GET /_sandbox` lists it. */
  about: string
  methods: Readonly<Partial<Record<Method, ControlHandler>>>
  /** The schema of the JSON that each method answers where it succeeds, for those that answer JSON. */
  answers?: Readonly<Partial<Record<Method, z.ZodType>>>
  /** The member of the library that does the same, for each of its methods. */
  library: Readonly<Partial<Record<Method, LibraryMember>>>
  /** Why a method has no member of the library, where it has none. */
  noLibrary?: Readonly<Partial<Record<Method, string>>>
  /** Why a method has no verb of the command line, where it has none. */
  noVerb?: Readonly<Partial<Record<Method, string>>>
  /** Parameters of the query beside `workspace`. */
  query?: readonly string[]
  /** The same for all workspaces: `?workspace=` is taken, and forks none. */
  shared?: true
  /**
   * Of one that is the same for all workspaces: the methods that the token of a partner opens, too, and that then show
   * and change nothing but what is the partner's. Of its path `:name` is the name of a workspace.
   */
  forPartners?: readonly Method[]
  /** What its methods change is kept in no data file: nobody waits for one. */
  inMemory?: true
  /** No method of it changes anything: it takes no place in the audit trail. */
  readOnly?: true
  /** Outside the guard, for probes that know nothing of the sandbox. */
  open?: true
  /** Pages of allowed origins may read it. */
  forPages?: true
  /** It looks at the journal, which other processes may have written to. */
  readsJournal?: true
  /** GET takes long to answer, at least with this query: few such answers are produced at a time. */
  expensive?(context: ControlContext): boolean
  /** How large a body it takes (bytes), where that is more than a row or a scenario needs. */
  maxBody?: number
  /** It waits itself for turns of workspaces, which could not come within its own. */
  outside?: true
  /** Applies the writes of other processes to what it reads in addition to its workspace. */
  prepare?(storage: Storage, context: ControlContext): Promise<unknown> | undefined
  /** Persists what it changed in addition to its workspace. */
  settle?(storage: Storage, context: ControlContext): Promise<unknown> | undefined
  /** Files of the page for browsers: they hold no data, and whatever else stands in their address is not read. */
  isPage?: true
}

/** The workspace that a request names; the own one of a partner who names none, and undefined of anybody else. */
export function askedWorkspace({ req, env }: ControlContext): string | undefined {
  return req.query('workspace') ?? env?.partner?.of
}

/** The workspace that a request is about. */
export function workspaceNameOf(context: ControlContext): string {
  return askedWorkspace(context) ?? defaultWorkspace
}

/** The `:name` of a path. */
export const nameOf = (context: ControlContext): string => context.req.param('name') ?? ''

/** Where a workspace stands after all of it was replaced. */
export function standing({ name, state, clock }: WorkspaceVerbs): Response {
  return Response.json({ workspace: name, rows: state.size(), clock: clock.read() })
}

/** The methods of a noun as `Allow` lists them. */
export function allowOf(noun: Noun): string {
  return Object.keys(noun.methods)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ')
}

/** What a request needs beside its noun and its workspace. */
interface DispatchContext {
  storage: Storage
  /** Whether a request creates the workspace that it names. */
  creates: boolean
  /** Waits until an expensive answer may be produced. */
  slotFor(context: ControlContext): Promise<Slot>
}

/**
 * Takes a request to the method of a noun, or refuses it.
 * @param kept where workspaces are kept, and whether a request makes one that is not there.
 */
export async function dispatch(
  noun: Noun,
  verbs: Verbs,
  context: ControlContext,
  { storage, creates, slotFor }: DispatchContext,
): Promise<Response> {
  const { method } = context.req.raw
  // Looked up by name in a list, so that no method reaches what every object inherits.
  const found = Object.entries(noun.methods).find(([name]) => name === (method === 'HEAD' ? 'GET' : method))
  if (!found) {
    return methodNotAllowed(allowOf(noun))
  }
  const [name, handler] = found
  try {
    // A probe is answered whatever it asks, and by a method that changes nothing.
    if (!noun.open && !noun.isPage) checkQuery(noun, context)
    // Before the workspace is held, so that its calls do not wait with this one.
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
        // The answer to a read is only for a caller whose token still holds.
        if (name === 'GET' || noun.readOnly) requireHeld(context)
        return response
      })
    if (noun.open || noun.isPage) return handle()
    // Before anything runs alone in a workspace, so that no call waits for a slow client.
    await receiveBody(context, noun.maxBody)
    await noun.prepare?.(storage, context)
    if (noun.shared || noun.outside) {
      if (!noun.shared) await storage.open(checkedNameOf(context), creates)
      const response = await handle()
      await noun.settle?.(storage, context)
      return response
    }
    const { result, version } = await storage.run(
      checkedNameOf(context),
      async (workspace) => {
        if (noun.readsJournal) await storage.readJournal(workspace)
        // A refusal is an answer, too: it follows from the current rows.
        return orRefusal(handle)
      },
      ({ ok }) => !ok || name === 'GET' || noun.inMemory === true,
    )
    if (version !== undefined) result.headers.set(commitHeader, String(version))
    return result
  }
}

/** A workspace is in use until what is answered from it is sent: a large document is written while it is. */
async function using(
  noun: Noun,
  verbs: Verbs,
  context: ControlContext,
  handle: (workspace: WorkspaceVerbs) => Response | Promise<Response>,
): Promise<Response> {
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

/** @throws {InvalidError} for what can be no workspace. */
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

/** A parameter that nothing reads was meant to do something, and one that stands twice is ambiguous. */
function checkQuery(noun: Noun, context: ControlContext): void {
  const known = ['workspace', ...(noun.query ?? [])]
  for (const [name, values] of Object.entries(context.req.queries())) {
    if (!known.includes(name)) {
      const hint = didYouMean(name, known)
      throw new Refusal('INVALID', `unknown query parameter '${printable(name)}'${hint}`)
    }
    if (values.length > 1) throw new Refusal('INVALID', `query parameter '${name}' must stand once`)
  }
}
