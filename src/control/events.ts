// Webhook events over HTTP, /_sandbox/events: list, show, sign, trigger, resend, drain, wait.
import { eventFilter, EventsTimeoutError } from '../operations/events.ts'
import * as answers from './answers.ts'
import type { ControlContext } from './context.ts'
import type { Noun } from './define.ts'
import { bodyLimits, readIfSent, readJson, readNothing } from './read-body.ts'
import { sendJson } from './send-json.ts'

const filters = Object.keys(eventFilter.shape)

/** The query without the workspace; numbers are sent as text. */
function queryOf(c: ControlContext): Record<string, unknown> {
  const { workspace: _workspace, limit, ...rest } = c.req.query()
  return {
    ...rest,
    ...(limit === undefined ? {} : { limit: /^\d{1,9}$/.test(limit) ? Number(limit) : limit }),
  }
}

const idOf = (c: ControlContext): string => c.req.param('id') ?? ''

export const events: Noun = {
  path: '/_sandbox/events',
  answers: { GET: answers.events },
  about: `the webhook events, newest first; filters ${filters.join(', ')}`,
  query: filters,
  library: { GET: 'events.list' },
  methods: {
    GET: (_verbs, c, workspace) =>
      sendJson({ events: workspace.events.own.list(queryOf(c)), dropped: workspace.events.dropped }),
  },
}

export const event: Noun = {
  path: '/_sandbox/events/:id',
  answers: { GET: answers.event },
  about: 'one event, with its attempts',
  library: { GET: 'events.get' },
  methods: { GET: (_verbs, c, workspace) => sendJson(workspace.events.own.get(idOf(c))) },
}

export const eventRequest: Noun = {
  path: '/_sandbox/events/:id/request',
  answers: { GET: answers.signedRequest },
  about:
    'the signed request that delivers an event; at=sandbox or an instant is the signed time, endpoint=ID signs with its secret',
  query: ['at', 'endpoint'],
  library: { GET: 'events.request' },
  methods: {
    GET: (_verbs, c, workspace) => sendJson(workspace.events.own.delivery(idOf(c), queryOf(c))),
  },
}

export const resendEvent: Noun = {
  path: '/_sandbox/events/:id/resend',
  answers: { POST: answers.event },
  about: 'POST delivers an event again',
  library: { POST: 'events.resend' },
  methods: {
    POST: async (_verbs, c, workspace) => {
      await readNothing(c)
      return sendJson(await workspace.events.own.resend(idOf(c))())
    },
  },
}

export const triggerEvent: Noun = {
  path: '/_sandbox/events/trigger',
  answers: { POST: answers.event },
  about: 'POST {type, id, data?} creates an event of an existing resource, without a write',
  library: { POST: 'events.trigger' },
  methods: {
    POST: async (_verbs, c, workspace) => sendJson(workspace.events.own.trigger(await readJson(c)), 201),
  },
}

export const drainEvents: Noun = {
  path: '/_sandbox/events/drain',
  answers: { POST: answers.drained },
  about: 'POST makes all attempts that are due',
  library: { POST: 'events.drain' },
  methods: {
    POST: async (_verbs, c, workspace) => {
      await readNothing(c)
      return Response.json(await workspace.events.own.drain())
    },
  },
}

export const waitForEvents: Noun = {
  path: '/_sandbox/events/wait',
  answers: { POST: answers.eventList },
  about: 'POST {type?, source?, since?, count?, timeout_ms?} waits until there are as many events',
  readOnly: true,
  library: { POST: 'events.waitFor' },
  methods: {
    POST: async (_verbs, c, workspace) => {
      const expected = (await readIfSent(c, bodyLimits.small))?.value ?? {}
      try {
        return sendJson({ events: await workspace.events.own.waitFor(expected) })
      } catch (error) {
        if (!(error instanceof EventsTimeoutError)) throw error
        return sendJson({ error: { type: 'CONFLICT', message: error.message }, events: error.events }, 409)
      }
    },
  },
}

export const reportDelivery: Noun = {
  path: '/_sandbox/events/:id/deliveries/:n',
  answers: { POST: answers.event },
  about:
    'POST {status, duration_ms, location?, body?, retry_after?, error?} reports what the receiver of a listener answered',
  library: {},
  whyNoLibrary: { POST: 'a handler in process returns its answer' },
  methods: {
    POST: async (_verbs, c, workspace) => {
      const body = await readJson(c)
      return sendJson(workspace.events.own.report(idOf(c), c.req.param('n') ?? '', body))
    },
  },
}
