// Declares an operation of the sandbox: one value from which its path, its verb, its documentation and its OpenAPI follow.
import { z } from 'zod'

/** The methods that a path may have; HEAD follows from GET. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Such as `POST /_sandbox/clock/advance`; a parameter of the path is `:name`. */
export type Route = `${Method} /_sandbox${'' | `/${string}`}`

/** The names of the parameters in a path. */
type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The input that a request or a verb passes to an operation. */
export interface Input<Path extends string, Query> {
  path: Readonly<Record<Parameters<Path>, string>>
  /** Validated by its schema. */
  query: Query
  /** As it was sent: the operation validates it, like the value that a program passes. Undefined without one. */
  body: unknown
}

/** Who calls an operation over HTTP. */
export interface Caller {
  /** The scheme, host and port that the caller used. */
  origin: string
  /** The workspace that the request names; a partner's own if it names none, and undefined for other callers. */
  workspace: string | undefined
  /** Whether a workspace is one that the caller may see. */
  sees(workspace: string): boolean
  /** Throws if the token of the caller was revoked meanwhile: call it after a wait, before a change. */
  requireHeld(): void
}

/** How the command line prints an answer. Without it, an object is `key: value` lines, and a list is aligned columns. */
export interface Printed<Answer> {
  /** The output on stdout. */
  text?(answer: Answer): string | Promise<string>
  /** A report about the action on stderr. */
  note?(answer: Answer, about: { args: readonly string[]; workspace: string }): string | undefined
  /** A hint on stderr, also with `--format json`. */
  advice?(answer: Answer): string | undefined
}

/** A verb of the command line that calls an operation. Its options are the fields of the query and of the body. */
export interface OperationVerb {
  /** Such as `clock freeze`. */
  name: string
  /** Its description in help; by default that of the operation. */
  about?: string
  /** The fields that are arguments, in this order, after the parameters of the path. */
  args?: readonly string[]
  /** Fields that it does not take. */
  without?: readonly string[]
  /** Fields that it sets, which are no options. */
  sends?: Readonly<Record<string, unknown>>
  /** Options and arguments that are not named like their fields, by field: `{ url: 'to' }`. */
  options?: Readonly<Record<string, string>>
  /** Fields that are names of workspaces or snapshots, which are checked before the call. */
  names?: Readonly<Record<string, 'workspace' | 'snapshot'>>
  /** The message if no option was set: the text after `error: `. */
  empty?: string
  /** Its description of `--workspace`, if it is another one. */
  workspace?: string
  /** Returns the workspace that an argument names, in place of `--workspace`. @param flag the value of that option. */
  workspaceOf?(args: readonly string[], flag: unknown): string | undefined
  /** It writes a document to a file or to stdout, and this is its name: `snapshot`. */
  writes?: string
}

/** An operation of the sandbox. See docs/extending.md. */
export interface Declaration<Target, R extends Route, Query extends z.ZodObject, Result extends z.ZodType> {
  /** The member of the library with the same function: `clock.advance`. */
  id: string
  route: R
  /** A phrase for help and documentation, such as `freeze the clock`. */
  about: string
  /** The verbs that call it: a name, or more about it. None for an operation that only programs need. */
  verb?: string | OperationVerb | readonly OperationVerb[]
  /** The parameters of the path that need a description. */
  path?: z.ZodObject
  query?: Query
  /** The word for the query in messages; by default `query`. */
  word?: string
  /** Optional if a request may have no body; without a schema it must have none. */
  body?: z.ZodType
  /** The maximum size of the body in bytes, if it is not 1 MiB. */
  maxBody?: number
  /** Omitted if there is none. */
  result?: Result
  /** The status of a success: by default 200, or 204 without a result. */
  status?: number
  /** The type of an answer that is no JSON, with other headers if it needs any. */
  media?: string | ((query: z.output<Query>) => string)
  headers?: Readonly<Record<string, string>>
  /** Its result is the text of a document of any size, in pieces, which the command line can write to a file. */
  isStreamed?: true
  /** The bodies of other statuses, such as `{ 409: tooFewEvents }`: `run` returns them as an `OtherAnswer`. */
  others?: Readonly<Record<number, z.ZodType>>
  /**
   * Its subject: by default a workspace. `all`: all workspaces, unless the request names one. `sandbox`: no workspace, and a
   * parameter `:name` of the path is the name of one.
   */
  of?: 'workspace' | 'sandbox' | 'all'
  /** A POST that changes nothing: it is not in the audit trail. */
  reads?: true
  /** Whether its answer is expensive, at least with this query: few such answers are produced concurrently. */
  expensive?: true | ((query: z.output<Query>) => boolean)
  /** Partners may use it, although it does not depend on the workspace: it shows and changes only their data. */
  partners?: true
  /** `none`: outside the guard, for health probes. `pages`: pages of allowed origins may read it. */
  guard?: 'none' | 'pages'
  printed?: Printed<z.output<Result>>
  /** Throws for a path that names nothing: called before the body is read, so that this is reported whatever the body is. */
  requires?(target: Target, path: Input<R, unknown>['path']): void
  /** Returns the result; see `answerOf` in `control/` for how it is sent. */
  run(target: Target, input: Input<R, z.output<Query>>, caller: Caller): unknown
}

/** An operation, whatever its fields. */
export type Operation<Target> = Declaration<Target, Route, z.ZodObject, z.ZodType>

/** The query of an operation that takes none. */
export const noQuery = z.strictObject({})

/** The names of the parameters in the path of a route. */
export const parametersOf = (route: string): string[] =>
  [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** Whether a request may omit what a schema is of. */
export const isOmissible = (schema: z.ZodType): boolean => schema.safeParse(undefined).success

/** An answer with another status than that of a success, such as 409 with the events that there are. */
export class OtherAnswer {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    this.status = status
    this.body = body
  }
}

/**
 * Declares an operation.
 * @example
 * operation({
 *   id: 'clock.advance',
 *   route: 'POST /_sandbox/clock/advance',
 *   verb: 'clock advance',
 *   about: 'move the clock forward; the units add up',
 *   body: duration,
 *   result: clockReading,
 *   async run({ clock }: ClockTarget, { body }) { await clock.advance(body); return clock.read() },
 * })
 */
export function operation<
  Target,
  const R extends Route,
  Query extends z.ZodObject = typeof noQuery,
  Result extends z.ZodType = z.ZodType,
>(declared: Declaration<Target, R, Query, Result>): Operation<Target> {
  return declared as unknown as Operation<Target>
}
