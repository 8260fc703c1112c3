// Deep copies of JSON values: with exact numbers, or as plain data with JavaScript numbers only.
import { ExactNumber } from './exact-number.ts'

/** Copies a value deeply. Immutable exact numbers and instances of classes, such as a `Request`, are shared. */
export function copyOf<T>(value: T): T {
  return copied(value, false)
}

/** Copies a value for callers of the library: an exact number becomes the nearest JavaScript number. */
export function plainCopy<T>(value: T): T {
  return copied(value, true)
}

/**
 * Returns the same members for callers of the library: their results are plain copies, as workspaces share rows.
 * @example detached(workspaceState(workspace, rules, load, record)).get('customers', 'cus_ada')
 */
export function detached<Members extends object>(members: Members): Members {
  return new Proxy(members, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => detachedResult(Reflect.apply(member, target, args))
    },
  })
}

function detachedResult(result: unknown): unknown {
  if (result instanceof Promise) return result.then(detachedResult)
  return plainCopy(result)
}

function copied<T>(value: T, asPlain: boolean): T {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof ExactNumber) return (asPlain ? value.nearest : value) as T
  if (Array.isArray(value)) return value.map((item: unknown) => copied(item, asPlain)) as T
  if (isInstance(value)) return value
  // fromEntries defines each field, so that a field named __proto__ does not set the prototype.
  const fields = Object.entries(value).map(([name, field]) => [name, copied(field as unknown, asPlain)])
  return Object.fromEntries(fields) as T
}

/** Whether a value is the instance of a class, not of `Object`, which may be that of another realm. */
function isInstance(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== null && Object.getPrototypeOf(prototype) !== null
}
