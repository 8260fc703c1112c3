// An endpoint is declared once, as a value: routing, validation, scope checks, omission of fields, the OpenAPI
// document and the table of endpoints all derive from the list of these values in `index.ts`.
import { z } from 'zod'
import type { Assume, AssumptionId, Assumptions } from '../contract/assumptions.ts'
import type { OperationId } from '../contract/declared.generated.ts'
import { assumptionCatalogue } from '../contract/assumptions.ts'
import { errorRow, type ErrorDetails, type ErrorType } from '../contract/errors.ts'
import type { OmittingScope, RefusingScope } from '../contract/scopes.ts'
import type { Cursors } from '../store/cursors.ts'
import type { ApiKeyRow, ProductRow, StatementRow } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import type { Paging } from './paging.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** An assumption whose values are names of parameters. */
export type NameAssumption =
  'customers_page_size_parameter' | 'statements_page_size_parameter' | 'locale_parameter'

/** A query parameter: its schema reads the text that was sent. */
export interface QueryParameter<S extends z.ZodType = z.ZodType> {
  schema: S
  description: string
  /** The assumption that decides its name, where the contract does not show it. */
  nameFrom?: NameAssumption
  /** It must be sent while this assumption has this value. */
  requiredWhen?: readonly [AssumptionId, string | number]
  example?: string
}

/** An error an endpoint can answer with, beside those that every endpoint can. */
export interface DeclaredError {
  type: ErrorType
  /** When it occurs, as one sentence for the documentation. */
  on: string
  /** The assumption that decides its status, instead of the catalogue. */
  statusFrom?: 'link_conflict_status'
  /** It occurs only while this assumption has this value. */
  when?: readonly [AssumptionId, string | number]
  /** What it says, where the words of the catalogue are too general. */
  message?: string
  /** The parameter that names nothing when it occurs, where it is not that of the catalogue. */
  missing?: string
}

/** Whether the assumptions in force leave an error. */
export function isInForce({ when }: DeclaredError, values: Assumptions): boolean {
  return when === undefined || values[when[0]] === when[1]
}

/** Whether the assumptions in force make a parameter required. */
export function isRequired({ requiredWhen }: QueryParameter, values: Assumptions): boolean {
  return requiredWhen !== undefined && values[requiredWhen[0]] === requiredWhen[1]
}

/** The errors of an endpoint that the assumptions in force leave it. */
export function errorsInForce({ errors }: Endpoint, values: Assumptions): DeclaredError[] {
  return errors.filter((error) => isInForce(error, values))
}

/** The parameter that names nothing when an error occurs, if it is an error of that kind. */
export function missingParameter({ type, missing }: DeclaredError): string | undefined {
  return missing ?? errorRow(type).param
}

/** A status that the contract shows, or one that an assumption decides. */
export type Status = number | ((assume: Assume) => number)

/** Values of enums by field, under the assumptions in force. */
export type Gives = (values: Assumptions) => Readonly<Record<string, readonly string[]>>

/**
 * Violations that a schema cannot tell, because an assumption decides or several fields are involved. The body is
 * what was sent, before any schema looked at it; `values` looks at an assumption without resting on it.
 */
export type Rules = (body: Readonly<Record<string, unknown>>, assume: Assume, values: Assumptions) => string[]

/** What a handler is given: everything it may depend on, and nothing of HTTP. */
export interface Call<Params, Query, Body, Fails extends ErrorType> {
  params: Params
  query: Query
  /** What a parameter would be under the other names that its assumption allows, where a call sent any of them. */
  otherwise: { readonly [N in keyof Query]?: readonly Query[N][] }
  body: Body
  /** The body with the fields that the operation does not know. */
  sent: Readonly<Record<string, unknown>>
  key: ApiKeyRow
  /** The product whose data this call may see (contract: Authentication 9). */
  product: ProductRow
  /** The name of the workspace, which page tokens are bound to. */
  workspace: string
  /** The suffix that names the workspace in a key, empty for the default one. */
  keySuffix: string
  tx: Transaction
  /** Milliseconds since the epoch on the sandbox clock; the same throughout a call. */
  now: number
  cursors: Cursors
  /** Every assumption in force, for looking at one without resting on it. */
  values: Assumptions
  assume: Assume
  /** How a list is cut into pages. */
  paging: Paging
  /** Answers with an error that the endpoint declares; nothing that was written stands. */
  fail(type: Fails, about?: ErrorDetails): never
  /** Answers with the validation shape. */
  invalid(...details: string[]): never
  /** A short-lived link to the document of a statement. */
  pdfUrl(statement: StatementRow): string
}

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

