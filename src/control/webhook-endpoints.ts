// The endpoints of webhook events over HTTP, /_sandbox/webhook_endpoints: list, add, change, remove, rotate.
import * as answers from './answers.ts'
import type { ControlContext } from './context.ts'
import type { Noun } from './define.ts'
import { readJson, readNothing } from './read-body.ts'
import { sendJson } from './send-json.ts'

/** The query without the workspace. */
function queryOf(c: ControlContext): Record<string, unknown> {
  const { workspace: _workspace, secrets, ...rest } = c.req.query()
  if (secrets === 'true' || secrets === 'false') return { ...rest, secrets: secrets === 'true' }
  return secrets === undefined ? rest : { ...rest, secrets }
}

const idOf = (c: ControlContext): string => c.req.param('id') ?? ''

export const webhookEndpoints: Noun = {
  path: '/_sandbox/webhook_endpoints',
  answers: { GET: answers.webhookEndpoints, POST: answers.endpointWithSecret },
  about:
    'the endpoints that receive webhook events, with secrets=true with their secrets; POST {url, events?, secret?} adds one, and answers with its secret',
  query: ['secrets'],
  library: { GET: 'webhooks.list', POST: 'webhooks.add' },
  methods: {
    GET: (_verbs, c, workspace) => sendJson({ webhook_endpoints: workspace.webhooks.list(queryOf(c)) }),
    POST: async (_verbs, c, workspace) => sendJson(workspace.webhooks.add(await readJson(c)), 201),
  },
}

export const webhookEndpoint: Noun = {
  path: '/_sandbox/webhook_endpoints/:id',
  answers: {
    GET: answers.webhookEndpoint,
    PATCH: answers.webhookEndpoint,
    DELETE: answers.noContent,
  },
  about: 'one endpoint; PATCH {url?, events?, enabled?} changes it, DELETE removes it',
  library: { PATCH: 'webhooks.update', DELETE: 'webhooks.remove' },
  whyNoLibrary: { GET: '`webhooks.list` returns all of them' },
  whyNoVerb: { GET: '`webhooks list` prints all of them' },
  methods: {
    GET: (_verbs, c, workspace) => sendJson(workspace.webhooks.get(idOf(c))),
    PATCH: async (_verbs, c, workspace) => {
      const changes = await readJson(c)
      return sendJson(workspace.webhooks.update(idOf(c), changes))
    },
    DELETE: (_verbs, c, workspace) => {
      // Throws for an unknown id, with the ids that there are.
      workspace.webhooks.get(idOf(c))
      workspace.webhooks.remove(idOf(c))
      return new Response(null, { status: 204 })
    },
  },
}

export const rotateEndpoint: Noun = {
  path: '/_sandbox/webhook_endpoints/:id/rotate',
  answers: { POST: answers.endpointWithSecret },
  about: 'POST replaces the secret of an endpoint, and answers with the new one',
  library: { POST: 'webhooks.rotate' },
  methods: {
    POST: async (_verbs, c, workspace) => {
      await readNothing(c)
      return sendJson(workspace.webhooks.rotate(idOf(c)))
    },
  },
}
