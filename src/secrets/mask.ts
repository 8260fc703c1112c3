// What must not stand in logs, messages and file excerpts: card numbers, and keys and secrets of the sandbox.

/** Twelve digits or more, also in groups: card numbers are among them, and several of them side by side. */
const cardNumbers = /\d(?:[ -]?\d){11,}/g

/** Keys and secrets as the sandbox makes them, also in the middle of other text. */
const madeKeys = /(sk_(?:sandbox|production)|secret|token)_[0-9a-z]{24}/g
const madeKey = new RegExp(`^${madeKeys.source}$`)

/** Names whose values are secret whatever they are. */
export const secretNames: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'cvv',
  'ssn4',
]

/**
 * Fields with such names in a text that need not be whole: `"cvv": "1`, `cvv=123`, `x-cvv: 123`. The name is in the
 * second group, what stands around it in the first and third; the value is the fourth and ends the match. What follows
 * a name in it is bounded, as a text of nothing but names would else be looked at once for each pair of them.
 */
export function fieldsNamed(names: readonly string[]): RegExp {
  return new RegExp(
    `(?<!\\w)(["']?)((?:${names.join('|')})(?:-\\w{1,200}){0,8})([\\]"']*)\\s*[:=]\\s*("(?:[^"\\\\]|\\\\.)*"?|'[^']*'?|[\\[{][^\\]}]*[\\]}]?|[^\\r\\n,;&}\\]]*)`,
    'gi',
  )
}

/** What is secret in state documents too. */
const secretFields = fieldsNamed([...secretNames, 'api_key', 'secret'])

/**
 * Hides the values of fields that are secret by their name; the text stays as long as it was.
 * @example maskSecretFields('{"id": "key_1", "secret": "abc"}')   // '{"id": "key_1", "secret": "***"}'
 */
export function maskSecretFields(text: string): string {
  return text.replace(secretFields, (field, _before, _name, _after, value: string) => {
    const name = field.slice(0, field.length - value.length)
    return name + value.replaceAll(/[^"'\s]/g, '*')
  })
}

/**
 * Hides all but the last four digits of every card number; the text stays as long as it was.
 * @example maskCardNumbers('/v2/x/4242424242424242')   // '/v2/x/************4242'
 */
export function maskCardNumbers(text: string): string {
  return text.replace(cardNumbers, (digits) => '*'.repeat(digits.length - 4) + digits.slice(-4))
}

/** Whether a text is, as a whole, a key or secret as the sandbox makes them. */
export function isMadeKey(text: string): boolean {
  return madeKey.test(text)
}

/** Hides keys and secrets that the sandbox made, by how they look. */
export function maskMadeKeys(text: string): string {
  return text.replace(madeKeys, '$1_***')
}

/**
 * Hides in a path what a mask hides in its segments, also where they are percent-encoded: a card number in groups is,
 * as its spaces must be.
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
