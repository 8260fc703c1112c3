// Where the values of a JSON text stand, and what stands at an offset: for the line and column of a problem.
import { endOfString, endOfValue, skipSpace, type Path } from './json-text.ts'

/** Where a member of an object or list stands: its key (its value, in a list) and its value. */
export interface Place {
  key: number
  value: number
}

/** Values that are looked for at once: those at each part of a path, and which of the paths lead through here. */
interface Wanted {
  paths: number[]
  inner: Map<string | number, Wanted>
}

/**
 * The places of values by their paths, or of the innermost value around each that is there. Looked for all at once,
 * in one pass over what stands before the last of them.
 *
 * @param text valid JSON.
 */
export function placesOf(text: string, paths: readonly Path[]): Place[] {
  const root: Wanted = { paths: [], inner: new Map() }
  for (const [index, path] of paths.entries()) {
    let wanted = root
    wanted.paths.push(index)
    for (const part of path) {
      const inner: Wanted = wanted.inner.get(part) ?? { paths: [], inner: new Map() }
      wanted.inner.set(part, inner)
      inner.paths.push(index)
      wanted = inner
    }
  }
  const places: Place[] = []
  const look = (wanted: Wanted, place: Place): void => {
    for (const index of wanted.paths) places[index] = place
    let left = wanted.inner.size
    if (left === 0) return
    eachMember(text, place.value, (name, key, value) => {
      const inner = wanted.inner.get(name)
      if (inner === undefined) return true
      look(inner, { key, value })
      return --left > 0
    })
  }
  const start = skipSpace(text, 0)
  look(root, { key: start, value: start })
  return places
}

/** What stands at an offset: a value or the key in front of it, by its path. */
export interface Standing {
  path: Path
  at: 'key' | 'value'
}

/**
 * The paths of the values or keys that stand at offsets, or of the innermost value around each. Looked for all at
 * once, as `placesOf` does.
 *
 * @param text valid JSON.
 */
export function pathsAt(text: string, offsets: readonly number[]): Standing[] {
  const found: Standing[] = []
  /** @param wanted indexes of the offsets in a value, by ascending offset. */
  const look = (wanted: readonly number[], path: Path, start: number): void => {
    for (const index of wanted) found[index] = { path, at: 'value' }
    let at = 0
    const offsetAt = (place: number): number => offsets[wanted[place] ?? -1] ?? Number.POSITIVE_INFINITY
    while (offsetAt(at) <= start) at++
    let before: { path: Path; key: number; value: number } | undefined
    /** Takes the offsets up to where the next member begins to the one before. */
    const take = (end: number): boolean => {
      const from = at
      while (offsetAt(at) < end) at++
      const taken = wanted.slice(from, at)
      if (before === undefined || taken.length === 0) return at < wanted.length
      const { path: inner, value } = before
      const inValue = taken.filter((index) => (offsets[index] ?? 0) >= value)
      for (const index of taken) found[index] = { path: inner, at: 'key' }
      if (inValue.length > 0) look(inValue, inner, value)
      return at < wanted.length
    }
    eachMember(text, start, (name, key, value) => {
      const goesOn = take(key)
      before = { path: [...path, name], key, value }
      return goesOn
    })
    take(Number.POSITIVE_INFINITY)
  }
  const ascending = [...offsets.keys()].toSorted((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0))
  look(ascending, [], skipSpace(text, 0))
  return found
}

/**
 * Tells the members of an object or list one by one, until the visitor has seen enough.
 * @param visit is given the name, and the offsets of key and value; false ends it.
 */
function eachMember(
  text: string,
  offset: number,
  visit: (name: string | number, key: number, value: number) => boolean,
): void {
  const isObject = text[offset] === '{'
  if (!isObject && text[offset] !== '[') return
  let at = skipSpace(text, offset + 1)
  for (let index = 0; text[at] !== '}' && text[at] !== ']'; index++) {
    const key = at
    let name: string | number = index
    if (isObject) {
      const end = endOfString(text, at)
      name = nameIn(text, at, end)
      at = skipSpace(text, skipSpace(text, end) + 1)
    }
    if (!visit(name, key, at)) return
    at = skipSpace(text, endOfValue(text, at))
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
}

/** A key without its quotes; reading the few that have escapes takes longer. */
function nameIn(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end - 1)
  return name.includes('\\') ? String(JSON.parse(text.slice(start, end))) : name
}
