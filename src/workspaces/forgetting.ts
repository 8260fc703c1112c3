// Forgetting (--workspace-ttl): workspaces that nobody used for so long go; never `default`, never one in use.
import { monotonicNow } from '../runtime/host.ts'
import { every } from '../runtime/wait.ts'

/** Where the workspaces are that may be forgotten. */
export interface Forgettable {
  /** Those that nobody uses just now, without `default`, and since when, in the machine's own time (ms). */
  idle(): readonly (readonly [name: string, since: number])[]
  /** Forgets one with all that is kept of it, unless somebody has used it since that moment; then it gives false. */
  forget(name: string, since: number): Promise<boolean>
}

/** Forgets what was idle for so long, and gives its names. @param now in the machine's own time (ms). */
export async function forgetIdle(
  from: Forgettable,
  ttl: number,
  now: number = monotonicNow(),
): Promise<string[]> {
  const forgotten: string[] = []
  for (const [name, since] of from.idle()) {
    if (now - since >= ttl && (await from.forget(name, since))) forgotten.push(name)
  }
  return forgotten
}

/** How many names one line of the log has. */
const maxNamed = 20

/** What the log says of those that were forgotten; undefined where none were. */
export function forgottenLine(names: readonly string[], ttl: string): string | undefined {
  if (names.length === 0) return undefined
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  return `nobody used these workspaces for ${ttl} (--workspace-ttl), so they are deleted: ${names.slice(0, maxNamed).join(', ')}${more}`
}

/** What the log says of one that went for another. */
export function madeRoomLine(name: string, most: number): string {
  return `no room for another workspace (--max-workspaces ${most}), so the one that nobody used for longest is deleted: ${name}`
}

/** How often it is looked for those that were idle for so long: in a quarter of it, from 100 ms to a minute. */
export function lookingEvery(ttl: number): number {
  return Math.min(60_000, Math.max(100, ttl / 4))
}

/** How often it is told elsewhere that a workspace is in use: a tenth of that time, or a minute. */
export function tellingEvery(ttl: number): number {
  return Math.min(60_000, ttl / 10)
}

/** Looks again and again, one look at a time. @returns ends it, once the last look is over. */
export function keepForgetting(
  milliseconds: number,
  look: () => Promise<void>,
  onBug: (error: unknown) => void,
): () => Promise<void> {
  let looking: Promise<void> | undefined
  const end = every(milliseconds, () => {
    looking ??= look()
      .catch(onBug)
      .finally(() => (looking = undefined))
  })
  return async () => {
    end()
    await looking
  }
}
