// Explains which webhook events a call caused, and what became of them.
import type { Call } from '../call/index.ts'
import { shortBody } from '../events/response-body.ts'
import { allEvents } from '../store/indexes.ts'
import type { EventRow } from '../store/rows.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { fact, type Part } from './explanation.ts'

/** The events that a call caused. Those that the workspace has dropped are missing. */
export function explainEvents({ outcome }: Call, { state }: ExplanationContext): Part {
  const { id, at, changes, scenarioChanges } = outcome
  if (changes.length === 0 && !scenarioChanges) return {}
  // An id is used again after a reset of the journal that kept the rows.
  const events = state
    .scan('events', 'in_order', allEvents)
    .filter((event) => event.request_id === id && Date.parse(event.time) >= at)
  if (events.length === 0) return {}
  return {
    section: { about: 'events', facts: events.map((event) => fact(event.id, event.type, storyOf(event))) },
  }
}

/** The step that made an event, and what became of it. */
export function storyOf(event: Story): string {
  const { event_id: own, transaction_event_id: ofReward } = event.data
  const maker =
    own === undefined ? ofReward && `Its reward was created by step ${ofReward}.` : `Step ${own} created it.`
  return [maker, fateOf(event)].filter(Boolean).join(' ')
}

/** @example fateOf(event)   // 'Attempt 2 to handler_1 was delivered: answered 200.' */
export function fateOf({ deliveries, scenario_rules: rules = [] }: Fate): string {
  const attempts = deliveries.map((attempt) => {
    const { n, endpoint_id: endpoint, state, reason, due, response_body: body, faults = [] } = attempt
    if (endpoint === null) return `It was collected: ${reason}.`
    const when = state === 'waiting' ? ` until ${due}` : ''
    const changed = faults.length === 0 ? '' : ` (${faults.join(', ')})`
    return `Attempt ${n}${changed} to ${endpoint} ${verbs[state]}${when}: ${reason}${body === undefined ? '' : `: ${shortBody(body)}`}.`
  })
  if (rules.length > 0)
    attempts.push(
      `Scenario ${rules.length === 1 ? 'rule' : 'rules'} ${rules.join(', ')} changed its deliveries.`,
    )
  return attempts.join(' ')
}

/** The part of an event that its story is read from. */
interface Story extends Fate {
  readonly data: Readonly<Record<string, unknown>>
}

/** The part of an event that its fate is read from. */
interface Fate {
  readonly deliveries: readonly (Pick<
    EventRow['deliveries'][number],
    'n' | 'endpoint_id' | 'state' | 'reason' | 'due'
  > & { readonly response_body?: string | undefined; readonly faults?: readonly string[] | undefined })[]
  readonly scenario_rules?: readonly string[] | undefined
}

const verbs: Record<EventRow['deliveries'][number]['state'], string> = {
  delivered: 'was delivered',
  waiting: 'waits',
  collected: 'was collected',
  failed: 'failed',
  skipped: 'was skipped',
}
