// Eviction of idle workspaces (--workspace-ttl): never `default`, never one in use.
import { monotonicNow } from '../runtime/host.ts'
import { every } from '../runtime/wait.ts'

/** The storage of workspaces that may be evicted. */
export interface EvictionTarget {
  /** Returns workspaces that are not in use, without `default`, with their last access in monotonic time (ms). */
  idle(): readonly (readonly [name: string, since: number])[]
  /** Deletes a workspace with all its data, unless it was used since that time; then it returns false. */
  forget(name: string, since: number): Promise<boolean>
}

/** Deletes workspaces whose idle timeout has passed, and returns their names. @param now in monotonic time (ms). */
export async function evictIdle(
  from: EvictionTarget,
  ttl: number,
  now: number = monotonicNow(),
): Promise<string[]> {
  const evicted: string[] = []
  for (const [name, since] of from.idle()) {
    if (now - since >= ttl && (await from.forget(name, since))) evicted.push(name)
  }
  return evicted
}

/** Maximum number of names in one line of the log. */
const maxNamed = 20

/** Returns the line of the log about evicted workspaces; undefined if there are none. */
export function evictedLine(names: readonly string[], ttl: string): string | undefined {
  if (names.length === 0) return undefined
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  return `these workspaces were idle for ${ttl} (--workspace-ttl), so they are deleted: ${names.slice(0, maxNamed).join(', ')}${more}`
}

/** Returns the line of the log about a workspace that was evicted for a new one. */
export function evictedForRoomLine(name: string, limit: number): string {
  return `no room for another workspace (--max-workspaces ${limit}), so the workspace that was idle longest is deleted: ${name}`
}

/** Returns the interval of the check for idle workspaces: a quarter of the timeout, from 100 ms to a minute. */
export function idleCheckInterval(ttl: number): number {
  return Math.min(60_000, Math.max(100, ttl / 4))
}

/**
 * Returns the interval of access reports (to the store or data folder): a tenth of the timeout, at most a
 * minute.
 */
export function accessReportInterval(ttl: number): number {
  return Math.min(60_000, ttl / 10)
}

/** Repeats the check, one at a time. @returns a function that stops it after the last check. */
export function repeat(
  milliseconds: number,
  check: () => Promise<void>,
  onBug: (error: unknown) => void,
): () => Promise<void> {
  let checking: Promise<void> | undefined
  const end = every(milliseconds, () => {
    checking ??= check()
      .catch(onBug)
      .finally(() => (checking = undefined))
  })
  return async () => {
    end()
    await checking
  }
}
