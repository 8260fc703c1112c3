/**
 * Reading JSON text beside `JSON.parse`: what is wrong with it, in our own words, and where a value stands. Nothing
 * here is recursive, so no nesting is too deep for it.
 */

/** A place in a document: names of fields and positions in lists, from the outermost inward. */
export type Path = readonly (string | number)[]

/** Something wrong with a text, at an offset of it. */
export interface Fault {
  offset: number
  path: Path
  message: string
}

interface Open {
  /** The keys seen so far; undefined in a list. */
  keys: Set<string> | undefined
  /** The key or position of what is being read; undefined before the first key. */
  at: string | number | undefined
}

/**
 * Everything that makes a text unusable as a JSON document: the first error of syntax, and up to there every key
 * that stands twice in one object, every number too large for JSON readers, and nesting beyond a limit.
 *
 * @example
 * findFaults('{"a": 1,}', 100)   // [{ offset: 8, path: [], message: 'expected a key in double quotes' }]
 */
export function findFaults(text: string, maxDepth: number): Fault[] {
  const faults: Fault[] = []
  const open: Open[] = []
  let at = skipSpace(text, 0)
  let expected: 'value' | 'first value' | 'key' | 'first key' | 'more' = 'value'

  const path = (): Path => open.map((frame) => frame.at).filter((part) => part !== undefined)
  const fault = (message: string, offset = at): Fault[] => {
    faults.push({ offset, path: path(), message })
    return faults
  }
  /** Where a comma, a bracket or a key is missing, the object or list itself is what is wrong. */
  const faultAround = (message: string): Fault[] => {
    faults.push({
      offset: at,
      path: path().slice(0, open.at(-1)?.at === undefined ? undefined : -1),
      message,
    })
    return faults
  }

  for (;;) {
    const character = text[at]
    const frame = open.at(-1)
    if (expected === 'more') {
      if (frame === undefined) {
        return character === undefined ? faults : fault('expected the end of the file after the document')
      }
      const close = frame.keys ? '}' : ']'
      if (character === close) {
        open.pop()
        at++
      } else if (character === ',') {
        at++
        expected = frame.keys ? 'key' : 'value'
        if (typeof frame.at === 'number') frame.at++
      } else {
        return faultAround(`expected a comma or ${close}${endOf(text, at)}`)
      }
    } else if (expected === 'key' || expected === 'first key') {
      if (expected === 'first key' && character === '}') {
        open.pop()
        at++
        expected = 'more'
      } else {
        const wanted = expected === 'key' ? 'a key in double quotes' : 'a key in double quotes or }'
        if (character !== '"') return faultAround(`expected ${wanted}${endOf(text, at)}`)
        const end = stringFault(text, at)
        if (typeof end !== 'number') return fault(end.message, end.offset)
        const key = String(JSON.parse(text.slice(at, end)))
        if (frame) frame.at = key
        if (frame?.keys?.has(key)) fault('this key stands twice in one object')
        frame?.keys?.add(key)
        at = skipSpace(text, end)
        if (text[at] !== ':') return fault(`expected a colon after the key${endOf(text, at)}`)
        at++
        expected = 'value'
      }
    } else if (character === ']' && expected === 'first value') {
      open.pop()
      at++
      expected = 'more'
    } else if (character === '{' || character === '[') {
      if (open.length >= maxDepth) return fault(`is nested deeper than ${maxDepth} levels`)
      open.push(character === '{' ? { keys: new Set(), at: undefined } : { keys: undefined, at: 0 })
      expected = character === '{' ? 'first key' : 'first value'
      at++
    } else if (character === '"') {
      const end = stringFault(text, at)
      if (typeof end !== 'number') return fault(end.message, end.offset)
      at = end
      expected = 'more'
    } else {
      const token = wordAt(text, at)
      if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(token)) {
        if (!Number.isFinite(Number(token))) fault('must be a number that JSON readers can hold')
      } else if (!/^(true|false|null)$/.test(token)) {
        return fault(unexpectedWord(token, expected === 'first value') + endOf(text, at))
      }
      at += token.length
      expected = 'more'
    }
    at = skipSpace(text, at)
  }
}

function unexpectedWord(token: string, mayClose: boolean): string {
  if (/^[+-]?[.\d]/.test(token)) return 'expected a number as JSON writes it'
  if (token.startsWith("'")) return 'expected a string in double quotes'
  if (token.startsWith('//') || token.startsWith('/*')) return 'expected a value: JSON has no comments'
  return mayClose ? 'expected a value or ]' : 'expected a value'
}

function endOf(text: string, at: number): string {
  return at >= text.length ? ', but the file ends here' : ''
}

/** The end of a string, or what is wrong with it. */
function stringFault(text: string, start: number): number | { offset: number; message: string } {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) {
      const message =
        code === 0x0a || code === 0x0d
          ? 'expected a double quote before the line ends'
          : 'a control character in a string must be escaped'
      return { offset: at, message }
    }
    if (code === 0x5c) {
      const escape = /^(["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6))
      if (!escape) return { offset: at, message: 'expected an escape that JSON knows after the backslash' }
      at += escape[0].length
    }
  }
  return { offset: text.length, message: 'expected a double quote, but the file ends here' }
}

/** The run of characters that a number, `true`, `false` or `null` could be. */
function wordAt(text: string, start: number): string {
  let end = start
  while (end < text.length && !' \t\r\n,:{}[]"'.includes(text.charAt(end))) end++
  return text.slice(start, Math.max(end, start + 1))
}

/** The first offset from here that is not white space. */
export function skipSpace(text: string, start: number): number {
  let at = start
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at++
  }
}

/** The offset after the string that starts here, in text that is known to be valid. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++
  return backslashes % 2 === 1
}

/**
 * Whether a valid text may hide something from `JSON.parse`: a key that stands twice, a number that became infinite,
 * or nesting beyond a limit. Compares numbers of keys, which costs a fraction of following the text; `findFaults`
 * then says what it is.
 */
export function hidesFaults(text: string, value: unknown, maxDepth: number): boolean {
  return countKeys(value, maxDepth) !== countKeysInText(text)
}

/** How many keys a value has in all; NaN when it cannot be counted on. */
function countKeys(value: unknown, levels: number): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) return Number.NaN
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item, levels - 1)
    return count
  }
  const fields: Readonly<Record<string, unknown>> = Object(value)
  for (const name in fields) {
    count++
    const field = fields[name]
    if (typeof field !== 'string') count += countKeys(field, levels - 1)
  }
  return count
}

function countKeysInText(text: string): number {
  let count = 0
  for (let at = text.indexOf('"'); at !== -1;) {
    const next = skipSpace(text, endOfString(text, at))
    if (text.charCodeAt(next) === 0x3a) count++
    at = text.indexOf('"', next)
  }
  return count
}
