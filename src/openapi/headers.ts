// The response headers of the OpenAPI document.
import type { ErrorHeader } from '../contract/errors.ts'
import { supportedVersions, versionHeader, type Environment } from '../contract/versions.ts'
import type { FailureHeader } from '../http/failure.ts'
import type { Components, Reference, Schema } from './document-types.ts'

/** The response headers that answers declare. */
export type HeaderName =
  typeof versionHeader | 'x-sandbox-request-id' | 'x-sandbox-assumptions' | FailureHeader | ErrorHeader

const headers: Record<HeaderName, { description: string; schema(environment: Environment): Schema }> = {
  [versionHeader]: {
    description: 'The API version that was chosen for the request. Absent when none was chosen.',
    schema: (environment) => ({ type: 'string', enum: supportedVersions(environment) }),
  },
  'x-sandbox-request-id': {
    description:
      'The id of the request: its workspace and a number. Added by the sandbox, not by the service.',
    schema: () => ({ type: 'string', pattern: '^req_[A-Za-z0-9_-]+_\\d+$' }),
  },
  'x-sandbox-assumptions': {
    description:
      'The assumptions that the answer rests on, separated by commas. Added by the sandbox, not by the service.',
    // Not an array, here and below: mock servers that read this document fail if a header of array type is absent.
    schema: () => ({ type: 'string', pattern: '^[a-z_]+(, [a-z_]+)*$' }),
  },
  'www-authenticate': {
    description: 'The ways to authenticate.',
    schema: () => ({ type: 'string' }),
  },
  allow: {
    description: 'The methods that the path has, separated by commas.',
    schema: () => ({ type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' }),
  },
  'accept-encoding': {
    description: 'The encoding a body must have: `identity`, none at all.',
    schema: () => ({ type: 'string', enum: ['identity'] }),
  },
  'retry-after': {
    description: 'Seconds to wait before the next attempt.',
    schema: () => ({ type: 'string', pattern: '^\\d+$' }),
  },
}

/** References to a response header: one for answers that always have it, and one for answers that may have it. */
export function headerReference(
  { headers: known }: Components,
  name: HeaderName,
  required: boolean,
  environment: Environment,
): Reference {
  const words = name.replace(/^x-/, '').split('-')
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const id = required ? pascal : `Optional${pascal}`
  const { description, schema } = headers[name]
  known[id] ??= { description, required, schema: schema(environment) }
  return { $ref: `#/components/headers/${id}` }
}
