// The journal of requests over HTTP, /_sandbox/requests: list, filter, explain one, verify, HAR.
import * as answers from './answers.ts'
import { requestFilter, type RequestFilter } from '../journal/filter.ts'
import { notInJournal } from '../journal/not-in-journal.ts'
import { workspaceNameOf, type ControlContext } from './context.ts'
import type { Noun } from './define.ts'
import { requireHeld } from './held-token.ts'
import { bodyLimits, readIfSent, readJson } from './read-body.ts'
import { Refusal } from './refusal.ts'
import { sendJson } from './send-json.ts'

const filters = Object.keys(requestFilter.shape)

/** Maximum number of entries for which listing the journal is cheap: a few milliseconds. */
const cheapLimit = 20

/** The filters of a query; the schema reads their values as text. */
function filterOf(c: ControlContext): RequestFilter {
  const { workspace: _workspace, format: _format, ...filter } = c.req.query()
  return filter
}

/** @param other the format in addition to JSON. */
function formatOf<F extends string>(c: ControlContext, other: F): 'json' | F {
  const format = c.req.query('format') ?? 'json'
  if (format === 'json') return format
  if (format === other) return other
  throw new Refusal('INVALID', `format '${format.slice(0, 80)}': must be json or ${other}`)
}

export const requests: Noun = {
  path: '/_sandbox/requests',
  answers: { GET: answers.journal, DELETE: answers.noContent },
  about: `the journal, newest first; filters ${filters.join(', ')}; format=har`,
  query: [...filters, 'format'],
  expensive: (c) => c.req.query('format') === 'har' || !(Number(c.req.query('limit')) <= cheapLimit),
  library: { GET: 'requests.list', DELETE: 'requests.clear' },
  methods: {
    GET: async (_verbs, c, { requests: journal }) => {
      if (formatOf(c, 'har') === 'har') return Response.json(journal.own.har(filterOf(c)))
      const { dropped } = journal
      return sendJson({ requests: journal.own.list(filterOf(c)), dropped })
    },
    DELETE: (_verbs, _c, { requests: journal }) => {
      journal.clear()
      return new Response(null, { status: 204 })
    },
  },
}

export const verifyRequests: Noun = {
  path: '/_sandbox/requests/verify',
  answers: { POST: answers.verified },
  about: 'POST a condition on the requests: a matcher with count, at_least, at_most; or in_order',
  readOnly: true,
  library: { POST: 'requests.verify' },
  methods: {
    POST: async (_verbs, c, { requests: journal }) => {
      const verified = journal.own.verify(await readJson(c))
      if (verified.holds) return Response.json({ count: verified.count })
      const { message, count, nearest } = verified
      return sendJson({ error: { type: 'CONFLICT', message }, count, nearest }, 409)
    },
  },
}

export const request: Noun = {
  path: '/_sandbox/requests/:id',
  answers: { GET: answers.explained },
  about: 'one request by its x-sandbox-request-id, with the explanation and the rows it read; format=fixture',
  query: ['format'],
  library: { GET: 'requests.get' },
  methods: {
    GET: (_verbs, c, { requests: journal }) => {
      const id = c.req.param('id') ?? ''
      const found = formatOf(c, 'fixture') === 'json' ? journal.own.get(id) : journal.own.fixture(id)
      if (found) return sendJson(found)
      const size = journal.list({ limit: 1 }).length
      throw notInJournal({ dropped: journal.dropped, size }, workspaceNameOf(c), id)
    },
  },
}

export const replayRequest: Noun = {
  path: '/_sandbox/requests/:id/replay',
  answers: { POST: answers.replayed },
  about:
    'POST {workspace?, method?, path?, headers?, body?} sends it again, edited, to a copy of the workspace or another one',
  library: { POST: 'requests.replay' },
  methods: {
    POST: async (_verbs, c, { requests: journal }) => {
      const source = await readIfSent(c, bodyLimits.small)
      const id = c.req.param('id') ?? ''
      return sendJson(await journal.own.replay(id, source?.value, () => requireHeld(c)), 201)
    },
  },
}