type QueryShape = Readonly<Record<string, QueryParameter>>
type QueryValues<Q extends QueryShape> = { [N in keyof Q]: z.output<Q[N]['schema']> }
type BodySchema = z.ZodObject
type Errors = readonly DeclaredError[]

interface Declaration<
  Path extends string,
  Q extends QueryShape,
  B extends BodySchema,
  R extends z.ZodType,
  E extends Errors,
> {
  id: OperationId
  method: Method
  path: Path
  summary: string
  /** The scope without which a key is refused (contract: Authentication 4, 5). */
  scope?: RefusingScope
  /** The scope without which fields are left out of the answer. */
  optionalScope?: OmittingScope
  params: { readonly [Name in ParamNames<Path>]: string }
  query?: Q
  /** What the body holds; a function of the assumptions where they decide which fields there are. */
  body?: B | ((values: Assumptions) => B)
  /** The assumption that decides which fields the body has. */
  bodyFrom?: 'payment_methods_pagination'
  /** The shape that the contract shows for a body that is not JSON; elsewhere `malformed_json_shape` decides. */
  malformedBody?: 'A'
  /** A body may be left out altogether. */
  bodyOptional?: boolean
  rules?: Rules
  /** 200 if left out, as every read. */
  status?: Status
  /** The contract itself shows the status, so that it is no assumption (contract: Endpoints). */
  statusShown?: true
  /** What a success answers with; left out where it has no body. */
  result?: R
  errors?: E
  /** The values that an enum of the answer can have here, where those are not all that the resource can have. */
  gives?: Gives
  pagination?: 'id' | 'token'
  /** Assumptions that a success can rest on, for the documentation; the handler notes them where one does. */
  restsOn?: readonly AssumptionId[]
  handler(
    call: Call<{ [Name in ParamNames<Path>]: string }, QueryValues<Q>, z.output<B>, E[number]['type']>,
  ): z.input<R> | undefined
}

/** What an endpoint has where its declaration says nothing. */
const leftOut = {
  query: {},
  status: assumptionCatalogue.read_status.default,
  errors: [],
  gives: () => ({}),
  restsOn: [],
} as const

type LeftOut = keyof typeof leftOut
type Declared = Readonly<Declaration<string, QueryShape, BodySchema, z.ZodType, Errors>>
type Filled = Required<Pick<Declared, LeftOut>>

/** An endpoint as the rest of the sandbox sees it, whatever its own types are. */
export interface Endpoint extends Omit<Declared, 'params' | 'body' | 'handler' | LeftOut>, Filled {
  /** The section of the contract that shows it. */
  readonly section: string
  readonly params: Readonly<Record<string, string>>
  readonly body: ((values: Assumptions) => BodySchema) | undefined
  /** Runs the handler. The values were read by the schemas above, which is what its own types promise. */
  handler(call: AnyCall): unknown
}

/** A call whose values were validated by the endpoint's own schemas. */
export type AnyCall = Call<
  Record<string, string>,
  Record<string, unknown>,
  Record<string, unknown>,
  ErrorType
>

/**
 * Declares an endpoint. The types of `params`, `query`, `body` and of what `fail` takes follow from the declaration.
 *
 * @example
 * export const retrieveReward = endpoint({
 *   id: 'retrieveReward', method: 'GET', path: '/v2/rewards/{reward_id}', …,
 *   handler: ({ params, tx, fail }) => tx.get('rewards', params.reward_id) ?? fail('REWARD_NOT_FOUND_ERROR'),
 * })
 */
export function endpoint<
  const Path extends string,
  const Q extends QueryShape = Record<never, never>,
  B extends BodySchema = z.ZodObject<Record<never, never>>,
  R extends z.ZodType = z.ZodUndefined,
  const E extends Errors = readonly [],
>(declared: Declaration<Path, Q, B, R, E>): Endpoint {
  const { method, path, body } = declared
  return {
    section: `${method} ${path}`,
    ...leftOut,
    ...declared,
    body: typeof body === 'function' || body === undefined ? body : () => body,
    // The pipeline hands over exactly what the declared schemas gave, which the shared type cannot say.
    handler: (call) => declared.handler(call as never),
  } as Endpoint
}

/** A page of results (contract: search customers, list payment methods). */
export function pageOf<S extends z.ZodType>(item: S) {
  return z.strictObject({ data: z.array(item), has_more: z.boolean(), total: z.int().min(0) })
}
