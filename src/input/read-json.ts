// Parses JSON text in chunks: a large document would otherwise block all other work until it was parsed.
import {
  endOfString,
  findFaults,
  hidesFaults,
  duplicateKey,
  runOfMembers,
  skipSpace,
  type Fault,
  type Members,
  type Open,
} from '../json/json-text.ts'
import { isFreeForm, parseExact } from '../json/parse-exact.ts'
import { maxCounted } from './problems.ts'

/** The value of a text, or its problems. */
export type JsonReading = { value: unknown; faults?: never } | { value?: never; faults: Fault[] }

/** Number of characters per chunk: a millisecond of work. */
const piece = 2 ** 16

/**
 * Maximum number of keys of an object, more than any valid document needs. The keys of an object cannot be read in
 * chunks, and a million of them take a second.
 */
const maxKeys = 100_000

/** An object or list that is longer than a chunk, as far as it was parsed. */
interface Frame {
  value: unknown[] | Record<string, unknown>
  /** The key or position of the value that is being parsed. */
  at: string | number | undefined
  /** The text before the next chunk: the opening bracket, a comma or a member. */
  after: 'open' | 'comma' | 'member'
  /** Its number of keys, if it is an object. */
  keys: number
  /** It is free-form, or in a free-form value: numbers in it are stored as their text. */
  isFree: boolean
}

/**
 * Parses a text like `parseExact`, and also refuses duplicate keys, and nesting and keys of one object beyond a limit.
 * It yields after each chunk, so that other work can run.
 *
 * Values that are longer than a chunk are entered; others are parsed together, as many as fit.
 */
export function* readJson(text: string, maxDepth: number): Generator<void, JsonReading> {
  const start = skipSpace(text, 0)
  if (text.length <= piece || !isOpening(text[start])) return readWhole(text, maxDepth)
  const root = frameOf(text[start])
  const frames = [root]
  const faults: Fault[] = []
  let at = skipSpace(text, start + 1)

  /** Returns the problems from an offset on, or of some members, by scanning each character. */
  const look = (from: number, to: number, expected: Members['expected']): Fault[] =>
    findFaults(text, maxDepth, { from, to, open: frames.map(openOf), expected })
  const refuse = (expected: Members['expected'], from = at): JsonReading => {
    faults.push(...look(from, Number.POSITIVE_INFINITY, expected))
    return { faults }
  }

  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const isList = Array.isArray(frame.value)
    const isClosed = text[at] === (isList ? ']' : '}')
    if (isClosed && frame.after !== 'comma') {
      frames.pop()
      at = skipSpace(text, at + 1)
      const around = frames.at(-1)
      if (around) around.after = 'member'
      continue
    }
    if (frame.after === 'member') {
      if (text[at] !== ',') return refuse('more')
      frame.after = 'comma'
      at = skipSpace(text, at + 1)
    }
    yield
    const part = isList ? 'value' : 'key'
    const expected = frame.after === 'open' ? (`first ${part}` as const) : part
    frame.at = Array.isArray(frame.value) ? frame.value.length : undefined
    const { end, next } = runOfMembers(text, at, piece)
    if (next === 'long') {
      const long = longMember(text, at, isList)
      if (long === undefined || frames.length >= maxDepth) return refuse(expected)
      const { name } = long
      if (name !== undefined) frame.at = name
      if (name !== undefined && Object.hasOwn(frame.value, name)) {
        faults.push({ offset: at, path: frames.flatMap((one) => one.at ?? []), message: duplicateKey })
      }
      const inner = frameOf(text[long.value], frame.isFree || isFreeForm(name))
      if (Array.isArray(frame.value)) frame.value.push(inner.value)
      else define(frame.value, name ?? '', inner.value)
      frames.push(inner)
      at = skipSpace(text, long.value + 1)
      continue
    }
    const members = text.slice(at, end)
    const wrapped = isList ? `[${members}]` : `{${members}}`
    const read = skipSpace(text, at) === end ? undefined : parse(wrapped, frame.isFree)
    if (read === undefined) return refuse(expected)
    if (hidesFaults(wrapped, read, maxDepth - frames.length + 1) || sharesKeys(frame.value, read)) {
      faults.push(...look(at, end, expected))
      if (faults.length >= maxCounted) return { faults }
    }
    frame.keys += addAll(frame.value, read)
    if (frame.keys > maxKeys) {
      const path = frames.slice(0, -1).flatMap((one) => one.at ?? [])
      faults.push({ offset: at, path, message: `has more than ${maxKeys} keys` })
      return { faults }
    }
    frame.after = 'member'
    at = end
  }
  if (at < text.length) return refuse('more')
  return faults.length > 0 ? { faults } : { value: root.value }
}

function readWhole(text: string, maxDepth: number): JsonReading {
  const value = parse(text)
  if (value === undefined) return { faults: findFaults(text, maxDepth) }
  const faults = hidesFaults(text, value, maxDepth) ? findFaults(text, maxDepth) : []
  return faults.length > 0 ? { faults } : { value }
}

/** Returns the value of a text; undefined for invalid JSON. The messages of V8 differ between versions. */
function parse(text: string, isFree = false): unknown {
  try {
    return parseExact(text, isFree)
  } catch {
    return undefined
  }
}

function isOpening(character: string | undefined): boolean {
  return character === '{' || character === '['
}

function frameOf(opening: string | undefined, isFree = false): Frame {
  return { value: opening === '[' ? [] : {}, at: undefined, after: 'open', keys: 0, isFree }
}

/** Returns a frame from which the scan continues. */
function openOf({ value, at }: Frame): Open {
  if (Array.isArray(value)) return { keys: undefined, at }
  const added = new Set<string>()
  return {
    keys: { has: (key) => added.has(key) || Object.hasOwn(value, key), add: (key) => added.add(key) },
    at,
  }
}

/** Returns the name of a member that is an object or list, and its offset; undefined for other values. */
function longMember(
  text: string,
  start: number,
  isItem: boolean,
): { name: string | undefined; value: number } | undefined {
  if (isItem) return isOpening(text[start]) ? { name: undefined, value: start } : undefined
  const end = text[start] === '"' ? endOfString(text, start) : 0
  const name = end === 0 ? undefined : parse(text.slice(start, end))
  const colon = skipSpace(text, end)
  const value = skipSpace(text, colon + 1)
  return typeof name === 'string' && text[colon] === ':' && isOpening(text[value])
    ? { name, value }
    : undefined
}

function sharesKeys(value: Frame['value'], read: unknown): boolean {
  if (Array.isArray(value)) return false
  for (const name in Object(read)) if (Object.hasOwn(value, name)) return true
  return false
}

/** Adds members, and returns their number of keys. */
function addAll(value: Frame['value'], read: unknown): number {
  if (Array.isArray(value)) {
    // Not spread: a function call accepts only so many arguments.
    for (const item of Array.isArray(read) ? read : []) value.push(item)
    return 0
  }
  const members: Record<string, unknown> = Object(read)
  const names = Object.keys(members)
  for (const name of names) define(value, name, members[name])
  return names.length
}

/** Defined: an assignment would set an inherited property. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}
