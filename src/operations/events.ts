// The webhook events of a workspace: list, trigger, sign, resend, drain, wait.
import { z } from 'zod'
import {
  attemptFaults,
  declarationOf,
  deliveryStates,
  eventSources,
  eventTypeNames,
  type EventSource,
  type EventType,
} from '../contract/event-types.ts'
import { timestamp } from '../contract/formats.ts'
import { withAttemptNow } from '../events/attempts.ts'
import { providerName } from '../events/bodies.ts'
import { requestHeaders } from '../events/delivery.ts'
import { addEvent } from '../events/emit-events.ts'
import { receives, type Endpoint } from '../events/endpoints.ts'
import { noAddress } from '../events/make-attempt.ts'
import type { Drained } from '../events/delivery-loop.ts'
import type { Outbox } from '../events/outbox.ts'
import { integerBetween } from '../input/integer-between.ts'
import { didYouMean } from '../input/did-you-mean.ts'
import { printable } from '../input/problems.ts'
import { readInput } from '../input/read-input.ts'
import { ConflictError, NotFoundError, notThere } from '../input/refusals.ts'
import { copyOf, plainCopy } from '../json/copy.ts'
import { allEvents } from '../store/indexes.ts'
import { maxAttempts, type EventRow } from '../store/rows.ts'
import { defaultWorkspace, numberOf, workspaceOfEventId } from '../store/sequences.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { operation, OtherAnswer } from './declare.ts'
import { EventsTimeoutError, type EventDelivery, type WebhookEvent } from './webhook-event.ts'
import { eventType, triggered, triggeredRow } from './triggered-event.ts'
import type { RecordAction } from './timeline.ts'

export type { Drained } from '../events/delivery-loop.ts'

/** Which events to return. */
export interface EventFilter {
  type?: EventType
  source?: EventSource
  /** Events from this instant on (RFC 3339, on the clock of the sandbox). */
  since?: string
  /** Maximum number, 1 to 1,000. */
  limit?: number
}

/** The webhook events of a workspace, for tests of a receiver. See docs/events.md. */
export interface WorkspaceEvents {
  /**
   * Returns the events, newest first.
   * @throws {DocumentError} for an unknown filter or an invalid value. @throws {NotFoundError} if no events are served.
   * @example workspace.events.list({ type: 'reward.updated' })
   */
  list(filter?: EventFilter): WebhookEvent[]
  /** Returns one event by its id, or undefined. @throws {NotFoundError} if no events are served. */
  get(id: string): WebhookEvent | undefined
  /** How many older events were dropped; see `eventsSize`. */
  readonly dropped: number
  /**
   * Creates an event without a write.
   * @param about the id of an existing resource, and fields that replace those of the resource. For a transaction, that of
   * a step or of the transaction; for APPLICATION and STREAK, whose data are an example, that of a customer, or none.
   * @throws {NotFoundError} for an unknown id. @throws {DocumentError} for an unknown type, or data that is no JSON.
   * @example workspace.events.trigger('reward.updated', { id: 'rwd_ada_pending', data: { status: 'AVAILABLE' } })
   */
  trigger(type: EventType, about?: { id?: string; data?: Readonly<Record<string, unknown>> }): WebhookEvent
  /**
   * Returns the delivery of an event as a request that is signed with the secret of the workspace, `webhooks.secret`.
   * @param options `at` is the signed time: that of the machine by default, `sandbox`, or an instant (RFC 3339). With
   * `endpoint`, the id of one, its secrets sign.
   * @throws {NotFoundError} for an unknown id.
   * @example const answer = await app.fetch(workspace.events.request('evt_1'))
   */
  request(id: string, options?: { at?: string; endpoint?: string }): Request
  /**
   * Delivers an event again, to the endpoints that it was for, and returns it.
   * @throws {NotFoundError} for an unknown id. @throws {ConflictError} if no endpoint can receive it.
   */
  resend(id: string): Promise<WebhookEvent>
  /**
   * Makes all attempts that are due, and returns how many were made since the previous drain, also by a timer, and how
   * many wait. A handler that calls it gets its result immediately.
   * @throws {ConflictError} after 10,000 deliveries.
   * @example await workspace.events.drain()   // { delivered: 1, failed: 0, waiting: 0 }
   */
  drain(): Promise<Drained>
  /**
   * Waits until there are as many events, by default one, and returns them in the order in which they happened.
   * @param options `timeout` in ms on the machine's clock, by default 5,000.
   * @throws {EventsTimeoutError} with the events that there are, of any type and source.
   * @example await workspace.events.waitFor({ type: 'reward.updated', count: 2 }, { timeout: 1_000 })
   */
  waitFor(
    expected?: Omit<EventFilter, 'limit'> & { count?: number },
    options?: { timeout?: number },
  ): Promise<WebhookEvent[]>
}

