// What is somebody's or secret in an exchange, by where it stands: fields, headers, and ids in paths.
import { merchantKeyHeader } from '../contract/credentials.ts'
import { endpoints } from '../endpoints/index.ts'

/** Fields that are somebody's or secret, by the kind that their token has. */
const kindOfField: Readonly<Record<string, string>> = {
  api_key: 'key',
  // Of a key that was created.
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

/** Headers that hold credentials, or name whom they are for. */
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

/** Words of paths that are no parameters, though they stand in the place of one. */
export const fixedSegments: ReadonlySet<string> = new Set(
  endpoints.flatMap(({ path }) => path.split('/').filter((segment) => !segment.startsWith('{'))),
)

/** What the `id` of an answer identifies, by its path: that of the last collection in it. */
export function kindOfPath(path: string): string {
  const names = [...(path.split('?')[0] ?? '').matchAll(/\/([a-z_]+s)(?=\/|$)/g)].map(([, name = '']) => name)
  return names.at(-1)?.replace(/^transaction_|s$/g, '') ?? 'id'
}

/** The kind of a field by its name: what it is for, or what its id is of. */
export function secretKind(name: string): string | undefined {
  if (Object.hasOwn(kindOfField, name)) return kindOfField[name]
  return name.endsWith('_id') ? name.replace(/_id$/, '') : undefined
}

/** Kinds that are sought as parts of words too; an id such as `data` is no part of `metadata`. */
export const standsAnywhere = (kind: string): boolean => ['key', 'credential', 'pan', 'token'].includes(kind)
