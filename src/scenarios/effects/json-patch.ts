import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../contract/formats.ts'
import type { PatchOperation } from '../plan.ts'

/**
 * Applies a JSON Patch (RFC 6902) to a copy of a value. All operations apply or none: a patch that does not fit gives
 * undefined.
 */
export function applyPatch(value: unknown, patch: readonly PatchOperation[]): unknown {
  let current = structuredClone(value)
  for (const operation of patch) {
    const next = applyOne(current, operation)
    if (next === failed) return undefined
    current = next
  }
  return current
}

const failed = Symbol('failed')

function applyOne(root: unknown, { op, path, from, value }: PatchOperation): unknown {
  switch (op) {
    case 'add':
      return put(root, path, value, true)
    case 'replace':
      return read(root, path) === failed ? failed : put(root, path, value, false)
    case 'remove':
      return remove(root, path)
    case 'test':
      return isDeepStrictEqual(read(root, path), value) ? root : failed
    case 'copy':
    case 'move': {
      // A value cannot be moved into itself (RFC 6902, 4.4).
      if (from === undefined || (op === 'move' && path.startsWith(`${from}/`))) return failed
      const source = read(root, from)
      if (source === failed) return failed
      const base = op === 'move' ? remove(root, from) : root
      return base === failed ? failed : put(base, path, structuredClone(source), true)
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

function read(root: unknown, pointer: string): unknown {
  return tokens(pointer).reduce<unknown>((at, token) => (at === failed ? failed : child(at, token)), root)
}

function put(root: unknown, pointer: string, value: unknown, insert: boolean): unknown {
  const path = tokens(pointer)
  const last = path.pop()
  if (last === undefined) return value
  const parent = path.reduce<unknown>((at, token) => (at === failed ? failed : child(at, token)), root)
  if (Array.isArray(parent)) {
    const place = last === '-' ? parent.length : isIndex(last) ? Number(last) : -1
    if (place < 0 || place > parent.length) return failed
    parent.splice(place, insert ? 0 : 1, value)
    return root
  }
  if (!isJsonObject(parent)) return failed
  // Defined, not assigned: `__proto__` is a name like any other.
  Object.defineProperty(parent, last, { value, enumerable: true, writable: true, configurable: true })
  return root
}

function remove(root: unknown, pointer: string): unknown {
  const path = tokens(pointer)
  const last = path.pop()
  if (last === undefined) return null
  const parent = path.reduce<unknown>((at, token) => (at === failed ? failed : child(at, token)), root)
  if (child(parent, last) === failed) return failed
  if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else if (isJsonObject(parent)) delete parent[last]
  return root
}
