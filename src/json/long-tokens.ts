// Finds tokens in JSON text that are too long: a number, a word or white space. A token cannot be scanned in slices, so
// one of many megabytes would block the event loop.
import { endOfString, type Fault } from './json-text.ts'

/** The maximum number of characters of a number or word. */
export const maxNumberLength = 1000

/** The maximum number of characters of white space between two tokens. */
export const maxSpaceLength = 10_000

/** The number of characters to scan before yielding to the event loop. */
const step = 2 ** 18

/**
 * Finds the first number, word or white space outside of strings that exceeds its limit. It checks one of every
 * thousand characters, and the token around it.
 */
export function* findLongToken(text: string): Generator<void, Fault | undefined> {
  /** The last string that was found. No other string begins before its end. */
  let string = { start: -1, end: 0 }
  let work = 0
  for (let at = maxNumberLength; at < text.length; at += maxNumberLength) {
    if (work > step) {
      work = 0
      yield
    }
    const isSpace = isSpaceSign(text[at])
    const [fits, max] = isSpace ? [isSpaceSign, maxSpaceLength] : [isWordSign, maxNumberLength]
    if (!fits(text[at])) continue
    let start = at
    while (fits(text[start - 1]) && at - start <= max) start--
    let end = at + 1
    while (fits(text[end]) && end - start <= max) end++
    work += end - start
    if (end - start > max) {
      while (string.end <= at) {
        string = nextString(text, string.end)
        work += 32
      }
      if (at < string.start) {
        const message = isSpace
          ? `has more than ${maxSpaceLength} characters of white space in a row`
          : `has a number or word of more than ${maxNumberLength} characters`
        return { offset: start, path: [], message }
      }
      end = string.end
    }
    at = end
  }
  return undefined
}

/** Returns the next string from here. Without a string or its end, it ends at the end of the text. */
function nextString(text: string, from: number): { start: number; end: number } {
  const quote = text.indexOf('"', from)
  if (quote === -1) return { start: text.length, end: text.length }
  return { start: quote, end: endOfString(text, quote) || text.length }
}

const spaces = new Set(' \t\r\n')
const marks = new Set(',:{}[]"')

function isSpaceSign(sign: string | undefined): boolean {
  return sign !== undefined && spaces.has(sign)
}

function isWordSign(sign: string | undefined): boolean {
  return sign !== undefined && !spaces.has(sign) && !marks.has(sign)
}
