// Converts replies of the engine: texts, counts, or that the engine is away.
import type { Reply } from './store-engine.ts'
import { EngineUnavailableError } from './store-error.ts'
import { StorageUnavailableError } from '../../workspaces/storage.ts'
import { DamagedError } from './tasks.ts'

/** @throws {StorageUnavailableError} if the engine is away, which the caller reports. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof EngineUnavailableError ? new StorageUnavailableError(error.message) : error
  }
}

export function texts(reply: Reply): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}

/** The counts of a hash by its fields; fields whose value is no count are omitted. */
export function countsOf(reply: Reply): Map<string, number> {
  const given = texts(reply)
  const counts = new Map<string, number>()
  for (let at = 0; at < given.length; at += 2) {
    const count = Number(given[at + 1])
    if (Number.isSafeInteger(count)) counts.set(given[at] ?? '', count)
  }
  return counts
}

/** As `countsOf`. @param key names the hash. @throws {DamagedError} for a value that is no count. */
export function requireCounts(reply: Reply, key: string): Map<string, number> {
  const counts = countsOf(reply)
  if (2 * counts.size !== texts(reply).length) throw new DamagedError(key)
  return counts
}
