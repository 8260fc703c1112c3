// What a noun of the control plane is: a path below /_sandbox with its methods, and how a request comes to one.
import type { Context } from 'hono'
import { didYouMean } from '../reading/did-you-mean.ts'
import type { Bindings } from '../http/context.ts'
import { methodNotAllowed } from '../http/control-error.ts'
import { printable } from '../reading/problems.ts'
import { requireName } from '../workspaces/names.ts'
import { defaultWorkspace } from '../workspaces/workspace.ts'
import { Refusal, refusalFor } from './refusal.ts'
import type { Sandbox, Verbs } from '../verbs/index.ts'
import type { WorkspaceVerbs } from '../verbs/sandbox-workspace.ts'

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
  /** What its methods change is kept in no data file: nobody waits for one. */
  inMemory?: true
  /** No method of it changes anything: it takes no place in the audit trail. */
  readOnly?: true
  /** Outside the guard, for probes that know nothing of the sandbox. */
  open?: true
  /** Pages of allowed origins may read it. */
  forPages?: true
  /** Files of the page for browsers: they hold no data, and whatever else stands in their address is not read. */
  isPage?: true
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

/** Takes a request to the method of a noun, or refuses it. */
export async function dispatch(noun: Noun, verbs: Verbs, context: ControlContext): Promise<Response> {
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
    const workspace = workspaceOf(noun, verbs, context)
    const response = await handler(verbs, context, workspace)
    // What was changed is kept as safely as was asked for before anybody is told.
    if (name !== 'GET' && !noun.inMemory) await workspace.saved()
    return response
  } catch (error) {
    const refusal = refusalFor(error)
    if (!refusal) throw error
    return refusal
  }
}

function workspaceOf(noun: Noun, verbs: Verbs, context: ControlContext): WorkspaceVerbs {
  const name = context.req.query('workspace') ?? defaultWorkspace
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
