import type { Context } from 'hono'
import { controlError } from '../http/control-error.ts'
import type { Bindings } from '../http/app.ts'
import type { Verbs, WorkspaceVerbs } from './verbs.ts'

export type ControlContext = Context<{ Bindings: Bindings }>

/** Answers one method of a noun. */
export type ControlHandler = (
  verbs: Verbs,
  context: ControlContext,
  workspace: WorkspaceVerbs,
) => Response | Promise<Response>

/** One path below `/_sandbox` with its methods; HEAD follows from GET. */
export interface Noun {
  path: string
  /** What it is for, as `GET /_sandbox` lists it. */
  about: string
  methods: Readonly<Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', ControlHandler>>>
  /** Outside the guard, for probes that know nothing of the sandbox. */
  open?: true
}

/** The methods of a noun as `Allow` lists them. */
export function allowOf(noun: Noun): string {
  return Object.keys(noun.methods)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ')
}

/** Takes a request to the method of a noun, or refuses the method. */
export function dispatch(noun: Noun, verbs: Verbs, context: ControlContext): Response | Promise<Response> {
  const { method } = context.req.raw
  // Looked up by name in a list, so that no method reaches what every object inherits.
  const found = Object.entries(noun.methods).find(([name]) => name === (method === 'HEAD' ? 'GET' : method))
  if (found) {
    const name = context.req.query('workspace') ?? 'default'
    const workspace = verbs.workspace(name)
    if (!workspace) {
      return controlError(
        'INVALID',
        `workspace '${name.slice(0, 80)}': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -`,
      )
    }
    return found[1](verbs, context, workspace)
  }
  const allow = allowOf(noun)
  return controlError('METHOD_NOT_ALLOWED', `This path has the methods ${allow}.`, { headers: { allow } })
}
