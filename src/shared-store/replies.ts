// What the engine replies, as what it means here: texts, counts, or that it is away.
import type { Reply } from './store-engine.ts'
import { EngineAwayError } from './store-error.ts'
import { StoreAwayError } from './turn.ts'

/** @throws {StoreAwayError} where the engine is away: whoever called is told so. */
export async function orAway<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof EngineAwayError ? new StoreAwayError(error.message) : error
  }
}

export function texts(reply: Reply): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}

export function countsOf(reply: Reply): Map<string, number> {
  const given = texts(reply)
  const counts = new Map<string, number>()
  for (let at = 0; at < given.length; at += 2) counts.set(given[at] ?? '', Number(given[at + 1]))
  return counts
}
