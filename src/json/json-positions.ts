// Finds the offset of a value in a JSON text by its path, and the path by an offset: for the line and column of a
// problem.
import { endOfString, endOfValue, skipSpace, type Path } from './json-text.ts'

/** The offsets of a member of an object or list: of its key (in a list, of its value) and of its value. */
export interface MemberPosition {
  key: number
  value: number
}

/** A tree of paths to search: the indexes of the paths that lead through a value, and the values inside by name. */
interface Wanted {
  paths: number[]
  inner: Map<string | number, Wanted>
}

/**
 * Returns the positions of values by their paths. If there is no value at a path, it returns the innermost value around
 * it. It searches for all paths in one pass, up to the last value.
 *
 * @param text valid JSON.
 */
export function positionsOf(text: string, paths: readonly Path[]): MemberPosition[] {
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
  const places: MemberPosition[] = []
  const look = (wanted: Wanted, place: MemberPosition): void => {
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

/** The path of the value or key at an offset. The path of a key is that of its value. */
export interface PathAtOffset {
  path: Path
  at: 'key' | 'value'
}

/**
 * Returns the paths of the values or keys at offsets, or of the innermost value around each offset. It searches for all
 * offsets in one pass, as `placesOf` does.
 *
 * @param text valid JSON.
 */
export function pathsAt(text: string, offsets: readonly number[]): PathAtOffset[] {
  const found: PathAtOffset[] = []
  /** @param wanted indexes of the offsets in a value, by ascending offset. */
  const look = (wanted: readonly number[], path: Path, start: number): void => {
    for (const index of wanted) found[index] = { path, at: 'value' }
    let at = 0
    const offsetAt = (place: number): number => offsets[wanted[place] ?? -1] ?? Number.POSITIVE_INFINITY
    while (offsetAt(at) <= start) at++
    let before: { path: Path; key: number; value: number } | undefined
    /** Assigns the offsets before the next member to the previous member. Returns whether offsets remain. */
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
 * Visits the members of an object or list one by one, until the visitor returns false.
 * @param visit receives the name, and the offsets of key and value.
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

/** Returns a key without its quotes. Only keys with escapes need the slower `JSON.parse`. */
function nameIn(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end - 1)
  return name.includes('\\') ? String(JSON.parse(text.slice(start, end))) : name
}