/** Thrown where events are not served; the message names the option. */
export const notServed = (): NotFoundError =>
  new NotFoundError(
    'no webhook events are served (assumption webhook_events): set webhooks to a preset or a file, such as --webhooks standard',
  )

/** @throws {NotFoundError} if no events are served. */
export function requireOutbox({ outbox }: Pick<Workspace, 'outbox'>): Outbox {
  if (!outbox) throw notServed()
  return outbox
}

/** @throws {NotFoundError} for an unknown id, with the ids that there are. */
export function endpointIn({ endpoints }: Outbox, id: string): Endpoint {
  const found = endpoints.find(id)
  if (found) return found
  const ids = endpoints.all.map((endpoint) => endpoint.id)
  throw notThere('endpoint', id.slice(0, 100), ids)
}

const eventSource = z.enum(eventSources, `must be one of ${eventSources.join(', ')}`)
const matching = {
  type: eventType.optional().describe('only events of this type, such as reward.updated'),
  source: eventSource.optional().describe('only events from api, simulation, scenario or trigger'),
  since: timestamp
    .optional()
    .describe('only events from this instant on (RFC 3339, by the clock of the workspace)'),
}

export const eventFilter = z.strictObject({
  ...matching,
  limit: integerBetween(1, 1_000)
    .optional()
    .describe('the maximum number of events; the newest are returned'),
})

const maxTimeout = 600_000

const expectation = z.strictObject({
  ...matching,
  count: integerBetween(1, 1_000).default(1).describe('how many events to wait for (default: 1)'),
  timeout_ms: integerBetween(0, maxTimeout).default(5_000),
})

export const deliveryReport = z
  .strictObject({
    status: z
      .int('must be the status of the answer, or null without one')
      .min(100, 'must be 100 to 599')
      .max(599, 'must be 100 to 599')
      .nullable(),
    location: z.string('must be the address of a redirect').optional(),
    duration_ms: z.number('must be the duration in milliseconds').min(0, 'must be 0 or more'),
    error: z.string('must be a text').optional(),
    body: z.string('must be the beginning of the body of the answer').optional(),
    retry_after: z.string('must be the header retry-after of the answer').optional(),
  })
  .refine(({ status, error }) => status !== null || error !== undefined, {
    path: ['error'],
    message: 'is required without a status',
    when: ({ issues }) => issues.length === 0,
  })

const signedBy = z.strictObject({
  at: z
    .union([z.literal('sandbox'), timestamp], 'must be sandbox, or an RFC 3339 date-time')
    .optional()
    .describe('the signed time of the request: sandbox, or an instant (RFC 3339)'),
  endpoint: z
    .string('must be the id of an endpoint')
    .optional()
    .describe('sign with the secret of this endpoint (default: that of the workspace)'),
})

