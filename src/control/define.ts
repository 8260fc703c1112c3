// Resources that are declared in the earlier way, until each is an operation.
import { z } from 'zod'
import { printable } from '../input/problems.ts'
import type { Method, Operation } from '../operations/declare.ts'
import type { Target } from '../operations/index.ts'
import type { WorkspaceVerbs } from '../operations/sandbox-workspace.ts'
import type { ControlContext, ControlHandler } from './context.ts'
import { Refusal } from './refusal.ts'
import type { Handled } from './resource.ts'

/** Returns a query parameter that is true or false; false if it was not sent. */
export function flagOf(c: ControlContext, name: string): boolean {
  const value = c.req.query(name) ?? 'false'
  if (value !== 'true' && value !== 'false')
    throw new Refusal('INVALID', `${name} '${printable(value)}': must be true or false`)
  return value === 'true'
}

/** One path below `/_sandbox` with its methods. */
export interface Noun {
  path: string
  about: string
  methods: Readonly<Partial<Record<Method, ControlHandler>>>
  answers?: Readonly<Partial<Record<Method, z.ZodType>>>
  library: Readonly<Partial<Record<Method, string>>>
  whyNoLibrary?: Readonly<Partial<Record<Method, string>>>
  whyNoVerb?: Readonly<Partial<Record<Method, string>>>
  query?: readonly string[]
  shared?: true
  ofAll?: true
  forPartners?: readonly Method[]
  readOnly?: true
  open?: true
  forPages?: true
  expensive?(context: ControlContext): boolean
  maxBody?: number
  isPage?: true
}

/** Returns the operations of a noun. */
export function ofNoun(noun: Noun): Handled[] {
  const { path, about, answers = {}, library, query = [], shared, ofAll, maxBody } = noun
  return (Object.entries(noun.methods) as [Method, ControlHandler][]).map(([method, handle]) => ({
    id: library[method] ?? '',
    route: `${method} ${path}` as Operation<Target>['route'],
    about,
    query: z.strictObject(Object.fromEntries(query.map((name) => [name, z.string().optional()]))),
    result: answers[method] ?? z.unknown(),
    ...(maxBody !== undefined && { maxBody }),
    of: shared ? 'sandbox' : ofAll ? 'all' : 'workspace',
    ...(noun.readOnly && { reads: true }),
    ...(noun.expensive &&
      method === 'GET' && {
        expensive: (sent) =>
          noun.expensive?.({ req: { query: (name: string) => sent[name] } } as never) === true,
      }),
    ...(noun.forPartners?.includes(method) && { partners: true }),
    ...(noun.open ? { guard: 'none' } : noun.forPages ? { guard: 'pages' } : {}),
    ...(noun.isPage && { isPage: true }),
    handle,
  }))
}

/** The `:name` of a path. */
export const nameOf = (context: ControlContext): string => context.req.param('name') ?? ''

/** Returns the state of a workspace after all of it was replaced. */
export function stateSummary({ name, state, clock }: WorkspaceVerbs): Response {
  return Response.json({ workspace: name, rows: state.size(), clock: clock.read() })
}
