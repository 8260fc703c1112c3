// Authentication: the Authorization header (HTTP Basic or Bearer) and the header that selects a product.

/** The request header that selects one of several products (contract: Authentication 9). */
export const merchantKeyHeader = 'x-service-merchant-key'

/**
 * The credential of an Authorization header (contract: Authentication 2, 3): HTTP Basic with an API key as user name,
 * HTTP Basic with a key id and its secret, or Bearer with an API key. Any other header is refused.
 */
export type Credential =
  { scheme: 'bearer'; token: string } | { scheme: 'basic'; user: string; password: string }

/** The forms in which a caller sends a key (contract: Authentication 2, 3). */
export const credentialForms = {
  bearer: { section: 'Authentication 3', how: 'the API key as a Bearer token' },
  basic_key: { section: 'Authentication 2', how: 'HTTP Basic with the API key as its user name' },
  basic_key_pair: { section: 'Authentication 2', how: 'HTTP Basic with the key id and its secret' },
} as const

export type CredentialForm = keyof typeof credentialForms

/** The reason why a header holds no credential, worded for the developer who sent it. */
export interface NoCredential {
  refusal: string
  /** Nothing was sent at all. */
  missing?: true
}

/** The `WWW-Authenticate` challenge of an answer that refuses a credential (RFC 9110). */
export const challenge = 'Basic realm="partner-rewards-sandbox", Bearer'

/** One text for every unusable key, so that the answer discloses nothing about other keys. */
export const unusableKey = 'The API key is not usable here.'

const howTo = 'Send Authorization: Bearer API_KEY, or Basic with base64 of "API_KEY:" or "KEY_ID:KEY_SECRET".'

/**
 * Reads an Authorization header. HTTP compares schemes case-insensitively.
 *
 * @example
 * readCredential('Bearer sk_sandbox_full')   // { scheme: 'bearer', token: 'sk_sandbox_full' }
 */
export function readCredential(header: string | undefined): Credential | NoCredential {
  if (header === undefined || header === '') {
    return { refusal: `No API key was sent. ${howTo}`, missing: true }
  }
  const [, scheme = '', value = ''] = /^([A-Za-z]+) +(\S+)$/.exec(header) ?? []
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return { scheme: 'bearer', token: value }
    case 'basic':
      return readBasic(value)
    default:
      return { refusal: `This is not a credential. ${howTo}` }
  }
}

function readBasic(value: string): Credential | NoCredential {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value))
    return { refusal: `The Basic credential is not base64. ${howTo}` }
  const text = Buffer.from(value, 'base64').toString()
  // RFC 7617 allows no control characters; no key has any, and the store separates its index keys with one.
  // eslint-disable-next-line no-control-regex -- the rule refuses control characters
  if (/[\u0000-\u001f\u007f]/.test(text)) {
    return { refusal: `The Basic credential contains a control character. ${howTo}` }
  }
  const colon = text.indexOf(':')
  if (colon === -1) {
    return { refusal: 'The Basic credential has no colon: add ":" after the API key before encoding it.' }
  }
  return { scheme: 'basic', user: text.slice(0, colon), password: text.slice(colon + 1) }
}
