// Receivers with usual mistakes, and correct ones, against the built-in scenarios of events: a mistake leaves a point of
// the list `receiver` uncovered, or wrong rows at the receiver; a correct receiver covers all points and has its rows.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { Hono } from 'hono'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { ReceiverPointId } from '../../src/events/receiver-points.ts'
import type { WebhookHandler } from '../../src/events/endpoints.ts'
import type { SandboxWorkspace } from '../../src/index.ts'
import { startSandbox } from '../helpers/sandbox.ts'

interface Change {
  id: string
  /** When it happened. */
  time: string
  reward: { id: string; status: string }
}

class DuplicateError extends Error {}

/** The database of a receiver. Every access ends in a later iteration of the event loop. */
class Database {
  /** The rewards that the program has saved. */
  readonly known = new Set<string>()
  /** How many of the next writes fail. */
  failures = 0
  #writes = 0
  /** Ids of events that were handled; the column is unique. */
  readonly #handled = new Set<string>()
  readonly #rows = new Map<string, { status: string; time: string }>()

  async isHandled(id: string): Promise<boolean> {
    await setImmediate()
    return this.#handled.has(id)
  }

  /** Saves a change in one transaction. @throws {DuplicateError} for an event that was handled. */
  async save({ id, time, reward }: Change, isWritten = isNewer): Promise<void> {
    this.#writes += 1
    await setImmediate()
    this.#writes -= 1
    if (this.failures > 0) {
      this.failures -= 1
      throw new Error('the database is not available')
    }
    if (this.#handled.has(id)) throw new DuplicateError(`there is a row with the id ${id}`)
    this.#handled.add(id)
    const row = this.#rows.get(reward.id)
    if (isWritten(time, row?.time)) this.#rows.set(reward.id, { status: reward.status, time })
  }

  /** Resolves when no write is left. */
  async settled(): Promise<void> {
    while (this.#writes > 0) await setImmediate()
  }

  /** The ids of the events that it has, and the status of each reward. */
  get contents(): [ids: string[], rewards: [id: string, status: string][]] {
    return [[...this.#handled].toSorted(), [...this.#rows].map(([id, { status }]) => [id, status])]
  }
}

const isNewer = (time: string, than: string | undefined): boolean => than === undefined || time > than

class Refused extends Error {
  readonly status: number
  constructor(status: number) {
    super(`answers ${status}`)
    this.status = status
  }
}

interface Message {
  body: string
  headers: Headers
  secret: string
}

interface ReceivedEvent {
  id: string
  type: string
  timestamp: string
  data: { id: string; status: string }
}

const changeOf = ({ id, timestamp: time, data }: ReceivedEvent): Change => ({ id, time, reward: data })

/** The steps of a receiver. A mistake replaces one. */
interface Steps {
  read(request: Request): Promise<string>
  /** @throws {Refused} */
  verify(message: Message): void
  handle(event: ReceivedEvent, database: Database): Promise<void>
  /** The status for an error of another class than `Refused`. */
  failed: number
}

const toleranceSeconds = 300

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice('whsec_'.length), 'base64')
const refuse = (): never => {
  throw new Refused(400)
}

/** Returns the seconds from now to the timestamp of a message. */
function secondsAhead({ headers }: Message): number {
  const time = Number(headers.get('webhook-timestamp') ?? NaN)
  return Number.isFinite(time) ? time - Date.now() / 1000 : refuse()
}

/** Returns the signature that a message should have. */
function signatureOf({ body, headers, secret }: Message): Buffer {
  const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${body}`
  return createHmac('sha256', keyOf(secret)).update(signed).digest()
}

/** Returns the signatures of a message. */
const signaturesIn = (header: string): Buffer[] =>
  header.split(' ').flatMap((one) => (one.startsWith('v1,') ? [Buffer.from(one.slice(3), 'base64')] : []))

function verifySignature(message: Message): void {
  const expected = signatureOf(message)
  const found = signaturesIn(message.headers.get('webhook-signature') ?? '')
  if (!found.some((one) => one.length === expected.length && timingSafeEqual(one, expected))) refuse()
}

/** A receiver without a mistake. */
const correct: Steps = {
  read: (request) => request.text(),
  verify(message) {
    if (Math.abs(secondsAhead(message)) > toleranceSeconds) refuse()
    verifySignature(message)
  },
  async handle(event, database) {
    if (event.type !== 'reward.updated') return
    await database.save(changeOf(event)).catch((error: unknown) => {
      if (!(error instanceof DuplicateError)) throw error
    })
  },
  failed: 500,
}

type MakeReceiver = (config: { secret: string }, database: Database) => WebhookHandler

const receiver =
  (changes: Partial<Steps>): MakeReceiver =>
  (config, database) => {
    const { read, verify, handle, failed } = { ...correct, ...changes }
    return async (request) => {
      try {
        const body = await read(request)
        verify({ body, headers: request.headers, secret: config.secret })
        await handle(JSON.parse(body) as ReceivedEvent, database)
        return new Response(null, { status: 204 })
      } catch (error) {
        return new Response(null, { status: error instanceof Refused ? error.status : failed })
      }
    }
  }

async function* chunksOf(request: Request): AsyncGenerator<Buffer> {
  for await (const chunk of request.body ?? []) yield Buffer.from(chunk as Uint8Array)
}

/** What a receiver must cover in each situation: a scenario, or the database failing at its first write. */
const situations: Readonly<Record<string, readonly ReceiverPointId[]>> = {
  'the database fails once': ['accepted', 'accepted_after_retry'],
  'event-duplicate': ['accepted', 'duplicate_accepted'],
  'event-concurrent': ['accepted', 'concurrent_accepted'],
  'event-early': ['accepted', 'early_accepted'],
  'event-reorder': ['accepted'],
  'event-late': ['accepted'],
  'event-bad-signature': ['accepted', 'accepted_after_retry', 'bad_signature_refused'],
  'event-no-signature': ['accepted', 'accepted_after_retry', 'no_signature_refused'],
  'event-malformed-signature': ['accepted', 'accepted_after_retry', 'malformed_signature_refused'],
  'event-stale-timestamp': ['accepted', 'accepted_after_retry', 'stale_timestamp_refused'],
  'event-future-timestamp': ['accepted', 'accepted_after_retry', 'future_timestamp_refused'],
  'event-unknown-type': ['accepted', 'unknown_type_accepted'],
  'event-unknown-fields': ['accepted', 'unknown_fields_accepted'],
  'event-same-json-other-bytes': ['accepted', 'same_json_other_bytes_accepted'],
  'event-large': ['accepted', 'large_accepted'],
}

/** Something that a suite sees of a mistake: a point that is not covered, or wrong rows. */
type Finding = `${string}: ${ReceiverPointId | 'rows'}`

/** The statuses of one reward in turn. */
const statuses = ['AVAILABLE', 'DEDUCTED'] as const
const reward = 'rwd_ada_pending'

/** Causes the events of a situation. Returns the rows that a receiver must have of them. */
async function causeEvents(
  workspace: SandboxWorkspace,
  situation: string,
  database: Database,
): Promise<Database['contents']> {
  if (situation === 'event-early') {
    const answer = await workspace.fetch(`/v2/rewards/${reward}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${workspace.apiKey}`,
        'content-type': 'application/json',
        'x-service-merchant-key': 'mk_summit',
      },
      body: JSON.stringify({ status: 'AVAILABLE' }),
    })
    expect(answer.status).toBe(200)
    database.known.add(reward)
    return [workspace.events.list().map(({ id }) => id), [[reward, 'AVAILABLE']]]
  }
  database.known.add(reward)
  const ids: string[] = []
  for (const status of statuses) {
    ids.push(workspace.events.trigger('reward.updated', { id: reward, data: { status } }).id)
    await workspace.clock.advance({ seconds: 1 })
  }
  const handled = situation === 'event-unknown-type' ? ids.slice(1) : ids
  return [handled.toSorted(), [[reward, 'DEDUCTED']]]
}

/** Returns what a suite sees of a receiver, in all situations or one. */
async function findingsOf(make: MakeReceiver, webhooks = 'standard', only?: string): Promise<Finding[]> {
  const sandbox = await startSandbox({ webhooks })
  const findings: Finding[] = []
  for (const [situation, required] of Object.entries(situations)) {
    if (only !== undefined && situation !== only) continue
    const name = situation.replaceAll(/\W/g, '-')
    const workspace = sandbox.workspace(name)
    const database = new Database()
    if (situation.startsWith('event-')) await workspace.scenarios.activate(situation)
    else database.failures = 1
    const config = { secret: '' }
    config.secret = workspace.webhooks.add({ handler: make(config, database) }).secret
    const expected = await causeEvents(workspace, situation, database)
    await workspace.clock.advance({ hours: 1 })
    await database.settled()
    const { receiver: points = [] } = await sandbox.coverage.get({ workspace: name })
    const covered = points.flatMap((point) => (point.covered ? [point.id] : []))
    for (const id of required) if (!covered.includes(id)) findings.push(`${situation}: ${id}`)
    if (JSON.stringify(database.contents) !== JSON.stringify(expected)) findings.push(`${situation}: rows`)
  }
  return findings
}

const mistakes: [title: string, make: MakeReceiver, seen: Finding][] = [
  ['verifies nothing', receiver({ verify: () => undefined }), 'event-bad-signature: bad_signature_refused'],
  [
    'verifies JSON.stringify of the parsed body',
    receiver({
      verify: (message) =>
        correct.verify({ ...message, body: JSON.stringify(JSON.parse(message.body) as unknown) }),
    }),
    'event-same-json-other-bytes: same_json_other_bytes_accepted',
  ],
  [
    'ignores the timestamp',
    receiver({ verify: verifySignature }),
    'event-stale-timestamp: stale_timestamp_refused',
  ],
  [
    'accepts a timestamp in the future',
    receiver({
      verify(message) {
        if (secondsAhead(message) < -toleranceSeconds) refuse()
        verifySignature(message)
      },
    }),
    'event-future-timestamp: future_timestamp_refused',
  ],
  [
    'accepts a request without a signature',
    receiver({ verify: (message) => message.headers.has('webhook-signature') && correct.verify(message) }),
    'event-no-signature: no_signature_refused',
  ],
  [
    'accepts a signature that it cannot read',
    receiver({
      verify(message) {
        const isReadable = /^v1,[\w+/]{43}=$/.test(message.headers.get('webhook-signature') ?? 'v1,')
        if (isReadable || !message.headers.has('webhook-signature')) correct.verify(message)
      },
    }),
    'event-malformed-signature: malformed_signature_refused',
  ],
  [
    'throws at a signature of another length',
    receiver({
      verify(message) {
        if (Math.abs(secondsAhead(message)) > toleranceSeconds) refuse()
        const [found = refuse()] = signaturesIn(message.headers.get('webhook-signature') ?? '')
        if (!timingSafeEqual(found, signatureOf(message))) refuse()
      },
    }),
    'event-malformed-signature: malformed_signature_refused',
  ],
  [
    'throws without a signature',
    receiver({
      verify(message) {
        if (message.headers.get('webhook-signature') === null) throw new TypeError('cannot read null')
        correct.verify(message)
      },
    }),
    'event-no-signature: no_signature_refused',
  ],
  [
    'answers 200 to everything that it refuses',
    receiver({
      verify(message) {
        try {
          correct.verify(message)
        } catch {
          throw new Refused(200)
        }
      },
    }),
    'event-bad-signature: bad_signature_refused',
  ],
  [
    'does not remember ids',
    receiver({ handle: (event, database) => database.save(changeOf(event)) }),
    'event-duplicate: duplicate_accepted',
  ],
  [
    'looks an id up before it saves it',
    receiver({
      async handle(event, database) {
        if (await database.isHandled(event.id)) return
        if (event.type === 'reward.updated') await database.save(changeOf(event))
      },
    }),
    'event-concurrent: concurrent_accepted',
  ],
  [
    'answers before its work',
    receiver({
      handle: async (event, database) => void correct.handle(event, database).catch(() => undefined),
    }),
    'the database fails once: accepted_after_retry',
  ],
  [
    'remembers an id before its work',
    (config, database) => {
      const seen = new Set<string>()
      return receiver({
        async handle(event) {
          if (seen.has(event.id)) return
          seen.add(event.id)
          await correct.handle(event, database)
        },
      })(config, database)
    },
    'the database fails once: rows',
  ],
  [
    'overwrites a newer row by an older event',
    receiver({
      handle: async (event, database) => {
        if (event.type !== 'reward.updated') return
        await database
          .save(changeOf(event), () => true)
          .catch((error: unknown) => {
            if (!(error instanceof DuplicateError)) throw error
          })
      },
    }),
    'event-reorder: rows',
  ],
  [
    'fails on an unknown type',
    receiver({
      handle: (event, database) =>
        event.type === 'reward.updated' ? correct.handle(event, database) : Promise.reject(new Refused(422)),
    }),
    'event-unknown-type: unknown_type_accepted',
  ],
  [
    'fails on unknown fields',
    receiver({
      handle(event, database) {
        const fields = ['id', 'type', 'timestamp', 'data', 'sandbox_large_text']
        if (Object.keys(event).some((field) => !fields.includes(field))) throw new Refused(422)
        return correct.handle(event, database)
      },
    }),
    'event-unknown-fields: unknown_fields_accepted',
  ],
  [
    'fails on an event of a row that it has not saved yet',
    receiver({
      handle: (event, database) =>
        database.known.has(event.data.id)
          ? correct.handle(event, database)
          : Promise.reject(new Error('there is no such reward')),
    }),
    'event-early: early_accepted',
  ],
  [
    'reads at most 100 kB',
    receiver({
      async read(request) {
        const body = await request.text()
        if (Buffer.byteLength(body) > 100 * 1024) throw new Refused(413)
        return body
      },
    }),
    'event-large: large_accepted',
  ],
  [
    'decodes each chunk of the body by itself',
    receiver({
      async read(request) {
        let body = ''
        for await (const chunk of chunksOf(request)) body += chunk.toString()
        return body
      },
    }),
    'event-large: large_accepted',
  ],
]

/** The receiver of docs/events.md, with a database. */
const withLibrary: MakeReceiver = (config, database) => {
  const app = new Hono().post('/', async (c) => {
    const body = await c.req.text()
    try {
      new Webhook(config.secret).verify(body, c.req.header())
    } catch {
      return c.text('refused', 400)
    }
    try {
      await correct.handle(JSON.parse(body) as ReceivedEvent, database)
    } catch {
      return c.body(null, 500)
    }
    return c.body(null, 204)
  })
  return (request) => app.fetch(request)
}

/** A receiver that refuses a duplicate while it handles the event. */
const withLock: MakeReceiver = (config, database) => {
  const locked = new Set<string>()
  return receiver({
    async handle(event) {
      if (locked.has(event.id)) throw new Refused(409)
      locked.add(event.id)
      try {
        await correct.handle(event, database)
      } finally {
        locked.delete(event.id)
      }
    },
  })(config, database)
}

/** A receiver that saves events in a queue, answers, and handles them afterwards, again after a failure. */
const withQueue: MakeReceiver = (config, database) => {
  const queue = new Map<string, ReceivedEvent>()
  const work = async (event: ReceivedEvent): Promise<void> => {
    while (
      !(await correct.handle(event, database).then(
        () => true,
        () => false,
      ))
    );
  }
  return receiver({
    async handle(event) {
      await setImmediate()
      // Its database is that of the queue: a failure of it is answered.
      if (database.failures > 0) {
        database.failures -= 1
        throw new Error('the queue is not available')
      }
      if (queue.has(event.id)) return
      queue.set(event.id, event)
      void work(event)
    },
  })(config, database)
}

/** A receiver of `timestamped_hmac`, which has the timestamp and the signature in one header. */
const ofOneHeader: MakeReceiver = (config, database) =>
  receiver({
    verify({ body, headers, secret }) {
      const fields = new Map(
        (headers.get('webhook-signature') ?? '').split(',').map((part): [string, string] => {
          const [name = '', value = ''] = part.split('=')
          return [name, value]
        }),
      )
      const time = fields.get('t') ?? 'none'
      if (!(Math.abs(Number(time) - Date.now() / 1000) <= toleranceSeconds)) refuse()
      const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest()
      const found = Buffer.from(fields.get('v1') ?? '', 'hex')
      if (found.length !== expected.length || !timingSafeEqual(found, expected)) refuse()
    },
  })(config, database)

const correctOnes: [title: string, make: MakeReceiver, webhooks?: string][] = [
  ['verifies by hand', receiver({})],
  ['verifies by standardwebhooks', withLibrary],
  ['answers 409 to a duplicate while it handles the event', withLock],
  ['answers after it has queued the event', withQueue],
  ['verifies one header with timestamp and signature', ofOneHeader, 'timestamped_hmac'],
]

describe('a receiver', () => {
  it.each(mistakes)('that %s -> noticed', async (_title, make, seen) => {
    const [situation] = seen.split(': ')
    expect(await findingsOf(make, 'standard', situation)).toContain(seen)
  })

  it.each(correctOnes)('that %s -> not blamed', async (_title, make, webhooks) => {
    expect(await findingsOf(make, webhooks)).toEqual([])
  })

  it('there are 19 with a mistake and 5 without', () => {
    expect([mistakes.length, correctOnes.length]).toEqual([19, 5])
  })
})
