// The first attempts of an event as scenarios plan them: repeated, dropped, later, after the next event, or with faults.
import type { AttemptFault } from '../contract/event-types.ts'
import { scenarioOf, type EventPlan } from '../scenarios/event-plan.ts'
import { isHeld } from '../store/attempt-order.ts'
import { allEvents } from '../store/indexes.ts'
import { maxAttempts, type EventRow } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import type { Attempt } from './attempts.ts'
import { contentFaults, whyWithout } from './faults.ts'
import type { WebhookDescription } from './description-type.ts'

/** How long an attempt waits for the next event (ms). */
const heldFor = 5_000

/** An attempt that waits for the next event. */
export interface HeldAttempt {
  readonly event: EventRow
  readonly attempt: Attempt
}

/** The event of a plan. */
interface PlannedEvent {
  readonly time: string
  /** Whether a call caused it. */
  readonly isOfCall: boolean
  readonly description: WebhookDescription
  /** The attempts that this event releases: it is not held itself at their endpoints. */
  readonly held: readonly HeldAttempt[]
}

/** Returns the attempts that wait for the next event, at the instant of that event. */
export function heldAttempts(tx: Transaction, time: string): HeldAttempt[] {
  const isWaiting = (attempt: Attempt): boolean =>
    isHeld(attempt) && Date.parse(attempt.due) > Date.parse(time)
  return tx
    .scan('events', 'held', allEvents)
    .flatMap((event) => event.deliveries.filter(isWaiting).map((attempt) => ({ event, attempt })))
}

/** Applies a plan to the first attempts of an event. */
export function plannedAttempts(first: readonly Attempt[], plan: EventPlan, event: PlannedEvent): Attempt[] {
  const { droppedBy } = plan
  if (droppedBy !== undefined) {
    const reason = `dropped by scenario ${scenarioOf(droppedBy)}`
    return first.map((one) => (one.state === 'waiting' ? { ...one, state: 'skipped', reason } : one))
  }
  const { faults, without } = faultsOf(plan, event)
  const ofContent = faults.filter((fault) => contentFaults.includes(fault))
  const by = byScenarios(plan.rules)
  const notes = without.map((note) => `; ${note}`).join('')
  const due = new Date(Date.parse(event.time) + plan.delay).toISOString()
  const isReleasing = ({ endpoint_id: id }: Attempt): boolean =>
    event.held.some(({ attempt }) => attempt.endpoint_id === id)
  const planned = first.map((one): Attempt => {
    if (one.state !== 'waiting') return withFaults(one, ofContent)
    if (!plan.faults.has('reorder'))
      return withFaults({ ...one, due, reason: `${one.reason}, changed ${by}${notes}` }, faults)
    if (isReleasing(one)) {
      const others = faults.filter((fault) => fault !== 'reorder')
      return withFaults({ ...one, due, reason: `made before an earlier event, ${by}${notes}` }, others)
    }
    const limit = new Date(Date.parse(event.time) + (plan.delay || heldFor)).toISOString()
    return withFaults({ ...one, due: limit, reason: `waits for the next event, ${by}${notes}` }, faults)
  })
  return withDuplicates(planned, plan.duplicates, `a duplicate, ${by}`)
}

/** @example byScenarios(['event-late#1'])   // 'by scenario event-late' */
const byScenarios = (rules: readonly string[]): string =>
  `by scenario ${[...new Set(rules.map(scenarioOf))].join(', ')}`

const withFaults = (attempt: Attempt, faults: readonly AttemptFault[]): Attempt =>
  faults.length === 0 ? attempt : { ...attempt, faults: [...faults] }

/** The faults of a plan that can act, and why the others cannot. */
function faultsOf(
  plan: EventPlan,
  { description, isOfCall }: PlannedEvent,
): { faults: AttemptFault[]; without: string[] } {
  const faults: AttemptFault[] = []
  const without: string[] = []
  for (const fault of plan.faults) {
    const why = fault === 'early' ? whyNotEarly(plan, isOfCall) : whyWithout(fault, description)
    if (why === undefined) faults.push(fault)
    else without.push(`${fault} does nothing: ${why}`)
  }
  return { faults, without }
}

function whyNotEarly({ delay, faults }: EventPlan, isOfCall: boolean): string | undefined {
  if (!isOfCall) return 'no call caused the event'
  return delay > 0 || faults.has('reorder') ? 'another effect makes the event late' : undefined
}

/** Adds copies of the waiting attempts, each after the original: as many of each as an event may have. */
function withDuplicates(planned: readonly Attempt[], copies: number, reason: string): Attempt[] {
  const originals = planned.filter(({ state }) => state === 'waiting').length
  const length = Math.min(copies, Math.max(0, Math.floor((maxAttempts - planned.length) / originals)))
  const all = planned.flatMap((one) => {
    if (one.state !== 'waiting') return [one]
    return [one, ...Array.from({ length }, () => ({ ...one, reason }))]
  })
  return all.map((one, index) => ({ ...one, n: index + 1 }))
}

/** Plans the held attempts of the endpoints that a new event is sent to: each is made right after the event. */
export function releaseHeld(tx: Transaction, held: readonly HeldAttempt[], next: EventRow): void {
  for (const { event, attempt } of held) {
    const own = next.deliveries.filter(({ endpoint_id: id }) => id === attempt.endpoint_id)
    const sent = own.find((one) => one.state === 'waiting')
    const current = tx.get('events', event.id)
    if (!sent || !current) continue
    const { due } = sent
    const reason = `made after ${next.id}, ${byScenarios(current.scenario_rules ?? [])}`
    const deliveries = current.deliveries.map((one) =>
      one.n === attempt.n ? { ...one, due, after: next.id, reason } : one,
    )
    tx.put('events', { ...current, deliveries })
  }
}
