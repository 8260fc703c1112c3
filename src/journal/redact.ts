import { isJsonObject } from '../contract/formats.ts'
import { maskMadeKeys } from '../contract/mask.ts'
import { passesLuhn } from '../seed/cards.ts'
import type { KnownSecrets } from './known-secrets.ts'

/** Hides secrets in what is shown of an exchange. */
export interface Redactor {
  text(text: string): string
  /** A JSON value with every text, key and number in it; a copy. */
  json(value: unknown): unknown
  /** The value of a header, field or parameter of this name. */
  named(name: string, value: string): string
}

const hidden = '***'

/** Names whose values are secret whatever they are. */
const secretNames = new Set(['authorization', 'proxy-authorization', 'cookie', 'cvv', 'ssn4'])

/** Twelve to nineteen digits, also in groups; those that pass the check of card numbers are hidden. */
const digitRuns = /\d(?:[ -]?\d){11,18}/g

/**
 * Hides card numbers and known secrets by value wherever they stand, and what is secret by name.
 *
 * @example redactor(secrets).json({ note: 'sk_sandbox_full', ssn4: '1234' })   // { note: '***', ssn4: '***' }
 */
export function redactor(secrets: KnownSecrets): Redactor {
  const text = (plain: string): string => secrets.mask(maskMadeKeys(plain.replace(digitRuns, maskCard)))
  const json = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') {
      const shown = text(String(value))
      return shown === String(value) ? value : shown
    }
    if (Array.isArray(value)) return value.map(json)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        text(name),
        secretNames.has(name.toLowerCase()) ? hidden : json(inner),
      ]),
    )
  }
  const named = (name: string, value: string): string =>
    secretNames.has(name.toLowerCase()) ? hidden : text(value)
  return { text, json, named }
}

function maskCard(digits: string): string {
  const bare = digits.replace(/[ -]/g, '')
  return passesLuhn(bare) ? '*'.repeat(digits.length - 4) + digits.slice(-4) : digits
}
