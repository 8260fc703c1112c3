// The redactor of journal and logs: masks secrets by value and by name, in JSON, text and headers.
import { ExactNumber } from '../json/exact-number.ts'
import { fieldsNamed, maskMadeKeys, secretNames } from './mask.ts'
import { hideCards } from './hide-cards.ts'
import type { KnownSecrets } from './known-secrets.ts'

/** Masks secrets in the data of a call before it is shown. */
export type Redactor = ReturnType<typeof redactor>

const hidden = '***'

/** Matches a secret name, and a name with a secret part, such as `card[cvv]`, `body.cvv[0]` and `x-cvv`. */
const secretName = new RegExp(`(?:^|[.[-])(?:${secretNames.join('|')})(?:$|[.[\\]-])`, 'i')
/** Matches query parameters in which clients send credentials by mistake. */
const credentialName = /token|secret|passw|api_?key|auth|signature/i
const isSecret = (name: string): boolean => secretName.test(name)

/** The maximum depth of values. The stack would overflow when a deeper value is written as JSON. */
export const deepest = 1_000

/** Matches secret fields in a text that is not JSON, or that is the beginning of JSON. */
const secretFields = fieldsNamed(secretNames)

/**
 * Masks card numbers and known secrets by value anywhere, and the values of fields with secret names.
 *
 * @example redactor(secrets).json({ note: 'sk_sandbox_full', ssn4: '1234' })   // { note: '***', ssn4: '***' }
 */
export function redactor(secrets: KnownSecrets) {
  const byValue = (plain: string): string => hideCards(maskMadeKeys(secrets.mask(plain)))
  const text = (plain: string): string => {
    const decoded = percentDecoded(plain)
    if (decoded === plain) return byValue(plain)
    // If only the decoded text has a secret, return the decoded text. Any other text keeps the encoding of the request.
    const shown = byValue(decoded)
    return shown === decoded ? byValue(plain) : shown
  }
  const json = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') {
      const shown = text(String(value))
      return shown === String(value) ? value : shown
    }
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof ExactNumber) {
      const shown = text(value.text)
      return shown === value.text ? value : shown
    }
    if (depth > deepest) return '…'
    if (Array.isArray(value)) return value.map((item) => json(item, depth + 1))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        text(name),
        isSecret(name) ? hidden : json(inner, depth + 1),
      ]),
    )
  }
  return {
    text,
    /** Masks every text, key and number of a JSON value. Returns a copy. */
    json: (value: unknown) => json(value),
    /** Masks the value of a header of this name. */
    named: (name: string, value: string) => (isSecret(name) ? hidden : text(value)),
    /** Masks the value of a query parameter of this name. */
    parameter: (name: string, value: string) =>
      isSecret(name) || credentialName.test(name) ? hidden : text(value),
    /** Masks the value of a JSON field of this name. */
    field: (name: string, value: unknown) => (isSecret(name) ? hidden : json(value)),
    /** Masks a body: JSON, or text that may have fields. */
    body: (value: unknown) =>
      typeof value === 'string' ? text(value.replace(secretFields, `$1$2$3: ${hidden}`)) : json(value),
  }
}

/** Decodes the printable percent-encoded ASCII characters of a text. */
function percentDecoded(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
