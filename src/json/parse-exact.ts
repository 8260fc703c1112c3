// Reads JSON text like `JSON.parse`, and keeps a number that JavaScript would change as its text.
import { ExactNumber, judgedNumber, wouldChange } from './exact-number.ts'
import { endOfString, endOfWord, skipSpace } from './json-text.ts'

/** The keys whose values are free-form wherever they stand: nothing there is read by a schema of ours. */
const freeForm: ReadonlySet<string> = new Set(['metadata', 'body', 'value'])

/** Whether what a key holds is free-form. */
export const isFreeForm = (key: string | undefined): boolean => key !== undefined && freeForm.has(key)

/**
 * A number of so many digits, with an exponent of three, or negative and zero; wrong only in saying yes. Looking for
 * one takes a fifth of what `JSON.parse` does (0.5 µs for the body of an intent); without one that alone reads a text.
 */
const mayChange = /[\s:,[]-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d{3}|(?<=-0)(?!\.0*[1-9]))/

/**
 * Reads a text. In free-form parts a number that JavaScript would change is an `ExactNumber`; elsewhere it is one that
 * breaks the rules that the text breaks.
 *
 * @param everywhere keeps such numbers as their text in all parts, for what is shown and no schema reads.
 * @throws {SyntaxError} as `JSON.parse` does.
 */
export function parseExact(text: string, everywhere = false): unknown {
  const value: unknown = JSON.parse(text)
  return mayChange.test(text) ? built(text, everywhere) : value
}

/** An object or list that is being read. */
interface Open {
  value: Record<string, unknown> | unknown[]
  /** The key that was read last in an object. */
  key: string | undefined
  isFree: boolean
}

/** The value of a text that is known to be valid; not recursive, so no nesting is too deep for it. */
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
  return isFree ? new ExactNumber(word) : judgedNumber(word)
}