export function workspaceEvents(workspace: Workspace, record: RecordAction) {
  const found = (id: string): EventRow => {
    requireOutbox(workspace)
    const event = workspace.state.get('events', id)
    if (event) return event
    const ids = [...workspace.state.all('events')].map((row) => row.id)
    throw new NotFoundError(`no event has the id '${printable(id.slice(0, 100))}'${didYouMean(id, ids, '')}`)
  }
  /** @throws {NotFoundError} for a type that the description does not send. */
  const requireNamed = ({ context: { description } }: Outbox, type: EventType): void => {
    if (providerName(description, type) === undefined)
      throw new NotFoundError(`the description of webhooks has no name for ${type}: add it to names`)
  }
  /** The matching events, newest first. */
  const select = ({ type, source, since, limit }: z.output<typeof eventFilter>): EventRow[] => {
    requireOutbox(workspace)
    const from = since === undefined ? -Infinity : Date.parse(since)
    return workspace.state
      .scan('events', 'in_order', allEvents, { backwards: true })
      .filter(
        (event) =>
          (type === undefined || event.type === type) &&
          (source === undefined || event.source === source) &&
          Date.parse(event.time) >= from,
      )
      .slice(0, limit)
  }
  /** Creates an event. */
  const trigger = (input: unknown): EventRow => {
    const outbox = requireOutbox(workspace)
    const { type, id, data } = readInput(triggered, input, 'trigger')
    requireNamed(outbox, type)
    const { on, field, value } = declarationOf(type)
    const row = triggeredRow(workspace.state, type, id)
    // The event of a status shows it, whatever the row has.
    const shown = field === undefined || value === undefined ? data : { [field]: value, ...data }
    const event = workspace.write((tx) => {
      const cause = { source: 'trigger', requestId: null } as const
      const before = on === 'updated' ? row : undefined
      return addEvent(tx, type, row, before, cause, outbox.emitContext, copyOf(shown))
    })
    record('event', `Triggered ${type}${id === undefined ? '' : ` of ${id}`}: ${event.id}`)
    outbox.schedule()
    return event
  }
  /** Plans an attempt that is due now, to each endpoint that the event was for. */
  const plan = (id: string): Outbox => {
    const event = found(id)
    const outbox = requireOutbox(workspace)
    requireNamed(outbox, event.type)
    const before = new Set(event.deliveries.map(({ endpoint_id }) => endpoint_id))
    const ready = outbox.endpoints.all.filter((endpoint) => receives(endpoint, event.type))
    const earlier = ready.filter((endpoint) => before.has(endpoint.id))
    const targets = earlier.length > 0 ? earlier : ready
    if (targets.length === 0)
      throw new ConflictError(
        `no enabled endpoint receives ${event.type}: add one by webhooks add URL, or by webhooks.add({ handler }) in the program that runs the sandbox`,
      )
    const now = workspace.clock.timestamp()
    const planned = targets.reduce(
      (row, target) => ({ ...row, deliveries: withAttemptNow(row, target.id, now) }),
      event,
    )
    if (planned.deliveries.length > maxAttempts)
      throw new ConflictError(
        `${id} has ${event.deliveries.length} attempts, and an event has at most ${maxAttempts}: cause another event`,
      )
    workspace.write((tx) => tx.put('events', planned))
    record('event', `Resent ${id}`)
    return outbox
  }
  const waitFor = async (input: unknown): Promise<EventRow[]> => {
    const outbox = requireOutbox(workspace)
    const { count, timeout_ms: timeout, ...filter } = readInput(expectation, input, 'wait')
    let events: EventRow[] = []
    const isThere = (): boolean => {
      events = select(filter).toReversed()
      return events.length >= count
    }
    await outbox.until(() => isThere() || !outbox.isOpen, timeout)
    if (events.length >= count) return events
    if (!outbox.isOpen) throw new ConflictError('the sandbox was closed, or the workspace deleted')
    throw timedOut(events, select({ since: filter.since }).toReversed(), count, timeout, filter)
  }
  const own = {
    list: (filter: unknown = {}) => select(readInput(eventFilter, filter, 'filter')).map(viewOf),
    get: (id: string) => viewOf(found(id)),
    trigger: (input: unknown) => viewOf(trigger(input)),
    /** Returns the parts of the signed request. */
    delivery(id: string, options: unknown = {}) {
      const event = found(id)
      const outbox = requireOutbox(workspace)
      requireNamed(outbox, event.type)
      const { at, endpoint } = readInput(signedBy, options, 'request')
      const secrets =
        endpoint === undefined ? [outbox.ownSecret] : outbox.endpoints.secretsOf(endpointIn(outbox, endpoint))
      const time = at === 'sandbox' ? workspace.clock.now() : at === undefined ? undefined : Date.parse(at)
      const delivery = outbox.deliveryOf(event, secrets, time)
      const headers = requestHeaders(delivery)
      return { method: 'POST' as const, url: noAddress, headers, body: delivery.body }
    },
    async resend(id: string): Promise<WebhookEvent> {
      await plan(id).deliveries.deliver()
      return viewOf(found(id))
    },
    /** Records what the receiver of a listener answered. */
    report(id: string, number: string, input: unknown): WebhookEvent {
      const outbox = requireOutbox(workspace)
      const event = found(id)
      const attempt = event.deliveries.find(({ n }) => String(n) === number)
      if (!attempt) throw new NotFoundError(`${id} has no attempt ${printable(number.slice(0, 20))}`)
      const read = readInput(deliveryReport, input, 'report')
      outbox.report(event, attempt, read)
      return viewOf(found(id))
    },
    waitFor: async (input: unknown) => (await waitFor(input)).map(viewOf),
    drain: () => requireOutbox(workspace).deliveries.drain(),
  }
  return {
    own,
    list: (filter) => plainCopy(own.list(filter)),
    get(id) {
      requireOutbox(workspace)
      const event = workspace.state.get('events', id)
      return event && plainCopy(viewOf(event))
    },
    get dropped() {
      requireOutbox(workspace)
      return droppedIn(workspace)
    },
    trigger: (type, about = {}) => plainCopy(own.trigger({ type, ...about })),
    // Otherwise the type of the library behind Node's own would become part of ours.
    request(id, options): Request {
      const { url, ...init } = own.delivery(id, options)
      return new Request(url, init)
    },
    resend: async (id) => plainCopy(await own.resend(id)),
    drain: () => own.drain(),
    waitFor: async (expected = {}, options = {}) =>
      plainCopy(await own.waitFor({ ...expected, timeout_ms: options.timeout })),
  } satisfies WorkspaceEvents & Record<string, unknown>
}

