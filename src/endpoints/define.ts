// Declares an endpoint once, as a value. Routing, validation, scope checks, omission of fields, the OpenAPI document
// and the table of endpoints all derive from the list of these values in `index.ts`.
import { z } from 'zod'
import type { Assume, AssumptionId, Assumptions } from '../contract/assumptions.ts'
import type { OperationId } from '../contract/declared.generated.ts'
import { errorRow, type ErrorDetails, type ErrorType } from '../contract/errors.ts'
import type { OmittingScope, RefusingScope } from '../contract/scopes.ts'
import type { Cursors } from '../store/cursors.ts'
import type { ApiKeyRow, ProductRow, StatementRow } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import type { Paging } from './paging.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An assumption whose values are names of parameters. */
export type NameAssumption =
  'customers_page_size_parameter' | 'statements_page_size_parameter' | 'locale_parameter'

/** A query parameter; its schema parses the sent text. */
export interface QueryParameter<S extends z.ZodType = z.ZodType> {
  schema: S
  description: string
  /** The assumption that decides its name, where the contract does not show it. */
  nameFrom?: NameAssumption
  /** The parameter is required while this assumption has this value. */
  requiredWhen?: readonly [AssumptionId, string | number]
  /** A value that succeeds on the built-in rows; a function if it depends on the sandbox. */
  example?: string | ((call: ExampleCall) => string)
}

/** The parts of a call on which the example of a parameter can depend. */
export type ExampleCall = Pick<AnyCall, 'workspace' | 'cursors' | 'now' | 'values' | 'assume'>

/** An error that an endpoint can answer with, in addition to those of every endpoint. */
export interface DeclaredError {
  type: ErrorType
  /** The occasion of the error, as one sentence for the documentation. */
  on: string
  /** The assumption that decides its status; without it, the catalogue does. */
  statusFrom?: 'link_conflict_status'
  /** The error occurs only while this assumption has this value. */
  when?: readonly [AssumptionId, string | number]
  /** A message that is more specific than that of the catalogue. */
  message?: string
  /** The parameter whose id matches no row, if it is not the catalogue's. */
  missing?: string
}

/** Whether an error can occur under the current assumptions. */
export function isInForce({ when }: DeclaredError, values: Assumptions): boolean {
  return when === undefined || values[when[0]] === when[1]
}

/** Whether the current assumptions require a parameter. */
export function isRequired({ requiredWhen }: QueryParameter, values: Assumptions): boolean {
  return requiredWhen !== undefined && values[requiredWhen[0]] === requiredWhen[1]
}

/** Returns the errors of an endpoint that can occur under the current assumptions. */
export function errorsInForce({ errors }: Endpoint, values: Assumptions): DeclaredError[] {
  return errors.filter((error) => isInForce(error, values))
}

/** Returns the parameter whose id matches no row, if the error is of that kind. */
export function missingParameter({ type, missing }: DeclaredError): string | undefined {
  return missing ?? errorRow(type).param
}

/** A status that the contract shows, or a status that an assumption decides. */
export type Status = number | ((assume: Assume) => number)

/** Returns enum values by field, under the current assumptions. */
export type Gives = (values: Assumptions) => Readonly<Record<string, readonly string[]>>

/**
 * Returns violations that a schema cannot express, because an assumption decides them or they involve several fields.
 * The body is the sent one, before any schema parses it. Reading `values` does not record a use of an assumption.
 */
export type Rules = (body: Readonly<Record<string, unknown>>, assume: Assume, values: Assumptions) => string[]

