// A scanner of JSON text in addition to `JSON.parse`. It reports errors in our own words with their offset, and
// duplicate keys. No function that scans text is recursive, so any depth of nesting works, and all take linear time.
import { ExactNumber } from './exact-number.ts'

/** The path of a value in a document: names of fields and positions in lists, from the outermost inward. */
export type Path = readonly (string | number)[]

/** An error in a text, with its offset. */
export interface Fault {
  offset: number
  path: Path
  message: string
}

/** An object or list that the scanner has not left yet. */
interface Open {
  /** The keys so far; undefined in a list. */
  keys: Set<string> | undefined
  /** The key or position of the current member; undefined before the first key. */
  at: string | number | undefined
}

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'more'

/** The maximum number of characters of a number. */
const maxNumberLength = 1000

/** Matches a number with more characters, and some strings that contain one. */
const longNumber = new RegExp(`(?:^|[\\s:,[])[-\\d][\\d.eE+-]{${maxNumberLength}}`)

/**
 * Finds all faults that make a text unusable as a JSON document: the first syntax error, and before it every duplicate
 * key of an object, and nesting beyond a limit.
 *
 * @param maxFaults ends the scan after so many.
 * @example
 * findFaults('{"a": 1,}', 100)   // [{ offset: 8, path: [], message: 'expected a key in double quotes' }]
 */
export function findFaults(text: string, maxDepth: number, maxFaults = Number.POSITIVE_INFINITY): Fault[] {
  const faults: Fault[] = []
  const open: Open[] = []
  let at = 0
  let expected: Expected = 'value'

  const path = (): Path => open.map((frame) => frame.at).filter((part) => part !== undefined)
  const fault = (message: string, offset = at): Fault[] => {
    faults.push({ offset, path: path(), message })
    return faults
  }
  /** If a comma, a bracket or a key is missing, the fault has the path of the object or list. */
  const faultAround = (wanted: string): Fault[] => {
    const around = path().slice(0, open.at(-1)?.at === undefined ? undefined : -1)
    faults.push({ offset: at, path: around, message: `expected ${wanted}${endsHere()}` })
    return faults
  }
  const endsHere = (): string => (at >= text.length ? ', but the file ends here' : '')

  for (;;) {
    at = skipSpace(text, at)
    const character = text[at]
    const frame = open.at(-1)
    const close = frame?.keys ? '}' : ']'
    const isKey: boolean = expected === 'key' || expected === 'first key'
    if (frame && character === close && expected !== 'value' && expected !== 'key') {
      open.pop()
      at++
      expected = 'more'
    } else if (expected === 'more') {
      if (!frame) {
        return character === undefined ? faults : fault('expected the end of the file after the document')
      }
      if (character !== ',') return faultAround(`a comma or ${close}`)
      at++
      expected = frame.keys ? 'key' : 'value'
      if (typeof frame.at === 'number') frame.at++
    } else if (character === '"') {
      const end = endOfString(text, at)
      const wrong = faultInString(text, at, end)
      if (wrong) return fault(wrong.message, wrong.offset)
      expected = isKey ? 'value' : 'more'
      if (isKey && frame) {
        const key = String(JSON.parse(text.slice(at, end)))
        frame.at = key
        if (frame.keys?.has(key)) fault('duplicate key in an object')
        if (faults.length >= maxFaults) return faults
        frame.keys?.add(key)
        at = skipSpace(text, end)
        if (text[at] !== ':') return fault(`expected a colon after the key${endsHere()}`)
        at++
      } else {
        at = end
      }
    } else if (isKey) {
      return faultAround(expected === 'key' ? 'a key in double quotes' : 'a key in double quotes or }')
    } else if (character === '{' || character === '[') {
      if (open.length >= maxDepth) return fault(`is nested deeper than ${maxDepth} levels`)
      open.push(character === '{' ? { keys: new Set(), at: undefined } : { keys: undefined, at: 0 })
      expected = character === '{' ? 'first key' : 'first value'
      at++
    } else {
      const word = text.slice(at, endOfWord(text, at))
      if (word.length > maxNumberLength) {
        return fault(`has a number or word of more than ${maxNumberLength} characters`)
      }
      if (!/^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/.test(word)) {
        return fault(unexpectedWord(word, expected === 'first value') + endsHere())
      }
      at += word.length
      expected = 'more'
    }
  }
}

function unexpectedWord(word: string, mayClose: boolean): string {
  if (/^[+-]?[.\d]/.test(word)) return 'expected a JSON number'
  if (word.startsWith("'")) return 'expected a string in double quotes'
  if (word.startsWith('//') || word.startsWith('/*')) return 'expected a value: JSON has no comments'
  return mayClose ? 'expected a value or ]' : 'expected a value'
}

/** Returns the fault in a string, if there is one. @param end the end of the string; 0 if the string has no end. */
function faultInString(text: string, start: number, end: number): Omit<Fault, 'path'> | undefined {
  const stop = end === 0 ? text.length : end - 1
  for (let at = start + 1; at < stop; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x0a || code === 0x0d) {
      return { offset: at, message: 'expected a double quote before the line ends' }
    }
    if (code < 0x20) return { offset: at, message: 'a control character in a string must be escaped' }
    if (code === 0x5c) {
      const escape = /^(["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6))
      if (!escape) return { offset: at, message: 'expected a JSON escape after the backslash' }
      at += escape[0].length
    }
  }
  if (end > 0) return undefined
  return { offset: text.length, message: 'expected a double quote, but the file ends here' }
}

/** Returns the first offset from here that is not white space. */
export function skipSpace(text: string, start: number): number {
  let at = start
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at++
  }
}

/** Returns the offset after the string that starts here; 0 if the string has no end. */
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
 * Returns the offset after a value. It counts brackets and is not recursive, so that deep nesting does not overflow the
 * stack.
 */
export function endOfValue(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return endOfString(text, start)
  if (first !== '{' && first !== '[') return endOfWord(text, start)
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at) - 1
    else if (code === openObject || code === openList) depth++
    else if ((code === closeObject || code === closeList) && --depth === 0) return at + 1
  }
  return text.length
}

const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d]
const quote = 0x22

/** Returns the offset after a run of characters that may be a number, `true`, `false` or `null`. */
export function endOfWord(text: string, start: number): number {
  let end = start
  while (end < text.length && !' \t\r\n,:{}[]"'.includes(text.charAt(end))) end++
  return end
}

/**
 * Whether `JSON.parse` may have hidden a fault of a valid text: a duplicate key, a long number, or nesting beyond a
 * limit. It compares numbers of keys, which is much cheaper than scanning. `findFaults` then finds the fault.
 */
export function hidesFaults(text: string, value: unknown, maxDepth: number): boolean {
  return countKeys(value, maxDepth) !== countKeysInText(text) || longNumber.test(text)
}

/** Counts the keys of a value, including those of nested values. Returns NaN if the value is nested too deeply. */
function countKeys(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 0
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
