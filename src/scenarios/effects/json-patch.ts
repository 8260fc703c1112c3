// JSON Patch (RFC 6902) with JSON Pointers (RFC 6901): validates and applies operations.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { copyOf } from '../../json/copy.ts'
import { depthOf, isJsonObject } from '../../contract/formats.ts'

const path = z
  .string('must be a JSON Pointer')
  .regex(/^(\/([^~/]|~[01])*)*$/, 'must be a JSON Pointer, such as /data/0/id')
const value = z.unknown().refine((input) => input !== undefined, 'must be present')

/** Each operation with its required members by RFC 6902, so that none fails only when it is applied. */
export const patchOperation = z.discriminatedUnion(
  'op',
  [
    z.strictObject({ op: z.literal('add'), path, value }),
    z.strictObject({ op: z.literal('replace'), path, value }),
    z.strictObject({ op: z.literal('test'), path, value }),
    z.strictObject({ op: z.literal('remove'), path }),
    z.strictObject({ op: z.literal('move'), path, from: path }),
    z.strictObject({ op: z.literal('copy'), path, from: path }),
  ],
  { error: 'must be one of add, remove, replace, move, copy, test' },
)
export type PatchOperation = z.infer<typeof patchOperation>

/** The result of a JSON Patch, or why it failed. */
export type Patched = { value: unknown; refused?: never } | { refused: 'misfit' | 'too large' | 'too deep' }

/** Maximum depth of the result: operations that move values into each other would exhaust the stack. */
export const maxPatchedDepth = 1000

/**
 * Applies a JSON Patch to a copy of a value. All operations apply or none.
 *
 * @param most maximum size in bytes of JSON of the value and all inserted values together. Values that are removed
 * again count too, so that the work is bounded like the result: copies of copies double it each time.
 */
export function applyPatch(
  target: unknown,
  patch: readonly PatchOperation[],
  most = Number.POSITIVE_INFINITY,
): Patched {
  let room = most - sizeOf(target, most)
  if (room < 0) return { refused: 'too large' }
  let current = copyOf(target)
  for (const operation of patch) {
    const added = addedBy(operation, current)
    room -= added === failed ? 0 : sizeOf(added, room)
    if (room < 0) return { refused: 'too large' }
    if (isTooDeep(operation, current)) return { refused: 'too deep' }
    const next = applyOne(current, operation)
    if (next === failed) return { refused: 'misfit' }
    current = next
  }
  return { value: current }
}

const failed = Symbol('failed')

/** Returns the value that an operation inserts, or `failed` if it inserts none. */
function addedBy(operation: PatchOperation, root: unknown): unknown {
  if (operation.op === 'copy') return read(root, operation.from)
  return operation.op === 'add' || operation.op === 'replace' ? operation.value : failed
}

/** Whether an operation inserts a value so that the result exceeds the maximum depth. */
function isTooDeep(operation: PatchOperation, root: unknown): boolean {
  const { op, path: to } = operation
  if (op === 'test' || op === 'remove') return false
  const placed = op === 'copy' || op === 'move' ? read(root, operation.from) : operation.value
  const room = maxPatchedDepth - tokens(to).length
  return depthOf(placed, room + 1) > room
}

/** Returns the size of a value as JSON in bytes; stops counting at a limit. */
function sizeOf(content: unknown, most: number): number {
  if (typeof content === 'string') return Buffer.byteLength(JSON.stringify(content))
  if (typeof content !== 'object' || content === null) return String(content).length
  // Brackets, and a comma after each part except the last.
  let size = 2
  const isList = Array.isArray(content)
  for (const [name, inner] of isList ? content.entries() : Object.entries(content)) {
    if (size > 2) size += 1
    if (!isList) size += sizeOf(name, most) + 1
    size += sizeOf(inner, most - size)
    if (size > most) break
  }
  return size
}

function applyOne(root: unknown, operation: PatchOperation): unknown {
  switch (operation.op) {
    case 'add':
      return put(root, operation.path, operation.value, true)
    case 'replace':
      return read(root, operation.path) === failed
        ? failed
        : put(root, operation.path, operation.value, false)
    case 'remove':
      return remove(root, operation.path)
    case 'test':
      return isDeepStrictEqual(read(root, operation.path), operation.value) ? root : failed
    case 'copy':
    case 'move': {
      const { op, from, path: to } = operation
      // A value cannot be moved into itself (RFC 6902, 4.4).
      if (op === 'move' && to.startsWith(`${from}/`)) return failed
      const source = read(root, from)
      if (source === failed) return failed
      const base = op === 'move' ? remove(root, from) : root
      return base === failed ? failed : put(base, to, copyOf(source), true)
    }
  }
}

function tokens(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** An index has no leading zeros (RFC 6901). */
function isIndex(token: string): boolean {
  return /^(0|[1-9]\d*)$/.test(token)
}

function child(parent: unknown, token: string): unknown {
  if (Array.isArray(parent))
    return isIndex(token) && Number(token) < parent.length ? parent[Number(token)] : failed
  return isJsonObject(parent) && Object.hasOwn(parent, token) ? parent[token] : failed
}

function read(root: unknown, pointer: string | readonly string[]): unknown {
  const names = typeof pointer === 'string' ? tokens(pointer) : pointer
  return names.reduce<unknown>((at, token) => (at === failed ? failed : child(at, token)), root)
}

/** Returns the parent of a value and its key there; the whole document has no key. */
function holderOf(root: unknown, pointer: string): { parent: unknown; last: string | undefined } {
  const names = tokens(pointer)
  const last = names.pop()
  return { parent: read(root, names), last }
}

function put(root: unknown, pointer: string, content: unknown, insert: boolean): unknown {
  const { parent, last } = holderOf(root, pointer)
  if (last === undefined) return content
  if (Array.isArray(parent)) {
    const place = last === '-' ? parent.length : isIndex(last) ? Number(last) : -1
    if (place < 0 || place > parent.length) return failed
    parent.splice(place, insert ? 0 : 1, content)
    return root
  }
  if (!isJsonObject(parent)) return failed
  // Defined, not assigned: `__proto__` is a name like any other.
  const attributes = { enumerable: true, writable: true, configurable: true }
  Object.defineProperty(parent, last, { ...attributes, value: content })
  return root
}

function remove(root: unknown, pointer: string): unknown {
  const { parent, last } = holderOf(root, pointer)
  if (last === undefined) return null
  if (child(parent, last) === failed) return failed
  if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else if (isJsonObject(parent)) delete parent[last]
  return root
}