function viewOf({
  deliveries,
  previous: _previous,
  related: _related,
  scenario_rules: rules,
  ...event
}: EventRow): WebhookEvent {
  return { ...event, deliveries: deliveries.map(deliveryView), ...(rules && { scenario_rules: rules }) }
}

function deliveryView({
  after: _after,
  faults,
  response_body: body,
  ...attempt
}: EventRow['deliveries'][number]): EventDelivery {
  return { ...attempt, ...(body !== undefined && { response_body: body }), ...(faults && { faults }) }
}

/** Events are numbered without gaps, so those that are missing up to the newest one were dropped. */
function droppedIn({ state }: Workspace): number {
  const [newest] = state.scan('events', 'in_order', allEvents, { limit: 1, backwards: true })
  return newest ? numberOf('events', newest.id) - state.size('events') : state.sequences.events
}

/** How many of the newest events that did not match a message names. */
const maxOthers = 10

/** @param all the events of any type and source, as a client may wait for the wrong ones. */
function timedOut(
  events: readonly EventRow[],
  all: readonly EventRow[],
  count: number,
  timeout: number,
  { type, source }: Pick<z.output<typeof expectation>, 'type' | 'source'>,
): EventsTimeoutError {
  const kind = [type === undefined ? '' : ` of type ${type}`, source === undefined ? '' : ` from ${source}`]
  const there = events.map((event) => `${event.id} ${event.type}`).join(', ') || 'none'
  const others = all
    .filter((event) => !events.includes(event))
    .slice(-maxOthers)
    .map((event) => `${event.id} ${event.type} (${event.source})`)
  const more = others.length === 0 ? '' : `; others: ${others.join(', ')}`
  return new EventsTimeoutError(
    `${events.length} of ${count} events${kind.join('')} arrived within ${timeout} ms: ${there}${more}`,
    all.map(viewOf),
  )
}

const attempt = z.object({
  n: z.number(),
  endpoint_id: z.string().nullable(),
  due: z.string(),
  at: z.string().nullable(),
  state: z.enum(deliveryStates),
  status: z.number().nullable(),
  reason: z.string(),
  response_body: z.string().exactOptional(),
  faults: z.array(z.enum(attemptFaults)).exactOptional(),
})
/** A webhook event with its attempts. */
export const event = z.object({
  id: z.string(),
  type: z.enum(eventTypeNames),
  time: z.string(),
  source: z.enum(eventSources),
  data: z.record(z.string(), z.unknown()),
  request_id: z.string().nullable(),
  deliveries: z.array(attempt),
  scenario_rules: z.array(z.string()).exactOptional(),
})
type ReadEvent = z.output<typeof event>
export const eventList = z.object({ events: z.array(event) })
export const tooFewEvents = eventList.extend({ error: z.looseObject({ message: z.string() }) })
/** A delivery as a request, to send with any client. */
export const signedRequest = z.object({
  method: z.literal('POST'),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})

