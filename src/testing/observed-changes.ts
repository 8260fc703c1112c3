// The assertions on webhook events and on changed rows, and their messages. Each asserted one counts as expected, so that
// the test can assert that there was nothing else.
import { z } from 'zod'
import { eventTypeNames } from '../contract/event-types.ts'
import { readInput } from '../input/read-input.ts'
import type { EntryChange, EventType, SandboxWorkspace, StateCollection, WebhookEvent } from '../index.ts'
import { differencesOfValue, type Difference } from '../journal/differences.ts'
import type { Checked } from './received-requests.ts'

/** A workspace, or the sandbox itself for workspace `default`. */
export type Observed = Pick<SandboxWorkspace, 'name' | 'events' | 'requests'>

/** The expected events. Texts of `data` are exact values or globs, and an event may have more fields. */
export interface ExpectedEvents {
  type: EventType
  data?: Readonly<Record<string, unknown>>
  /** How many; at least one by default. */
  count?: number
}

/** The expected change of a row by a call. */
export interface ExpectedChange {
  collection: StateCollection
  id?: string
  /** Fields of the row after the change; null if it was deleted. Texts are exact values or globs. */
  to?: Readonly<Record<string, unknown>> | null
}

/** The matchers that the kits add to `expect(workspace)`. */
export interface ChangeMatchers<R> {
  /**
   * Asserts that matching webhook events were created: at least one, or exactly `count`.
   * @example expect(workspace).toHaveEmitted({ type: 'reward.updated', data: { status: 'AVAILABLE' } })
   */
  toHaveEmitted(expected: ExpectedEvents): R
  /** Asserts that there are no events but those that earlier assertions on this workspace have found. */
  toHaveEmittedNothingElse(): R
  /**
   * Asserts that a call changed a row.
   * @example expect(workspace).toHaveChanged({ collection: 'rewards', id: 'rwd_1', to: { status: 'AVAILABLE' } })
   */
  toHaveChanged(expected: ExpectedChange): R
  /** Asserts that calls changed no rows but those that earlier assertions on this workspace have found. */
  toHaveChangedNothingElse(): R
}

/** The events and changes that earlier assertions on a workspace have found. */
interface AssertedChanges {
  events: Set<string>
  changes: Set<string>
}

const foundIn = new WeakMap<object, AssertedChanges>()

function foundBy(subject: object): AssertedChanges {
  const known = foundIn.get(subject) ?? { events: new Set<string>(), changes: new Set<string>() }
  foundIn.set(subject, known)
  return known
}

const fields = z.record(z.string(), z.unknown(), 'must be an object of fields')

const expectedEvents = z.strictObject({
  type: z.enum(eventTypeNames, `must be one of ${eventTypeNames.join(', ')}`),
  data: fields.optional(),
  count: z.int('must be a number of events').min(0, 'must be 0 or more').optional(),
})

const expectedChange = z.strictObject({
  collection: z.string('must be the name of a collection, such as rewards'),
  id: z.string('must be the id of a row').optional(),
  to: fields.nullable().optional(),
})

/** Checks that matching events were created. @throws {DocumentError} for an unknown type or field. */
export function checkEmitted(subject: unknown, expected: ExpectedEvents): Checked {
  const workspace = observed(subject, 'toHaveEmitted')
  const { type, data, count } = readInput(expectedEvents, expected, 'toHaveEmitted')
  const misses: string[] = []
  const matching = oldestFirst(workspace.events.list()).filter((event) => {
    if (event.type !== type) return false
    const differences = data === undefined ? [] : differencesOfValue(data, event.data, 'data')
    if (differences.length > 0) misses.push(...missLines(`${event.id} ${event.type}`, differences))
    return differences.length === 0
  })
  const wanted = `${JSON.stringify({ type, data })}${count === undefined ? '' : ` ${count} times`}`
  const holds = count === undefined ? matching.length > 0 : matching.length === count
  if (holds) {
    const { events } = foundBy(workspace)
    for (const event of matching) events.add(keyOfEvent(event))
    return { holds, message: `expected no event ${wanted}, but found ${listed(matching)}` }
  }
  const others = oldestFirst(workspace.events.list())
  const nearest = misses.length > 0 ? ['', 'nearest:', ...misses] : ['', `events: ${listed(others)}`]
  return {
    holds,
    message: [`expected an event ${wanted}, but found ${listed(matching)}`, ...nearest].join('\n'),
  }
}

