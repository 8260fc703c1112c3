// Personal and secret values in a call, by their positions: fields, headers, and ids in paths.
import { merchantKeyHeader } from '../contract/credentials.ts'
import { endpoints } from '../endpoints/index.ts'

/** Fields with personal or secret values, by the kind in their tokens. */
const kindOfField: Readonly<Record<string, string>> = {
  api_key: 'key',
  // The text of an API key that was created.
  key: 'key',
  secret: 'key',
  token: 'token',
  pan: 'pan',
  cvv: 'cvv',
  last4: 'last4',
  ssn4: 'ssn4',
  routing_number: 'routing_number',
  email: 'email',
  phone: 'phone',
  first_name: 'name',
  last_name: 'name',
  street_line1: 'address',
  street_line2: 'address',
  city: 'address',
  postal_code: 'address',
  date_of_birth: 'date_of_birth',
  pdf_url: 'link',
  next_page_token: 'cursor',
  starting_after: 'cursor',
}

/** Headers with credentials, or with the name of a product. */
export const kindOfHeader: Readonly<Record<string, string>> = {
  authorization: 'credential',
  'proxy-authorization': 'credential',
  cookie: 'credential',
  'set-cookie': 'credential',
  [merchantKeyHeader]: 'merchant',
}

/** A collection in a path, and the id in it. */
export const parameters = /\/([a-z_]+s)\/([^/?]+)/g

export const kindOfSegment = (name: string): string => name.replace(/^transaction_|s$/g, '')

/** Words of paths that are not parameters, although they are in the position of one. */
export const fixedSegments: ReadonlySet<string> = new Set(
  endpoints.flatMap(({ path }) => path.split('/').filter((segment) => !segment.startsWith('{'))),
)

/** Returns the kind of the `id` of an answer, by its path: that of its last collection. */
export function kindOfPath(path: string): string {
  const names = [...(path.split('?')[0] ?? '').matchAll(/\/([a-z_]+s)(?=\/|$)/g)].map(([, name = '']) => name)
  return names.at(-1)?.replace(/^transaction_|s$/g, '') ?? 'id'
}

/** Returns the kind of a field by its name. */
export function secretKind(name: string): string | undefined {
  if (Object.hasOwn(kindOfField, name)) return kindOfField[name]
  return name.endsWith('_id') ? name.replace(/_id$/, '') : undefined
}

/** Kinds that are searched as parts of words too; an id such as `data` is no part of `metadata`. */
export const isFoundAnywhere = (kind: string): boolean => ['key', 'credential', 'pan', 'token'].includes(kind)