/** The context of a handler: everything that it may depend on, without HTTP. */
export interface Call<Params, Query, Body, Fails extends ErrorType> {
  params: Params
  query: Query
  /** The values of a parameter under the other names that its assumption allows, if the call sent any of them. */
  otherwise: { readonly [N in keyof Query]?: readonly Query[N][] }
  body: Body
  /** The body, including fields unknown to the operation. */
  sent: Readonly<Record<string, unknown>>
  key: ApiKeyRow
  /** The product whose data this call may see (contract: Authentication 9). */
  product: ProductRow
  /** The name of the workspace, to which page tokens are bound. */
  workspace: string
  /** The suffix of keys that names the workspace; empty for the default workspace. */
  keySuffix: string
  tx: Transaction
  /** Milliseconds since the epoch on the sandbox clock; constant during a call. */
  now: number
  cursors: Cursors
  /** Every current assumption. Reading one here does not record a use of it. */
  values: Assumptions
  assume: Assume
  /** The paging rules of lists. */
  paging: Paging
  /** Answers with an error that the endpoint declares. All writes of the call are rolled back. */
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
  /** False for an operation outside the contract, which assumption `unlisted_operations` serves; true by default. */
  listed?: boolean
  /** Any text, so that a new endpoint has a type before `npm run generate` adds its id to `OperationId`. */
  id: string
  method: Method
  path: Path
  summary: string
  /** It simulates what no API call causes, so a key of production is refused. */
  sandboxOnly?: true
  /** The scope without which a key is refused (contract: Authentication 4, 5). */
  scope?: RefusingScope
  /** The scope without which the answer omits fields. */
  optionalScope?: OmittingScope
  params: { readonly [Name in ParamNames<Path>]: string }
  /** The examples of path parameters that no example of the answer has. */
  paramExamples?: { readonly [Name in ParamNames<Path>]?: string }
  query?: Q
  /** The schema of the body; a function if assumptions decide which fields exist. */
  body?: B | ((values: Assumptions) => B)
  /** The assumption that decides which fields the body has. */
  bodyFrom?: 'payment_methods_pagination' | 'link_response'
  /** The error shape that the contract shows for a body that is not JSON; elsewhere, `malformed_json_shape` decides. */
  malformedBody?: 'A'
  /** The call may omit the body. */
  bodyOptional?: boolean
  rules?: Rules
  /** The default is 200, as for every read. */
  status?: Status
  /** The contract shows the status, so it is not an assumption (contract: Endpoints). */
  statusShown?: true
  /** The schema of a success, which may depend on assumptions; absent if a success has no body. */
  result?: R | ((values: Assumptions) => R)
  errors?: E
  /** The possible values of an enum in the answer, if they are fewer than those of the resource. */
  gives?: Gives
  pagination?: 'id' | 'token'
  /** Assumptions on which a success can depend, for the documentation. The handler records those that it uses. */
  restsOn?: readonly AssumptionId[]
  handler(
    call: Call<{ [Name in ParamNames<Path>]: string }, QueryValues<Q>, z.output<B>, E[number]['type']>,
  ): z.input<R> | undefined
}

/** The defaults for fields that a declaration omits. */
const omitted = {
  listed: true,
  query: {},
  status: 200,
  errors: [],
  gives: () => ({}),
  restsOn: [],
} as const

type Omitted = keyof typeof omitted
type Declared = Readonly<Declaration<string, QueryShape, BodySchema, z.ZodType, Errors>>
type Filled = Required<Pick<Declared, Omitted>>

/** An endpoint without its own types, as the rest of the sandbox uses it. */
export interface Endpoint
  extends
    Omit<Declared, 'id' | 'params' | 'paramExamples' | 'body' | 'result' | 'handler' | Omitted>,
    Filled {
  readonly id: OperationId
  /** The section of the contract that defines it. */
  readonly section: string
  readonly params: Readonly<Record<string, string>>
  readonly paramExamples?: Readonly<Record<string, string | undefined>>
  readonly body: ((values: Assumptions) => BodySchema) | undefined
  readonly result: ((values: Assumptions) => z.ZodType) | undefined
  /** Runs the handler. The schemas above have parsed the values, so they match the handler's own types. */
  handler(call: AnyCall): unknown
}

/** A call whose values passed the endpoint's own schemas. */
export type AnyCall = Call<
  Record<string, string>,
  Record<string, unknown>,
  Record<string, unknown>,
  ErrorType
>

/**
 * Declares an endpoint. The types of `params`, `query`, `body` and of `fail`'s argument follow from the declaration.
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
  const { method, path, body, result } = declared
  return {
    section: `${method} ${path}`,
    ...omitted,
    ...declared,
    body: typeof body === 'function' || body === undefined ? body : () => body,
    result: typeof result === 'function' || result === undefined ? result : () => result,
    // The pipeline passes exactly the output of the declared schemas, which the shared type cannot express.
    handler: (call) => declared.handler(call as never),
  } as Endpoint
}

/** A page of results (contract: search customers, list payment methods). */
export function pageOf<S extends z.ZodType>(item: S) {
  return z.strictObject({ data: z.array(item), has_more: z.boolean(), total: z.int().min(0) })
}
