// The parts of OpenAPI 3.1 that our document uses, as plain JSON data. These types are our own, so that users of the
// document need no types of a library.
import type { AssumptionId } from '../contract/assumptions.ts'
import type { AssumptionView } from '../input/resolve-assumptions.ts'

/** A JSON Schema of the 2020-12 dialect. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: readonly unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  oneOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  description?: string
  [keyword: string]: unknown
}

export interface Reference {
  $ref: string
}

/** Parts that can rest on assumptions have their ids. */
interface Marked {
  'x-assumption'?: readonly AssumptionId[]
}

export interface Example {
  summary?: string
  value: unknown
}

export interface Header extends Marked {
  description: string
  required: boolean
  schema: Schema
}

export interface Parameter extends Marked {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
  example?: unknown
}

export interface MediaType {
  schema: Schema
  examples: Record<string, Example | Reference>
}

export interface Content {
  'application/json': MediaType
}

export interface RequestBody extends Marked {
  required: boolean
  description?: string
  content: Content
}

export interface Response extends Marked {
  description: string
  headers: Record<string, Reference>
  content?: Content
}

/** By status, as text. */
export type Responses = Record<string, Response | Reference>

export interface Operation extends Marked {
  operationId: string
  summary: string
  description: string
  tags: readonly string[]
  parameters: readonly (Parameter | Reference)[]
  requestBody?: RequestBody
  responses: Responses
  /** The scope without which a key is refused, or null. */
  'x-scope': string | null
  /** The scope without which the answer omits fields, or null. */
  'x-optional-scope': string | null
  'x-contract-section': string
}

/** An event that the service sends. Its answers are those of the receiver, which have no declared headers. */
export interface Webhook {
  post: Marked & {
    summary: string
    description: string
    parameters: readonly Parameter[]
    requestBody: RequestBody
    responses: Record<string, { description: string }>
  }
}

export interface Components {
  schemas: Record<string, Schema>
  parameters: Record<string, Parameter>
  headers: Record<string, Header>
  responses: Record<string, Response>
  examples: Record<string, Example>
  securitySchemes: Record<string, Record<string, unknown>>
}

export type HttpMethod = 'get' | 'post' | 'patch' | 'delete'

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: Record<string, unknown>
  servers: readonly { url: string; description: string }[]
  tags: readonly { name: string; description: string }[]
  security: readonly Record<string, readonly string[]>[]
  paths: Record<string, Partial<Record<HttpMethod, Operation>>>
  /** The events by the names of their types, if they are served. */
  webhooks?: Record<string, Webhook>
  components: Components
  /** Answers to calls that are no operation: an unknown path, a method that the path lacks, OPTIONS. */
  'x-unmatched': Record<'unknownPath' | 'wrongMethod' | 'options', { responses: Responses }>
  /** The permission of each scope. */
  'x-scopes': Record<string, unknown>
  /** Every assumption with its current value; `x-assumption` refers to them by id. */
  'x-assumptions': readonly AssumptionView[]
}
