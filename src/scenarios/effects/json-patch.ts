// JSON Patch (RFC 6902) with JSON Pointers (RFC 6901): its operations, and applying them.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { copyOf } from '../../json/copy.ts'
import { depthOf, isJsonObject } from '../../contract/formats.ts'

const path = z
  .string('must be a JSON Pointer')
  .regex(/^(\/([^~/]|~[01])*)*$/, 'must be a JSON Pointer, such as /data/0/id')
const value = z.unknown().refine((given) => given !== undefined, 'must be given')

/** Each operation with what RFC 6902 has it need, so that none is left to fail on every call. */
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

/** What a JSON Patch made of a value, or why it made nothing. */
export type Patched = { value: unknown; refused?: never } | { refused: 'misfit' | 'too large' | 'too deep' }

/** How deeply a patch may nest a value: operations that move values into each other would exhaust the stack. */
export const maxPatchedDepth = 1000

/**
 * Applies a JSON Patch to a copy of a value. All operations apply or none.
 *
 * @param most how many bytes of JSON the value and all that is put into it may have together. What is removed again
 * counts too, so that the work is bounded with the result: copies of copies double it each time.
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

/** What an operation puts into a value beside what is there. */
function addedBy(operation: PatchOperation, root: unknown): unknown {
  if (operation.op === 'copy') return read(root, operation.from)
  return operation.op === 'add' || operation.op === 'replace' ? operation.value : failed
}

/** Whether an operation places a value so that its innermost level is beyond the limit. */
function isTooDeep(operation: PatchOperation, root: unknown): boolean {
  const { op, path: to } = operation
  if (op === 'test' || op === 'remove') return false
  const placed = op === 'copy' || op === 'move' ? read(root, operation.from) : operation.value
  const room = maxPatchedDepth - tokens(to).length
  return depthOf(placed, room + 1) > room
}

/** How many bytes a value has as JSON; counts no further than a limit. */
function sizeOf(content: unknown, most: number): number {
  if (typeof content === 'string') return Buffer.byteLength(JSON.stringify(content))
  if (typeof content !== 'object' || content === null) return String(content).length
  // Brackets, and a comma behind each part but the last.
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

/** What holds a value, and its name there; the whole has no name. */
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
