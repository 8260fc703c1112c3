// Where the values of a JSON text stand, and what stands at an offset: for the line and column of a problem.
import { endOfString, endOfWord, skipSpace, type Path } from './json-text.ts'

/** Where a member of an object or list stands: its key (its value, in a list) and its value. */
export interface Place {
  key: number
  value: number
}

/**
 * Finds the values of a JSON text by their paths. What was followed once is kept, so the first look into a long list
 * costs one pass over it and the next ones nothing.
 */
export class JsonPositions {
  readonly #text: string
  readonly #members = new Map<number, Map<string | number, Place>>()

  /** @param text valid JSON. */
  constructor(text: string) {
    this.#text = text
  }

  /** The place of a value, or of the innermost value around it that is there. */
  find(path: Path): Place {
    const start = skipSpace(this.#text, 0)
    let place: Place = { key: start, value: start }
    for (const part of path) {
      const inner = this.#membersOf(place.value).get(part)
      if (inner === undefined) break
      place = inner
    }
    return place
  }

  /** The path of the value or key that stands at an offset, or of the innermost value around it. */
  pathAt(offset: number): { path: Path; at: 'key' | 'value' } {
    const path: (string | number)[] = []
    let value = skipSpace(this.#text, 0)
    while (value < offset) {
      let inner: [string | number, Place] | undefined
      for (const member of this.#membersOf(value)) {
        if (member[1].key > offset) break
        inner = member
      }
      if (inner === undefined) break
      path.push(inner[0])
      value = inner[1].value
      if (offset < value) return { path, at: 'key' }
    }
    return { path, at: 'value' }
  }

  #membersOf(offset: number): Map<string | number, Place> {
    const known = this.#members.get(offset)
    if (known !== undefined) return known
    const members = readMembers(this.#text, offset)
    this.#members.set(offset, members)
    return members
  }
}

function readMembers(text: string, offset: number): Map<string | number, Place> {
  const members = new Map<string | number, Place>()
  const isObject = text[offset] === '{'
  if (!isObject && text[offset] !== '[') return members
  let at = skipSpace(text, offset + 1)
  while (text[at] !== '}' && text[at] !== ']') {
    const key = at
    let name: string | number = members.size
    if (isObject) {
      const end = endOfString(text, at)
      name = String(JSON.parse(text.slice(at, end)))
      at = skipSpace(text, skipSpace(text, end) + 1)
    }
    members.set(name, { key, value: at })
    at = skipSpace(text, endOfValue(text, at))
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return members
}

/** The offset after a value; brackets are counted, so nesting costs no stack. */
function endOfValue(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return endOfString(text, start)
  if (first !== '{' && first !== '[') return endOfWord(text, start)
  const mark = /["{}[\]]/g
  let depth = 0
  mark.lastIndex = start
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0] === '"') mark.lastIndex = endOfString(text, found.index)
    else if (found[0] === '{' || found[0] === '[') depth++
    else if (--depth === 0) return mark.lastIndex
  }
  return text.length
}
