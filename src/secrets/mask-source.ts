// Masks secrets in the text of a JSON or YAML file, even if it cannot be parsed: by names, by the format of API keys,
// and by known values.

/** The names of secret values in files: fields of rows, headers, options, and the keys of a target. */
const secretName =
  '(?:proxy-)?authorization|cookie|cvv|ssn4|keys|full|multi|[A-Z]+(?:_[A-Z]+)*_(?:READ|WRITE)|(?:\\w{1,40}[_-])?(?:secrets?|token|password|passphrase|credentials?|api[_-]?key|private[_-]?key|access[_-]?key)'
const secretNames = new RegExp(
  `(?<![\\w-])(?:"(?:${secretName})"|'(?:${secretName})'|(?:${secretName}))[ \\t]*[:=]`,
  'gi',
)

/** API keys by their format, and the credentials in headers, after their scheme. */
const apiKeys = /(?<![A-Za-z0-9])sk_[\w-]{2,}/g
const credentials = /(?<=\b(?:Bearer|Basic)[ \t]+)[\w.~+/=-]{8,}/gi

/** A variable of a target file. Its reader replaces the braces, so that YAML does not see them. */
const variables = /\$\{[A-Za-z_]\w*\}|\ue000\ue001\w+\ue002/

/**
 * Masks API keys in a message by their format.
 * @example maskApiKeys("got 'sk_live_1234'")   // "got 'sk_***'"
 */
export const maskApiKeys = (text: string): string => text.replace(apiKeys, 'sk_***')

/**
 * Masks the secrets in a text. Names and punctuation do not change, and neither does the length of the text.
 *
 * @param values known secrets, such as those that an alias repeats.
 * @example maskSource('keys: { full: abc }')   // 'keys: { full: *** }'
 */
export function maskSource(text: string, values: Iterable<string> = []): string {
  let masked = ''
  let at = 0
  for (const { index, 0: name } of text.matchAll(secretNames)) {
    if (index < at) continue
    const start = index + name.length
    const end = endOfValue(text, index, start)
    masked += text.slice(at, start) + maskValue(text.slice(start, end))
    at = end
  }
  masked += text.slice(at)
  for (const value of values) masked = masked.replaceAll(value, hidden)
  return masked.replace(apiKeys, hidden).replace(credentials, hidden)
}

const isSecretName = new RegExp(`^(?:${secretName})$`, 'i')

/** The minimum length of a secret value, as a shorter one may be part of other words. */
const shortest = 6

/**
 * Finds the words of the values in a document that are secret by their names, or by the name of a field around them.
 */
export function* secretValuesIn(value: unknown, isSecret = false): Generator<string> {
  if (typeof value === 'string') {
    if (isSecret) yield* value.split(/\s+/).filter(({ length }) => length >= shortest)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      yield* secretValuesIn(inner, isSecret || isSecretName.test(name))
  }
}

/** Masks all characters except for spaces, quotes and variables. */
function hidden(secret: string): string {
  return secret.replace(new RegExp(`${variables.source}|[^"'\\s]`, 'g'), (found) =>
    variables.test(found) ? found : '*',
  )
}

/**
 * Returns the end of the value after a name: the end of its brackets, of its quotes or item, or of its indented lines.
 */
function endOfValue(text: string, nameAt: number, start: number): number {
  const lineStart = text.lastIndexOf('\n', nameAt - 1) + 1
  const before = text.slice(lineStart, nameAt)
  const first = start + (/^\s*/.exec(text.slice(start, start + 200))?.[0].length ?? 0)
  if (/[{[]/.test(text[first] ?? '')) return endOfBrackets(text, first)
  if (/[{[,"]\s*$/.test(before) || /^\s*"/.test(text.slice(nameAt, nameAt + 1))) return endOfItem(text, first)
  return endOfBlock(text, start, before)
}

/** Returns the end of a list or an object; the end of the text if a bracket is missing. */
function endOfBrackets(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '"' || sign === "'") at = endOfQuoted(text, at) - 1
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    if (depth === 0) return endBehind(text, at + 1)
  }
  return text.length
}

/** A bracket in the middle of a word does not end a value: the value then ends with its line. */
const endBehind = (text: string, end: number): number =>
  /[}\]]+[^\s,}\]]/y.test(text.slice(end - 1, end + 64)) ? endOfLine(text, end) : end

/** Returns the end of a quoted text; the end of the line if the quote is not closed in it. */
function endOfQuoted(text: string, start: number): number {
  const quote = text.charAt(start)
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '\n') return at
    if (sign === '\\' && quote === '"') at += 1
    else if (sign === quote) return at + 1
  }
  return text.length
}

/** Returns the end of a value between brackets: of its quotes, or before a comma, a bracket or the end of the line. */
function endOfItem(text: string, start: number): number {
  if (/["']/.test(text[start] ?? '')) return endOfQuoted(text, start)
  let end = start
  while (end < text.length && !/[\n,}\]]/.test(text.charAt(end))) end += 1
  const behind = endBehind(text, end + 1)
  return behind === end + 1 ? end : behind
}

/**
 * Returns the end of a YAML value: the rest of its line, and the following lines with a larger indent than its name.
 */
function endOfBlock(text: string, start: number, before: string): number {
  const indent = before.length
  let end = endOfLine(text, start)
  while (end < text.length) {
    const next = endOfLine(text, end + 1)
    const line = text.slice(end + 1, next)
    const inner = /^[ \t]*/.exec(line)?.[0] ?? ''
    const isItem = line.slice(inner.length).startsWith('- ') && !before.includes('-')
    const isInside =
      line.trim() === '' ||
      inner.includes('\t') ||
      inner.length > indent ||
      (inner.length === indent && isItem)
    if (!isInside) break
    end = next
  }
  return end
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** Matches a name before a value, at the start of a line or after a bracket, comma or dash. */
const innerName = /((?:^|[\n{[,]|[\n][ \t]*-)[ \t]*(?:"[\w.-]+"|'[\w.-]+'|[\w.-]+)[ \t]*:(?=[\s"'{[]|$))/

/** Masks a value. If it is an object or list, its names do not change. */
const maskValue = (value: string): string =>
  /^\s*(?:\n|[{[])/.test(value) ? maskValues(value) : hidden(value)

/**
 * Masks every value in the text of an object or list. Names do not change.
 * @example maskValues('{ full: abc, multi: def }')   // '{ full: ***, multi: *** }'
 */
export function maskValues(text: string): string {
  return text
    .split(innerName)
    .map((part, place) => (place % 2 === 1 ? part : part.replace(/[^{}[\],]+/g, hidden)))
    .join('')
}