/** @example eventLine(event)   // 2027-01-01T00:00:00.000Z  evt_1  reward.updated  api  delivered */
export function eventLine({ id, type, time, source, deliveries, request_id: request }: ReadEvent): string {
  const last = deliveries.at(-1)
  return [time, id, type, request ?? source, last?.state ?? 'collected'].join('  ')
}

/** Returns the workspace of the event that a verb names: that of `--workspace`, or the one in the id. */
export function workspaceOfEvent([id = '']: readonly string[], flag: unknown): string | undefined {
  if (typeof flag === 'string') return flag
  const ofId = workspaceOfEventId(id)
  // A token of a partner decides where its ids have no name.
  return ofId === defaultWorkspace ? undefined : ofId
}

/** The help on `--workspace` of the verbs that name an event. */
export const workspaceOfEventHelp =
  "the workspace (default: the one that the id names, that of a partner's token, or default)"

const byId = z.object({ id: z.string().describe('such as evt_1') })

interface EventsTarget {
  workspace: { events: ReturnType<typeof workspaceEvents> }
}

export const awaitEvents = operation({
  id: 'events.waitFor',
  route: 'POST /_sandbox/events/wait',
  about: 'wait until there are as many events',
  body: expectation.optional(),
  reads: true,
  result: eventList,
  others: { 409: tooFewEvents },
  async run({ workspace }: EventsTarget, { body }) {
    try {
      return { events: await workspace.events.own.waitFor(body ?? {}) }
    } catch (error) {
      if (!(error instanceof EventsTimeoutError)) throw error
      const { message, events } = error
      return new OtherAnswer(409, { error: { type: 'CONFLICT', message }, events })
    }
  },
})

export const signRequest = operation({
  id: 'events.request',
  route: 'GET /_sandbox/events/:id/request',
  about: 'show the signed request that delivers an event',
  path: byId,
  query: signedBy,
  word: 'request',
  result: signedRequest,
  run: ({ workspace: { events } }: EventsTarget, { path, query }) => events.own.delivery(path.id, query),
})

export const eventOperations = [
  operation({
    id: 'events.list',
    route: 'GET /_sandbox/events',
    verb: { name: 'events list', about: 'list the events, oldest first' },
    about: 'list the webhook events, newest first',
    query: eventFilter,
    word: 'filter',
    result: eventList.extend({ dropped: z.number() }),
    printed: {
      text({ events, dropped }) {
        const older = dropped === 1 ? 'event was' : 'events were'
        const lines = events.toReversed().map((one) => `${eventLine(one)}\n`)
        return `${dropped === 0 ? '' : `${dropped} older ${older} dropped\n`}${lines.join('')}`
      },
    },
    run: ({ workspace: { events } }: EventsTarget, { query }) => ({
      events: events.own.list(query),
      dropped: events.dropped,
    }),
  }),
  operation({
    id: 'events.trigger',
    route: 'POST /_sandbox/events/trigger',
    verb: { name: 'events trigger', args: ['type'] },
    about: 'create an event of an existing resource, without a write',
    body: triggered,
    status: 201,
    result: event,
    printed: { text: (one) => `${eventLine(one)}\n` },
    run: ({ workspace: { events } }: EventsTarget, { body }) => events.own.trigger(body),
  }),
  operation({
    id: 'events.drain',
    route: 'POST /_sandbox/events/drain',
    verb: 'events drain',
    about: 'make all attempts that are due',
    result: z.object({ delivered: z.number(), failed: z.number(), waiting: z.number() }),
    run: ({ workspace: { events } }: EventsTarget) => events.own.drain(),
  }),
  awaitEvents,
  operation({
    id: 'events.get',
    route: 'GET /_sandbox/events/:id',
    about: 'show one event, with its attempts',
    path: byId,
    result: event,
    run: ({ workspace: { events } }: EventsTarget, { path }) => events.own.get(path.id),
  }),
  signRequest,
  operation({
    id: 'events.resend',
    route: 'POST /_sandbox/events/:id/resend',
    verb: { name: 'events resend', workspace: workspaceOfEventHelp, workspaceOf: workspaceOfEvent },
    about: 'deliver an event again',
    path: byId,
    result: event,
    printed: {
      text(one) {
        const last = one.deliveries.at(-1)
        return `${eventLine(one)}${last === undefined ? '' : ` (${last.reason})`}\n`
      },
    },
    run: ({ workspace: { events } }: EventsTarget, { path }) => events.own.resend(path.id),
  }),
]
