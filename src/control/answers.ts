// The JSON that the control plane answers, as schemas: its routes declare them, and the command line reads answers by them.
import { z } from 'zod'
import { attemptFaults, deliveryStates, eventSources, eventTypeNames } from '../contract/event-types.ts'
import { receiverPointIds } from '../events/receiver-points.ts'
import { sectionNames } from '../explain/explanation.ts'
import { timelineEntry } from '../workspaces/timeline.ts'

/** The answer without a body (204). */
export const noContent = z.undefined()

/** A document, a row or a list of rows: its own schema is that of fixtures. */
export const anyJson = z.unknown()

export const health = z.looseObject({ status: z.string() })

export const ready = z.object({ status: z.literal('ready') })

export const clock = z.object({ now: z.string(), frozen: z.boolean() })

/** The workspace after a reset, a restored snapshot or an upload has replaced its rows. */
export const replaced = z.object({ workspace: z.string(), rows: z.number(), clock })

export const snapshot = z.object({ name: z.string(), created_at: z.string(), rows: z.number() })
export const snapshots = z.object({ snapshots: z.array(snapshot) })

const row = z.record(z.string(), z.unknown())
export const fieldChange = z.object({
  before: z.unknown().exactOptional(),
  after: z.unknown().exactOptional(),
})

/** The difference of two states, by collection. */
export const stateDiff = z.record(
  z.string(),
  z.object({
    added: z.array(row),
    changed: z.array(z.object({ id: z.string(), fields: z.record(z.string(), fieldChange) })),
    removed: z.array(row),
  }),
)
export type StateDiff = z.infer<typeof stateDiff>

/** The differences from a fresh sandbox. */
export const differences = z.object({
  scenarios: z.array(z.string()),
  clock: z.object({ moved_ms: z.number(), frozen: z.boolean() }).nullable(),
  rows: z.number(),
  assumptions: z.array(z.string()),
})

export const workspace = z.looseObject({
  name: z.string(),
  api_key: z.string().nullable(),
  created_at: z.string(),
  damaged: z.boolean().exactOptional(),
})
export const workspaces = z.object({ workspaces: z.array(workspace) })

/** With `--isolation partner`: everything that opens a workspace. */
export const credentials = z.looseObject({
  name: z.string(),
  created_at: z.string(),
  api_keys: z.array(
    z.object({
      id: z.string(),
      api_key: z.string(),
      secret: z.string(),
      scopes: z.array(z.string()),
      products: z.array(z.string()),
    }),
  ),
  admin_token: z.string(),
})
/** With `--isolation test` all workspaces share the keys of the fixtures. */
export const created = z.union([credentials, workspace])

/** A scenario with its rules and their counters. */
export const scenario = z.looseObject({ name: z.string(), description: z.string() })
export const scenarios = z.object({ scenarios: z.array(scenario) })
export const active = z.object({ active: z.array(z.string()) })

const money = z.number().or(z.string())
const named = z.looseObject({ id: z.string() })
export const simulatedTransaction = z.object({
  transaction: named.extend({ amount: money, currency: z.string(), merchant_name: z.string() }),
  intent: named.nullable(),
  reward: named
    .extend({ amount: money, currency: z.string().exactOptional(), status: z.string() })
    .nullable(),
})
export const simulatedStatement = z.object({
  statement: z.looseObject({
    statement_id: z.string(),
    period_start_date: z.string(),
    period_end_date: z.string(),
    due_date: z.string(),
    currency: z.string(),
    statement_balance: money,
    minimum_due: money,
  }),
})

export const journalEntry = z.looseObject({
  id: z.string(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  status: z.number().nullable(),
  outcome: z.string(),
  error_type: z.string().nullable(),
})
export const journal = z.object({ requests: z.array(journalEntry), dropped: z.number() })

export const timeline = z.object({ timeline: z.array(timelineEntry) })

/** An entry of the journal with its explanation. */
export const explained = z.looseObject({
  explanation: z.object({
    id: z.string(),
    summary: z.string(),
    sections: z.array(
      z.object({
        about: z.enum(sectionNames),
        facts: z.array(
          z.object({
            name: z.string(),
            value: z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
            note: z.string().exactOptional(),
          }),
        ),
      }),
    ),
  }),
})

export const replayed = z.looseObject({
  workspace: z.string(),
  request_id: z.string(),
  status: z.number().nullable(),
  body: z.unknown(),
})

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
  data: row,
  request_id: z.string().nullable(),
  deliveries: z.array(attempt),
  scenario_rules: z.array(z.string()).exactOptional(),
})
export const webhookEndpoint = z.object({
  id: z.string(),
  url: z.string().nullable(),
  events: z.array(z.enum(['*', ...eventTypeNames])),
  enabled: z.boolean(),
  created_at: z.string(),
  listener: z.literal(true).exactOptional(),
  warning: z.string().exactOptional(),
})
/** With their secrets, if these were requested. */
export const webhookEndpoints = z.object({
  webhook_endpoints: z.array(webhookEndpoint.extend({ secret: z.string().exactOptional() })),
})
export const endpointWithSecret = webhookEndpoint.extend({ secret: z.string() })
export const eventList = z.object({ events: z.array(event) })
export const events = eventList.extend({ dropped: z.number() })
/** Answered with 409, if there are too few events after the timeout. */
export const tooFewEvents = eventList.extend({ error: z.looseObject({ message: z.string() }) })
export const drained = z.object({ delivered: z.number(), failed: z.number(), waiting: z.number() })
/** A delivery as a request, to send with any client. */
export const signedRequest = z.object({
  method: z.literal('POST'),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})

export const verified = z.object({ count: z.number() })
/** Answered with 409, if the expectation does not hold. */
export const notVerified = z.object({
  error: z.looseObject({ message: z.string() }),
  count: z.number(),
  nearest: z.array(
    z.object({
      id: z.string(),
      method: z.string(),
      path: z.string(),
      operation: z.string().nullable(),
      status: z.number().nullable(),
      differs: z.array(
        z.object({ at: z.string(), expected: z.unknown(), actual: z.unknown().exactOptional() }),
      ),
    }),
  ),
})

const value = z.union([z.string(), z.number()])
export const assumption = z.looseObject({
  id: z.string(),
  question: z.string(),
  section: z.string(),
  default: value,
  alternatives: z.array(value),
  range: z.tuple([z.number(), z.number()]).exactOptional(),
  value,
  effect: z.string(),
  observable: z.boolean(),
  observable_reason: z.string().exactOptional(),
  provenance: z.enum(['default', 'set', 'calibrated']),
  calibrated: z.object({ host: z.string(), at: z.string() }).exactOptional(),
  used: z.number(),
})
export const assumptions = z.object({ assumptions: z.array(assumption) })

const point = z.looseObject({
  id: z.string(),
  operation: z.string(),
  sentence: z.string(),
  section: z.string(),
})
export const contract = z.object({ points: z.array(point) })

export const coverage = z.object({
  total: z.number(),
  covered: z.number(),
  percent: z.number(),
  calibrated: z.object({ host: z.string(), at: z.string(), assumptions: z.number() }).exactOptional(),
  points: z.array(
    z.object({
      ...point.shape,
      covered: z.boolean(),
      hits: z.number(),
      exercise: z.string().exactOptional(),
    }),
  ),
  /** Present if webhook events are served. */
  receiver: z
    .array(
      z.object({
        id: z.enum(receiverPointIds),
        sentence: z.string(),
        covered: z.boolean(),
        hits: z.number(),
      }),
    )
    .exactOptional(),
})

export const stopping = z.object({ status: z.literal('stopping') })
