// Generated descriptions of providers, with two events of each.
import fc from 'fast-check'
import { eventTypeNames, type EventType } from '../../src/contract/event-types.ts'
import type { EventContent } from '../../src/events/delivery.ts'
import type { WebhookDescription } from '../../src/events/description-type.ts'
import { keyForms } from '../../src/events/description-schema.ts'
import { secretOf } from '../../src/events/signature.ts'
import { instants, numbers, resourceStates } from './generated-resources.ts'

/** A description, two events of it with the times of their attempts, and the secrets that sign. */
export interface DescribedProvider {
  description: WebhookDescription
  events: [Described, Described]
  /** The valid secrets, newest first. */
  secrets: string[]
  /** The index of the secret that is known. */
  known: number
}

/** An event and its attempt. */
export interface Described {
  event: EventContent
  time: number
}

const eventId = fc.oneof(
  numbers.map((n) => `evt_${n}`),
  fc.uuid(),
  fc.stringMatching(/^msg_[A-Za-z0-9]{27}$/),
)

function described(type: EventType): fc.Arbitrary<Described> {
  return fc
    .tuple(eventId, instants, fc.integer({ min: -600_000, max: 600_000 }), fc.boolean(), resourceStates(type))
    .map(([id, time, later, isSame, { resource, previous }]) => ({
      event: { id, type, time, resource, previous },
      time: Date.parse(time) + (isSame ? 0 : later),
    }))
}

const ownNames: Readonly<Record<string, string[]>> = {
  'reward.updated': ['reward.changed', 'RewardUpdated', 'points_adjusted'],
  'reward.created': ['reward_earned', 'reward-new', 'R1'],
  'transaction_intent.created': ['intent.opened', 'TransactionIntentCreated'],
  'customer.linked': ['customer:linked', 'c.l'],
  'order_event.deleted': ['order_event/removed', 'orders'],
  'statement.created': ['statement.closed', 'Statement'],
  'transaction.posted': ['transaction.settled', 't'],
}

const names = fc.constantFrom(...eventTypeNames).chain((type) =>
  fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom('resource.action', 'RESOURCE_ACTION') },
        {
          weight: 1,
          arbitrary: fc.constantFrom(...(ownNames[type] ?? [])).map((name) => ({ [type]: name })),
        },
      ),
      fc.constantFrom(...eventTypeNames),
    )
    .map(([style, other]): { names: WebhookDescription['names']; types: [EventType, EventType] } => ({
      names: style === 'resource.action' || style === 'RESOURCE_ACTION' ? style : style,
      types: [type, typeof style === 'object' ? type : other],
    })),
)

/** A field of a body: its possible names, and its template. */
const optional = (keys: string[], ...templates: unknown[]): fc.Arbitrary<[string, unknown][]> =>
  fc
    .option(
      fc
        .tuple(fc.constantFrom(...keys), fc.constantFrom(...templates))
        .map((pair): [string, unknown] => pair),
      { nil: undefined, freq: 4 },
    )
    .map((pair) => (pair ? [pair] : []))

const bodyFields = fc
  .tuple(
    optional(['id', 'event_id', 'uuid', 'ident'], '{event.id}'),
    optional(['type', 'event', 'event_type', 'sort'], '{event.type}'),
    optional(['timestamp', 'created', 'occurred_at', 'when'], '{event.time}', '{event.time:unix}'),
    optional(
      ['data', 'object', 'payload', 'thing'],
      '{resource}',
      '{resource}',
      { id: '{resource.id}' },
      { object: '{resource}' },
      { id: '{resource.id}', customer_id: '{resource.customer_id}' },
    ),
    optional(['previous', 'before', 'was'], '{previous}', { status: '{previous.status}' }),
    optional(['resource_id', 'ref'], '{resource.id}'),
    optional(
      ['customer_id', 'status', 'created_at', 'owner'],
      '{resource.customer_id}',
      '{resource.created_at}',
      '{previous.status}',
    ),
    optional(
      ['api_version', 'livemode', 'amount'],
      '2024-01-01',
      false,
      7,
      null,
      'https://example.com/events/{event.id}',
      ['a', { b: 1 }],
    ),
  )
  .chain((lists) => fc.shuffledSubarray(lists.flat(), { minLength: lists.flat().length }))
  .chain((all) => {
    const own = all.filter(([key]) => ['id', 'event_id', 'type', 'timestamp'].includes(key))
    const rest = all.filter((pair) => !own.includes(pair))
    const nested = fc
      .constantFrom('meta', 'event', 'envelope')
      .map((key) =>
        Object.fromEntries([[key, Object.fromEntries(own)], ...rest.filter(([name]) => name !== key)]),
      )
    return fc.oneof(
      { weight: 4, arbitrary: fc.constant(Object.fromEntries(all)) },
      { weight: 1, arbitrary: nested },
    )
  })

const times = [
  '{attempt.time:unix}',
  '{attempt.time:unix}',
  '{attempt.time}',
  '{event.time:unix}',
  '{event.time}',
]

