// Parses JSON text like `JSON.parse`, but with exact numbers where a JavaScript number would change the value.
import { ExactNumber, numberForValidation, wouldChange } from './exact-number.ts'
import { endOfString, endOfWord, skipSpace } from './json-text.ts'

/** The keys whose values are free-form at any depth, so that no schema of ours validates them. */
const freeForm: ReadonlySet<string> = new Set(['metadata', 'body', 'value'])

/** Whether the value of a key is free-form. */
export const isFreeForm = (key: string | undefined): boolean => key !== undefined && freeForm.has(key)

/**
 * Matches a number that a JavaScript number may change: one with 16 digits or more, an exponent of three digits, or
 * negative zero. It may match other numbers, too. It does not match a number that is the whole text. The test takes a
 * fifth of the time of `JSON.parse` (0.5 µs for the body of an intent). If it does not match, `JSON.parse` alone is
 * used.
 */
const mayChange = /[\s:,[]-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d{3}|(?<=-0)(?!\.0*[1-9]))/

/**
 * Parses a text. In free-form parts, a number that a JavaScript number would change becomes an `ExactNumber`. Elsewhere
 * it becomes a JavaScript number that breaks the same rules as the text.
 *
 * @param everywhere creates an `ExactNumber` in all parts, for values that are shown and that no schema validates.
 * @throws {SyntaxError} as `JSON.parse` does.
 */
export function parseExact(text: string, everywhere = false): unknown {
  const value: unknown = JSON.parse(text)
  return mayChange.test(text) ? built(text, everywhere) : value
}

/** An object or list that the parser has not left yet. */
interface Open {
  value: Record<string, unknown> | unknown[]
  /** The last key of an object, if its value has not been read yet. */
  key: string | undefined
  isFree: boolean
}

/** Builds the value of a valid text. It is not recursive, so that deep nesting does not overflow the stack. */
function built(text: string, everywhere: boolean): unknown {
  const around: Open[] = []
  let open: Open | undefined
  let root: unknown
  const add = (value: unknown): void => {
    if (open === undefined) root = value
    else if (Array.isArray(open.value)) open.value.push(value)
    else {
      const key = open.key ?? ''
      open.key = undefined
      if (key !== '__proto__') open.value[key] = value
      else {
        const attributes = { enumerable: true, writable: true, configurable: true }
        Object.defineProperty(open.value, key, { ...attributes, value })
      }
    }
  }
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const character = text[at]
    if (character === '{' || character === '[') {
      const isFree = everywhere || open?.isFree === true || isFreeForm(open?.key)
      const value = character === '{' ? {} : []
      add(value)
      if (open) around.push(open)
      open = { value, key: undefined, isFree }
      at++
    } else if (character === '}' || character === ']') {
      open = around.pop()
      at++
    } else if (character === ',' || character === ':') {
      at++
    } else if (character === '"') {
      const end = endOfString(text, at)
      const plain = text.slice(at + 1, end - 1)
      const string = plain.includes('\\') ? String(JSON.parse(text.slice(at, end))) : plain
      if (open && open.key === undefined && !Array.isArray(open.value)) open.key = string
      else add(string)
      at = end
    } else {
      const end = endOfWord(text, at)
      const isFree = everywhere || open?.isFree === true || isFreeForm(open?.key)
      add(wordOf(text.slice(at, end), isFree))
      at = end
    }
  }
  return root
}

function wordOf(word: string, isFree: boolean): unknown {
  if (word === 'true') return true
  if (word === 'false') return false
  if (word === 'null') return null
  if (!wouldChange(word)) return Number(word)
  return isFree ? new ExactNumber(word) : numberForValidation(word)
}
