// Stubs: answers for operations that the contract mentions and does not list, such as listing accounts (contract: What
// the service does). A user defines the answer in the state document, as the contract shows nothing about it.
import { z } from 'zod'
import { id } from '../contract/formats.ts'
import { scope } from '../contract/resources/api-key.ts'

/** The collections whose rows a stub can return; no operation shows rows of the others unchanged. */
export const stubCollections = [
  'customers',
  'accounts',
  'payment_methods',
  'rewards',
  'transaction_intents',
  'order_events',
] as const

const stubMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Segments of plain text or `{name}`, none of them empty. */
const pathTemplate = /^(?:\/(?:[A-Za-z0-9._~-]+|\{[A-Za-z_]\w*\}))+$/

/** One stub: it answers with a body, or with a row of a collection. */
export const stub = z.strictObject({
  method: z.enum(stubMethods),
  path: z
    .string()
    .max(1_000, 'must be 1 to 1000 characters')
    .regex(pathTemplate, 'must be a path such as /v2/customers/{customer_id}, without a trailing slash')
    .refine((path) => !/\/\.\.?(?:\/|$)/.test(path), 'must have no segment . or ..')
    .refine((path) => !/^\/_sandbox(?:\/|$)/.test(path), 'must not be one of the control plane'),
  /** The scope without which a key is refused. */
  scope: scope.optional(),
  /** Default 200. */
  status: z
    .int('must be an integer')
    .min(200, 'must be 200 to 599')
    .max(599, 'must be 200 to 599')
    .optional(),
  /** The body, any JSON; none if omitted. */
  body: z.unknown().optional(),
  /** The collection of the row to return, in place of a body. */
  collection: z.enum(stubCollections).optional(),
  /** The id of that row, or `{name}` for the path parameter that has it. */
  id: id.optional(),
})
export type Stub = Readonly<z.infer<typeof stub>>

/** All stubs of a state, in the order of their documents. */
export const stubs = z.array(stub)
export type Stubs = readonly Stub[]

/** A state without stubs. */
export const noStubs: Stubs = Object.freeze([])

/** Returns a path template without the names of its parameters. */
export const pathShape = (path: string): string => path.replace(/\{[^}]*\}/g, '{}')

/** Returns the identity of a stub: of two documents with the same stub, the later one replaces the earlier. */
export const stubKey = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${pathShape(path)}`

/** Whether two templates can match the same path: segment by segment, where a parameter matches anything. */
export function pathsOverlap(one: string, other: string): boolean {
  const [a, b] = [one.split('/'), other.split('/')]
  const isFree = (segment: string | undefined): boolean => segment?.startsWith('{') === true
  return a.length === b.length && a.every((part, at) => part === b[at] || isFree(part) || isFree(b[at]))
}
