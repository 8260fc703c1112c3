// The redactor of journal and logs: hides secrets by value and by name, in JSON, text, headers.
import { ExactNumber } from '../json/exact-number.ts'
import { fieldsNamed, maskMadeKeys, secretNames } from './mask.ts'
import { hideCards } from './hide-cards.ts'
import type { KnownSecrets } from './known-secrets.ts'

/** Hides secrets in what is shown of a call. */
export type Redactor = ReturnType<typeof redactor>

const hidden = '***'

/** A name that is secret or, as `card[cvv]`, `body.cvv[0]` and `x-cvv`, is made of one. */
const secretName = new RegExp(`(?:^|[.[-])(?:${secretNames.join('|')})(?:$|[.[\\]-])`, 'i')
/** Parameters in which people send credentials, where none belongs. */
const credentialName = /token|secret|passw|api_?key|auth|signature/i
const isSecret = (name: string): boolean => secretName.test(name)

/** Deeper values could not be written as JSON again: the stack would overflow. */
export const deepest = 1_000

/** Fields of a text that is no JSON, or only the beginning of some. */
const secretFields = fieldsNamed(secretNames)

/**
 * Hides card numbers and known secrets by value wherever they stand, and what is secret by name.
 *
 * @example redactor(secrets).json({ note: 'sk_sandbox_full', ssn4: '1234' })   // { note: '***', ssn4: '***' }
 */
export function redactor(secrets: KnownSecrets) {
  const byValue = (plain: string): string => hideCards(maskMadeKeys(secrets.mask(plain)))
  const text = (plain: string): string => {
    const decoded = percentDecoded(plain)
    if (decoded === plain) return byValue(plain)
    // What is hidden only once it is decoded is shown decoded; everything else stays as it was sent.
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
    /** A JSON value with every text, key and number in it; a copy. */
    json: (value: unknown) => json(value),
    /** The value of a header of this name. */
    named: (name: string, value: string) => (isSecret(name) ? hidden : text(value)),
    /** The value of a query parameter of this name. */
    parameter: (name: string, value: string) =>
      isSecret(name) || credentialName.test(name) ? hidden : text(value),
    /** The value of a JSON field of this name. */
    field: (name: string, value: unknown) => (isSecret(name) ? hidden : json(value)),
    /** A body: as JSON, or as text that may hold fields. */
    body: (value: unknown) =>
      typeof value === 'string' ? text(value.replace(secretFields, `$1$2$3: ${hidden}`)) : json(value),
  }
}

/** A text with the printable characters that it writes in percent signs. */
function percentDecoded(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
