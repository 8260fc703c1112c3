// Claims: with a shared store, a process claims an attempt before it makes it, so that no other process makes it, too.
import { durationMs } from '../runtime/duration.ts'
import type { Attempt } from './attempts.ts'
import type { WebhookDescription } from './description-type.ts'

/** A process of a shared store. */
export interface Claimant {
  readonly by: string
  /** The time of the machine (ms). */
  now(): number
}

/** How long a claim lasts beyond the timeout of an attempt (ms): other machines may have other clocks. */
const margin = 15_000

/** How much of the margin must remain when an attempt begins (ms). */
const minMargin = 5_000

const timeoutOf = ({ timeout }: WebhookDescription): number => durationMs(timeout) ?? 0

/** A claim from now on. */
export function claimFrom(
  { by, now }: Claimant,
  description: WebhookDescription,
): Required<Attempt>['claim'] {
  return { by, until: new Date(now() + timeoutOf(description) + margin).toISOString() }
}

/**
 * For how long another process still makes an attempt (ms); 0 if none does.
 * @param claimant undefined if no others share the store.
 */
export function claimedElsewhere({ claim }: Attempt, claimant: Claimant | undefined): number {
  if (claim === undefined || !claimant || claim.by === claimant.by) return 0
  return Math.max(0, Date.parse(claim.until) - claimant.now())
}

/** Whether a process has a claim that lasts until the end of an attempt that begins now. */
export function holds({ claim }: Attempt, { by, now }: Claimant, description: WebhookDescription): boolean {
  return claim?.by === by && Date.parse(claim.until) - now() >= timeoutOf(description) + minMargin
}
