// Masks secrets in logs, messages and file excerpts: card numbers, and keys and secrets of the sandbox.

/** Matches twelve digits or more, also in groups: card numbers, and several of them in a row. */
const cardNumbers = /\d(?:[ -]?\d){11,}/g

/** Generated keys and secrets, also inside of other text. */
const derivedKeys = /(sk_(?:sandbox|production)|secret|token)_[0-9a-z]{24}/g
const derivedKey = new RegExp(`^${derivedKeys.source}$`)

/** The names of fields that are always secret. */
export const secretNames: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'cvv',
  'ssn',
  'ssn4',
  'client_secret',
]

/**
 * Matches fields with such names in a text that may be incomplete: `"cvv": "1`, `cvv=123`, `x-cvv: 123`. Group 2 is the
 * name; groups 1 and 3 are the characters around it; group 4 is the value, which ends the match. The length of a name's
 * suffix is limited, as a text that repeats a name would take quadratic time.
 */
export function fieldsNamed(names: readonly string[]): RegExp {
  return new RegExp(
    `(?<!\\w)(["']?)((?:${names.join('|')})(?:-\\w{1,200}){0,8})([\\]"']*)\\s*[:=]\\s*("(?:[^"\\\\]|\\\\.)*"?|'[^']*'?|[\\[{][^\\]}]*[\\]}]?|[^\\r\\n,;&}\\]]*)`,
    'gi',
  )
}

/** The fields that are also secret in state documents. */
const secretFields = fieldsNamed([...secretNames, 'api_key', 'secret'])

/**
 * Masks the values of fields that are secret by their name. The length of the text does not change.
 * @example maskSecretFields('{"id": "key_1", "secret": "abc"}')   // '{"id": "key_1", "secret": "***"}'
 */
export function maskSecretFields(text: string): string {
  return text.replace(secretFields, (field, _before, _name, _after, value: string) => {
    const name = field.slice(0, field.length - value.length)
    return name + value.replaceAll(/[^"'\s]/g, '*')
  })
}

/**
 * Masks all but the last four digits of every card number. The length of the text does not change.
 * @example maskCardNumbers('/v2/x/4242424242424242')   // '/v2/x/************4242'
 */
export function maskCardNumbers(text: string): string {
  return text.replace(cardNumbers, (digits) => '*'.repeat(digits.length - 4) + digits.slice(-4))
}

/** Whether the whole text is a generated key or secret. */
export function isGeneratedKey(text: string): boolean {
  return derivedKey.test(text)
}

/** Masks generated keys and secrets by their format. */
export function maskMadeKeys(text: string): string {
  return text.replace(derivedKeys, '$1_***')
}

/**
 * Applies a mask to a path and to its decoded segments: the spaces of a card number in groups are percent-encoded.
 * @example maskInPath('/v2/x/4242%204242%204242%204242', maskCardNumbers)   // '/v2/x/***************4242'
 */
export function maskInPath(path: string, mask: (text: string) => string): string {
  return mask(path)
    .split('/')
    .map((segment) => {
      if (!segment.includes('%')) return segment
      const decoded = segment.replace(/(?:%[0-9a-f]{2})+/gi, decodedOrSame)
      const masked = mask(decoded)
      return masked === decoded ? segment : encodeURIComponent(masked)
    })
    .join('/')
}

function decodedOrSame(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
