// Secrets of webhook endpoints, and the signatures that they make.
import { createHash, createHmac, type Hash } from 'node:crypto'
import type { KeyForm } from './description-schema.ts'
import type { WebhookDescription } from './description-type.ts'

/** How a description signs; without a signature it has only an algorithm. */
export type Signing = WebhookDescription['signing']

const prefix = 'whsec_'

/**
 * Returns the secret of an endpoint in the form of a description.
 *
 * @param bytes 32 derived bytes.
 * @example secretOf(bytes, 'whsec')   // 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…'
 */
export function secretOf(bytes: Buffer, form: KeyForm): string {
  if (form === 'hex') return bytes.toString('hex')
  const base64 = bytes.toString('base64')
  return form === 'base64' ? base64 : prefix + base64
}

/** Whether any text is a secret of this form. */
const isAnyText = (form: KeyForm): boolean => form === 'text' || form === 'sha256' || form === 'sha256_hex'

const base64Text = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?$/

/** Returns why a text is no secret of a form; undefined if it is one. */
export function problemOfSecret(secret: string, form: KeyForm): string | undefined {
  if (isAnyText(form)) return undefined
  if (form === 'hex')
    return /^(?:[0-9a-f]{2})+$/i.test(secret) ? undefined : 'must be hex digits, as signing.key is hex'
  const encoded = form === 'whsec' && secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  if (base64Text.test(encoded)) return undefined
  return `must be ${form === 'whsec' ? 'whsec_ and base64' : 'base64'}, as signing.key is ${form}`
}

/** Returns the bytes of a secret that sign; with the form `text` the whole text, its prefix included. */
export function keyOf(secret: string, form: KeyForm): Buffer {
  if (form === 'text') return Buffer.from(secret)
  if (form === 'hex') return Buffer.from(secret, 'hex')
  if (form === 'sha256') return hashOf(secret).digest()
  if (form === 'sha256_hex') return Buffer.from(hashOf(secret).digest('hex'))
  const isPrefixed = form === 'whsec' && secret.startsWith(prefix)
  return Buffer.from(isPrefixed ? secret.slice(prefix.length) : secret, 'base64')
}

const hashOf = (secret: string): Hash => createHash('sha256').update(secret)

/** Returns the signature of a text by a secret. */
export function signatureOf(
  text: string,
  secret: string,
  { algorithm, key }: Exclude<Signing, { algorithm: 'none' }>,
  encoding: 'hex' | 'base64',
): string {
  return createHmac(algorithm.replace('hmac-', ''), keyOf(secret, key)).update(text).digest(encoding)
}
