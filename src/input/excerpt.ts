// Line, column and excerpt of an offset in a text, with secrets masked.
import { maskCardNumbers, maskSecretFields } from '../secrets/mask.ts'
import { maskSource } from '../secrets/mask-source.ts'

/** A position in a text, with its excerpt. */
export interface Location {
  /** Counted from 1. */
  line: number
  /** Counted from 1, in UTF-16 units. */
  column: number
  /** The line, and below it a caret under the column. */
  excerpt: string
}

/** How much of a long line is shown on each side of the column: a minified document is one line. */
const shownAround = 60

/** Length of a card number of 19 digits with separators between all of them. */
const longestCardNumber = 37

/** How far back to look for the name of a secret whose value is shown, on this line or an earlier one. */
const longestField = 8_192

/**
 * Finds lines and columns in a text. The starts of lines are computed once, so that thousands of problems in a large
 * file cost little more than a few.
 */
export class Lines {
  readonly #text: string
  #secrets: readonly string[] = []
  #starts: number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Hides these values in every excerpt. */
  hide(secrets: readonly string[]): void {
    this.#secrets = secrets
  }

  /** The line and column of an offset, with an excerpt in which card numbers and secrets are masked. */
  locate(offset: number): Location {
    const starts = (this.#starts ??= lineStarts(this.#text))
    const index = lastAtMost(starts, offset)
    const start = starts[index] ?? 0
    let end = starts[index + 1] ?? this.#text.length
    // Not by a regular expression, which would scan the whole line for each problem, and a line may be a document.
    while (end > start && '\r\n'.includes(this.#text.charAt(end - 1))) end--
    return { line: index + 1, column: offset - start + 1, excerpt: this.#excerpt(start, end, offset) }
  }

  #excerpt(lineStart: number, lineEnd: number, offset: number): string {
    const column = offset - lineStart
    const from = column > 2 * shownAround ? offset - shownAround : lineStart
    const to = Math.min(lineEnd, offset + shownAround)
    const [before, after] = [from > lineStart ? '…' : '', to < lineEnd ? '…' : '']
    // Masked with its context: a number that is cut in two has no pattern, and a secret is recognized by its name.
    const start = Math.max(0, from - longestField)
    const context = this.#text.slice(start, Math.min(lineEnd, to + longestCardNumber))
    const masked = maskSource(maskSecretFields(maskCardNumbers(context)), this.#secrets)
    const shown = before + withoutControls(masked.slice(from - start, to - start)) + after
    const indent = shown.slice(0, before.length + offset - from).replaceAll(/[^\t]/g, ' ')
    return `${shown}\n${indent}^`
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Returns the index of the last number that is not above a limit, in an ascending list that starts with 0. */
function lastAtMost(ascending: readonly number[], limit: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((ascending[middle] ?? 0) <= limit) low = middle
    else high = middle - 1
  }
  return low
}

/** A terminal must not execute control characters of a file. Tabs stay: the caret below is aligned with them. */
function withoutControls(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is replaced
  return text.replaceAll(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, '?')
}