/** Checks that there are no other events. */
export function checkEmittedNothingElse(subject: unknown): Checked {
  const workspace = observed(subject, 'toHaveEmittedNothingElse')
  const { events } = foundBy(workspace)
  const others = oldestFirst(workspace.events.list()).filter((event) => !events.has(keyOfEvent(event)))
  return {
    holds: others.length === 0,
    message:
      others.length === 0
        ? 'expected further events, but there are none'
        : `expected no further events, but found ${listed(others)}`,
  }
}

/** Checks that a call changed a row. @throws {DocumentError} for an unknown field. */
export function checkChanged(subject: unknown, expected: ExpectedChange): Checked {
  const workspace = observed(subject, 'toHaveChanged')
  const { collection, id, to } = readInput(expectedChange, expected, 'toHaveChanged')
  const misses: string[] = []
  const all = changesIn(workspace)
  const matching = all.filter(({ change }) => {
    if (change.collection !== collection || (id !== undefined && change.id !== id)) return false
    const differences = to === undefined ? [] : differencesOfValue(to, change.after ?? null, 'to')
    if (differences.length > 0) misses.push(...missLines(nameOf(change), differences))
    return differences.length === 0
  })
  const wanted = JSON.stringify({ collection, id, to })
  if (matching.length > 0) {
    const { changes } = foundBy(workspace)
    for (const { key } of matching) changes.add(key)
    return { holds: true, message: `expected no change ${wanted}, but found ${changedRows(matching)}` }
  }
  const nearest = misses.length > 0 ? ['', 'nearest:', ...misses] : ['', `changes: ${changedRows(all)}`]
  return { holds: false, message: [`expected a change ${wanted}, but found none`, ...nearest].join('\n') }
}

/** Checks that calls changed no other rows. */
export function checkChangedNothingElse(subject: unknown): Checked {
  const workspace = observed(subject, 'toHaveChangedNothingElse')
  const { changes } = foundBy(workspace)
  const others = changesIn(workspace).filter(({ key }) => !changes.has(key))
  return {
    holds: others.length === 0,
    message:
      others.length === 0
        ? 'expected further changes, but there are none'
        : `expected no further changes, but found ${changedRows(others)}`,
  }
}

/** A change of a call, and a key that no other change has. */
interface CallChange {
  change: EntryChange
  key: string
}

/** The changes of the calls, oldest first. */
function changesIn({ requests }: Observed): CallChange[] {
  return requests
    .list()
    .toReversed()
    .flatMap(({ id, at, changes }) =>
      changes.map((change, index) => ({ change, key: `${id} ${at} ${index}` })),
    )
}

const keyOfEvent = ({ id, time }: WebhookEvent): string => `${id} ${time}`
const nameOf = ({ collection, id }: EntryChange): string => `${collection} ${id}`
const oldestFirst = (events: readonly WebhookEvent[]): WebhookEvent[] => events.toReversed()

const maxListed = 10

function shortList(names: readonly string[]): string {
  const more = names.length - maxListed
  return [...names.slice(0, maxListed), ...(more > 0 ? [`${more} more`] : [])].join(', ') || 'none'
}

const listed = (events: readonly WebhookEvent[]): string =>
  shortList(events.map(({ id, type }) => `${id} ${type}`))

const changedRows = (changes: readonly CallChange[]): string =>
  shortList([...new Set(changes.map(({ change }) => nameOf(change)))])

function missLines(name: string, differences: readonly Difference[]): string[] {
  return [
    `  ${name}`,
    ...differences.map(({ at, expected, actual }) => {
      const found = actual === undefined ? 'nothing' : JSON.stringify(actual)
      return `    ${at}: expected ${JSON.stringify(expected)}, got ${found}`
    }),
  ]
}

function observed(subject: unknown, matcher: string): Observed {
  if (isObserved(subject)) return subject
  throw new TypeError(
    `${matcher}: expected a workspace or a sandbox, as in expect(workspace).${matcher}(…), got ${typeof subject}`,
  )
}

function isObserved(subject: unknown): subject is Observed {
  if (typeof subject !== 'object' || subject === null) return false
  return 'requests' in subject && 'events' in subject
}
