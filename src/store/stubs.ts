// Stubs: answers for operations that the contract mentions and does not list, such as listing accounts (contract: What
// the service does). Whoever needs one says in the state document what it answers: nothing about them is shown.
import { z } from 'zod'
import { id } from '../contract/formats.ts'
import { scope } from '../contract/resources/api-key.ts'

/** The collections whose rows a stub can serve; those of the others are shown by no operation as they are. */
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

/** One stub: it answers with a body, or with the row of a collection. */
export const stub = z.strictObject({
  method: z.enum(stubMethods),
  path: z
    .string()
    .max(1_000, 'must be 1 to 1000 characters')
    .regex(pathTemplate, 'must be a path such as /v2/customers/{customer_id}, without a slash at its end')
    .refine((path) => !/\/\.\.?(?:\/|$)/.test(path), 'must have no segment . or ..')
    .refine((path) => !/^\/_sandbox(?:\/|$)/.test(path), 'must not be one of the control plane'),
  /** The scope without which a key is refused. */
  scope: scope.optional(),
  /** 200 if left out. */
  status: z
    .int('must be an integer')
    .min(200, 'must be 200 to 599')
    .max(599, 'must be 200 to 599')
    .optional(),
  /** What is answered, any JSON; no body if left out. */
  body: z.unknown().optional(),
  /** The collection whose row is answered, in place of a body. */
  collection: z.enum(stubCollections).optional(),
  /** The id of that row, or `{name}` for the parameter of the path that holds it. */
  id: id.optional(),
})
export type Stub = Readonly<z.infer<typeof stub>>

/** All stubs of a state, in the order in which they were given. */
export const stubs = z.array(stub)
export type Stubs = readonly Stub[]

/** A state without any. */
export const noStubs: Stubs = Object.freeze([])

/** A template whatever the names of its parameters are. */
export const pathShape = (path: string): string => path.replace(/\{[^}]*\}/g, '{}')

/** What tells stubs apart: two documents that say something of the same one lay the later over the earlier. */
export const stubKey = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${pathShape(path)}`

/** Whether two templates can fit the same path: segment by segment, where a parameter fits anything. */
export function pathsMeet(one: string, other: string): boolean {
  const [a, b] = [one.split('/'), other.split('/')]
  const isFree = (segment: string | undefined): boolean => segment?.startsWith('{') === true
  return a.length === b.length && a.every((part, at) => part === b[at] || isFree(part) || isFree(b[at]))
}
