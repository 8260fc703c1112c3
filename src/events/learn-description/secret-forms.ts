// The forms of a secret: those that can be a key, and those that must be in no output.
import { keyForms, type KeyForm } from '../description-schema.ts'
import { keyOf } from '../signature.ts'

/** The bytes that sign, by a form of the secret. */
export interface SigningKey {
  readonly form: KeyForm
  readonly bytes: Buffer
}

/** Returns the keys that a secret can be. A text that is no hex or base64 would become another, shorter key. */
export function keysOf(secret: string): SigningKey[] {
  const isPrefixed = secret.startsWith('whsec_')
  const isBase64 = (text: string): boolean => /^(?:[\w+/-]{4})+(?:[\w+/-]{2,3}={0,2})?$/.test(text)
  return keyForms
    .filter((form) => {
      if (form === 'hex') return /^(?:[0-9a-f]{2})+$/i.test(secret)
      if (form === 'whsec') return isPrefixed && isBase64(secret.slice('whsec_'.length))
      return form === 'text' || (!isPrefixed && isBase64(secret))
    })
    .map((form) => ({ form, bytes: keyOf(secret, form) }))
}

/** Returns whether a text contains the secret in any form. */
export function secretSearch(secret: string): (text: string) => boolean {
  const forms = new Set([secret, secret.replace(/^whsec_/, '').replace(/=+$/, '')])
  for (const { bytes } of keysOf(secret)) {
    for (const encoding of ['hex', 'base64', 'base64url', 'utf8'] as const)
      forms.add(bytes.toString(encoding).replace(/=+$/, ''))
  }
  const lower = [...forms].filter((form) => form !== '').map((form) => form.toLowerCase())
  return (text) => {
    const searched = text.toLowerCase()
    return lower.some((form) => searched.includes(form))
  }
}