/** Where signed values are in the headers: a part of the signature header, or headers of their own. */
const headers = fc
  .record({
    id: fc.constantFrom('none', 'none', 'webhook-id', 'x-event-id', 'x-acme'),
    copy: fc.option(fc.constantFrom('x-request-id', 'x-copy'), { nil: undefined, freq: 4 }),
    time: fc.constantFrom('none', 'inline', 'webhook-timestamp', 'x-acme-time'),
    timeFormat: fc.constantFrom(...times),
    secondTime: fc.option(fc.constantFrom(...times), { nil: undefined, freq: 6 }),
    type: fc.constantFrom('none', 'none', 'x-event-type', 'x-acme-topic'),
    constant: fc.option(fc.constantFrom('2', 'production', '2024-01-01', '9f86d081884c7d65'), {
      nil: undefined,
    }),
    signature: fc.constantFrom(
      'webhook-signature',
      'x-signature',
      'X-Hub-Signature',
      'acme-sign',
      'authorization',
    ),
    label: fc.constantFrom('', 'v1=', 'v1,', 'sha256=', 'v0:', 'HMAC '),
    encoding: fc.constantFrom('hex', 'base64'),
  })
  .map((made) => {
    const sent: Record<string, string> = {}
    if (made.id !== 'none') sent[made.id] = '{event.id}'
    if (made.copy !== undefined) sent[made.copy] = '{event.id}'
    if (made.time !== 'none' && made.time !== 'inline') sent[made.time] = made.timeFormat
    if (made.secondTime !== undefined) sent['x-sent'] = made.secondTime
    if (made.type !== 'none') sent[made.type] = '{event.type}'
    if (made.constant !== undefined) sent['x-mode'] = made.constant
    const inline = made.time === 'inline' ? `t=${made.timeFormat},` : ''
    sent[made.signature] = `${inline}${made.label}{signature:${made.encoding}}`
    return { sent, made }
  })

const separator = fc.constantFrom('.', ':', '', '\n', ',', '|', '-', '_', ';', ' ', '/')

/** Descriptions whose signed text has only values that a receiver can read from the request. */
export const describedProviders: fc.Arbitrary<DescribedProvider> = fc
  .record({
    names,
    body: bodyFields,
    headers,
    algorithm: fc.constantFrom('hmac-sha256', 'hmac-sha1', 'hmac-sha512'),
    key: fc.constantFrom(...keyForms),
  })
  .chain(({ names: { names: style, types }, body, headers: { sent, made }, algorithm, key }) => {
    const label = made.label.replace(/\W/g, '')
    // Values that only the body has, where a receiver finds them.
    const bodyOf = (...keys: string[]): unknown[] =>
      keys.flatMap((name) => (Object.hasOwn(body, name) ? [Reflect.get(body, name)] : []))
    const bodyTimes = bodyOf('timestamp', 'created', 'occurred_at').map(String)
    const values = [
      ...(made.id === 'none' && made.copy === undefined && bodyOf('id', 'event_id', 'uuid').length > 0
        ? ['{event.id}']
        : []),
      ...(made.time === 'none' && made.secondTime === undefined
        ? bodyTimes.filter((text) => text.startsWith('{event.time'))
        : []),
      ...(made.id === 'none' ? [] : ['{event.id}']),
      ...(made.time === 'none' ? [] : [made.timeFormat]),
      ...(made.type === 'none' ? [] : ['{event.type}']),
      ...(label === '' ? [] : [label]),
    ]
    const signed = fc
      .subarray(values)
      .chain((chosen) =>
        fc
          .tuple(
            fc.shuffledSubarray(['{body}', ...chosen], { minLength: chosen.length + 1 }),
            separator,
            separator,
          )
          .map(([order, one, two]) =>
            order.reduce((text, part, at) => text + (order.length === 3 && at === 2 ? two : one) + part),
          ),
      )
    return fc.record({
      description: fc.record({
        names: fc.constant(style),
        body: fc.constant(body),
        headers: fc.constant(sent),
        signing: fc.record({
          algorithm: fc.constant(algorithm),
          key: fc.constant(key),
          signed,
          join: fc.constantFrom(' ', ',', ', ', ';', 'none'),
        }),
        retries: fc.constant('none' as const),
        success: fc.constant('2xx' as const),
        timeout: fc.constant('5s'),
      }),
      events: fc.tuple(described(types[0]), described(types[1])),
      secrets: fc.uniqueArray(secretsOf(key), { minLength: 1, maxLength: 2 }),
      known: fc.nat(1),
    })
  })
  .map(({ known, secrets, description, ...rest }) => ({
    ...rest,
    description,
    secrets,
    known: description.signing.join === 'none' ? 0 : known % secrets.length,
  }))

function secretsOf(form: (typeof keyForms)[number]): fc.Arbitrary<string> {
  if (form === 'text') return fc.stringMatching(/^[!-~]{12,40}$/)
  return fc.uint8Array({ minLength: 20, maxLength: 48 }).map((bytes) => secretOf(Buffer.from(bytes), form))
}
