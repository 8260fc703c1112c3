// The webhook endpoints of a workspace: add, list, update, remove, rotate.
import { z } from 'zod'
import { eventTypeNames } from '../contract/event-types.ts'
import { endpointSecret } from '../contract/formats.ts'
import {
  endpointView,
  secretProblem,
  type Endpoint,
  type SubscribedTypes,
  type WebhookEndpoint,
  type WebhookHandler,
} from '../events/endpoints.ts'
import type { Outbox } from '../events/outbox.ts'
import type { SendToListener } from '../events/listener-delivery.ts'
import { isOwnHost } from '../events/allowed-addresses.ts'
import { hostOf } from '../input/allowed-host.ts'
import { ConflictError } from '../input/refusals.ts'
import { DocumentError } from '../input/problems.ts'
import { readInput } from '../input/read-input.ts'
import { endpointUrl, maxEndpoints, subscribedTypes } from '../store/rows.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { endpointIn, requireOutbox } from './events.ts'
import { operation } from './declare.ts'
import type { RecordAction } from './timeline.ts'

export type { WebhookEndpoint, WebhookHandler } from '../events/endpoints.ts'

/** An endpoint with the secret that signs its deliveries, which only `add` and `rotate` return. */
export interface WebhookEndpointWithSecret extends WebhookEndpoint {
  secret: string
}

/** Which secrets a list shows. */
export interface WebhookListOptions {
  /** Whether each endpoint has its secret. */
  secrets?: boolean
}

/** The webhook endpoints of a workspace. See docs/events.md. */
export interface WorkspaceWebhooks {
  /** The secret that signs the requests of `events.request`: the same in every workspace of one owner. */
  readonly secret: string
  /**
   * Adds a handler in process, or an address. A handler lives as long as the workspace object, and survives a reset.
   * An address that is neither loopback nor allowed by `webhookAllow` is added with a `warning`.
   * @param endpoint `events` are the types that it receives; all by default. With `listener`, a program that reads the
   * stream sends the deliveries to the address, as `events listen` does. `secret` is the one that your receiver has, in
   * the form of the description; by default it derives from the seed. With `insecure`, any certificate of a receiver on
   * this machine is accepted. With `clock: 'sandbox'`, the signed time is that
   * of the sandbox, for a receiver that runs under faked time.
   * @throws {DocumentError} for an invalid value. @throws {NotFoundError} if no events are served.
   * @throws {ConflictError} if the workspace has 100 endpoints.
   * @example const { secret } = workspace.webhooks.add({ handler: app.fetch, events: ['reward.updated'] })
   */
  add(
    endpoint: (
      { handler: WebhookHandler; clock?: 'sandbox' } | { url: string; insecure?: true; listener?: true }
    ) & {
      events?: SubscribedTypes
      secret?: string
    },
  ): WebhookEndpointWithSecret
  /** Returns all endpoints; handlers have no `url`. With `secrets`, each has the secret that signs its deliveries. */
  list(options: WebhookListOptions & { secrets: true }): WebhookEndpointWithSecret[]
  list(options?: WebhookListOptions): WebhookEndpoint[]
  /** Returns one endpoint. @throws {NotFoundError} for an unknown id. */
  get(id: string): WebhookEndpoint
  /**
   * Changes an endpoint. A disabled endpoint receives nothing, and its waiting attempts are skipped.
   * @throws {NotFoundError} for an unknown id. @throws {DocumentError} for an invalid value.
   */
  update(id: string, changes: { url?: string; events?: SubscribedTypes; enabled?: boolean }): WebhookEndpoint
  /** Removes an endpoint, and skips its waiting attempts; false if there is none. */
  remove(id: string): boolean
  /**
   * Replaces the secret of an endpoint. The old one signs too for 24 hours of the sandbox's clock.
   * @throws {NotFoundError} for an unknown id.
   */
  rotate(id: string): WebhookEndpointWithSecret
}

const isFunction = (value: unknown): value is WebhookHandler => typeof value === 'function'

/**
 * Whether a function is no app of a framework such as Express. Without the request and answer of a server, that fails
 * after it has returned, and the error ends the process.
 */
const takesRequest = (handler: WebhookHandler): boolean => handler.length < 3 && !('listen' in handler)

/** Whether a URL is https on this machine: only there a certificate proves nothing. */
function isSecureOwn(url: string): boolean {
  const { protocol } = new URL(url || 'none:')
  return protocol === 'https:' && isOwnHost(hostOf(new URL(url)))
}

const newEndpoint = z
  .strictObject({
    handler: z
      .custom<WebhookHandler>(isFunction, {
        error: 'must be a function that takes a Request and returns a Response',
        abort: true,
      })
      .refine(
        takesRequest,
        'must take a Request and return a Response. For Express, start your app on a port and forward, as docs/events.md shows. For a fetch with more arguments, write (request) => app.fetch(request)',
      )
      .optional(),
    url: endpointUrl.optional().describe('a loopback address, or a host of --webhook-allow of the sandbox'),
    events: subscribedTypes
      .default(['*'])
      .describe('only these event types, separated by commas (default: all)'),
    secret: endpointSecret
      .optional()
      .describe('the secret that your receiver has (default: one that derives from the seed)'),
    insecure: z
      .literal(true, 'must be true or omitted')
      .optional()
      .describe('accept any certificate of a receiver on this machine'),
    clock: z.literal('sandbox').optional(),
    listener: z.literal(true, 'must be true or omitted').optional(),
  })
  .refine(({ handler, url }) => (handler === undefined) !== (url === undefined), {
    message: 'must have either a handler or a url',
    when: ({ issues }) => issues.length === 0,
  })
  .refine(({ handler, listener }) => handler === undefined || listener === undefined, {
    path: ['listener'],
    message: 'must be omitted with a handler',
    when: ({ issues }) => issues.length === 0,
  })
  .refine(({ url = '', insecure }) => !insecure || isSecureOwn(url), {
    path: ['insecure'],
    message:
      'must be omitted, unless the url is https on this machine, such as https://localhost:3000/webhooks',
    when: ({ issues }) => issues.length === 0,
  })
  .refine(({ handler, clock }) => handler !== undefined || clock === undefined, {
    path: ['clock'],
    message: 'must be omitted with a url: only handlers run under faked time',
    when: ({ issues }) => issues.length === 0,
  })

const listOptions = z.strictObject({
  secrets: z
    .boolean('must be true or false')
    .optional()
    .describe('print the secret that signs the deliveries of each'),
})

const changesOf = z.strictObject({
  url: endpointUrl.optional().describe('the new URL'),
  events: subscribedTypes.optional().describe('the event types, separated by commas; * for all'),
  enabled: z.boolean('must be true or false').optional().describe('whether it receives events'),
})

export function workspaceWebhooks(workspace: Workspace, record: RecordAction) {
  const outboxOf = (): Outbox => requireOutbox(workspace)
  const find = (id: string): Endpoint => endpointIn(outboxOf(), id)
  const viewOf = (endpoint: Endpoint): WebhookEndpoint => endpointView(endpoint, outboxOf().context.allowed())
  const withSecret = (endpoint: Endpoint): WebhookEndpointWithSecret => ({
    ...viewOf(endpoint),
    secret: outboxOf().endpoints.secretsOf(endpoint)[0],
  })
  const skipFor = (id: string, reason: string): void => {
    workspace.write((tx) => outboxOf().skipFor(tx, new Set([id]), reason))
  }
  /** Changes a handler or a row. */
  const change = (endpoint: Endpoint, changes: Partial<Omit<Endpoint, 'handler' | 'id'>>): Endpoint => {
    if (endpoint.handler) {
      const { url: _none, ...others } = changes
      outboxOf().endpoints.updateHandler(endpoint.id, others)
    } else {
      workspace.write((tx) => {
        const row = tx.get('webhook_endpoints', endpoint.id)
        if (row) {
          const { url = row.url, events = row.events, ...others } = changes
          tx.put('webhook_endpoints', { ...row, ...others, url: url ?? row.url, events: [...events] })
        }
      })
    }
    return find(endpoint.id)
  }
  function list(options: WebhookListOptions & { secrets: true }): WebhookEndpointWithSecret[]
  function list(options?: unknown): WebhookEndpoint[]
  function list(options: unknown = {}): WebhookEndpoint[] {
    const { secrets } = readInput(listOptions, options, 'list')
    return outboxOf().endpoints.all.map(secrets === true ? withSecret : viewOf)
  }
  return {
    get secret() {
      return outboxOf().ownSecret
    },
    add(input: unknown): WebhookEndpointWithSecret {
      const outbox = outboxOf()
      const {
        handler,
        url = '',
        events,
        secret,
        insecure,
        clock,
        listener,
      } = readInput(newEndpoint, input, 'webhook')
      if (outbox.endpoints.all.length >= maxEndpoints)
        throw new ConflictError(
          `the workspace has ${maxEndpoints} endpoints, which is the maximum: remove one first`,
        )
      const problem = secretProblem({ secret }, outbox.context.description)
      if (problem !== undefined)
        throw new DocumentError([{ source: 'webhook', path: 'secret', message: problem }])
      const own = secret === undefined ? {} : { secret }
      if (handler) {
        const added = outbox.endpoints.addHandler(handler, { events, ...own, clock })
        // Attempts of an earlier process may wait for it.
        outbox.schedule()
        record('webhook', `Added ${added.id}`)
        return withSecret(added)
      }
      const row = workspace.write((tx) =>
        tx.put('webhook_endpoints', {
          id: tx.nextEndpointId(),
          url,
          events,
          enabled: true,
          created_at: workspace.clock.timestamp(),
          ...own,
          ...(insecure && { insecure }),
          ...(listener && { listener }),
        }),
      )
      record('webhook', `Added ${row.id}`)
      return withSecret(row)
    },
    get: (id: string) => viewOf(find(id)),
    list,
    update(id: string, input: unknown) {
      const endpoint = find(id)
      const changes = readInput(changesOf, input, 'webhook')
      const { url, events, enabled } = changes
      const changed = change(endpoint, {
        ...(url !== undefined && { url }),
        ...(events && { events }),
        ...(enabled !== undefined && { enabled }),
      })
      if (changes.enabled === false) skipFor(id, 'the endpoint was disabled')
      outboxOf().schedule()
      record('webhook', `Changed ${Object.keys(changes).join(', ') || 'nothing'} of ${id}`)
      return viewOf(changed)
    },
    remove(id: string) {
      const outbox = outboxOf()
      if (!outbox.endpoints.find(id)) return false
      if (outbox.endpoints.removeHandler(id)) skipFor(id, 'the endpoint was removed')
      else workspace.write((tx) => tx.delete('webhook_endpoints', id))
      // An attempt may wait for its listener, which has to be disconnected.
      outbox.schedule()
      record('webhook', `Removed ${id}`)
      return true
    },
    rotate(id: string) {
      const endpoint = find(id)
      const count = (endpoint.rotation?.count ?? 0) + 1
      const rotated = change(endpoint, { rotation: { count, at: workspace.clock.timestamp() } })
      record('webhook', `Rotated the secret of ${id}`)
      return withSecret(rotated)
    },
    /**
     * Connects the listener of an endpoint. @param gone called when the endpoint was removed.
     * @returns a function that disconnects it. @throws {NotFoundError} @throws {ConflictError} if it has no listener.
     */
    connect(id: string, send: SendToListener, gone: () => void): () => void {
      const outbox = outboxOf()
      const { listener } = find(id)
      if (!listener) throw new ConflictError(`${id} has no listener: add an endpoint with listener: true`)
      const ends = [
        outbox.listen(() => {
          if (!outbox.endpoints.find(id)) gone()
        }),
        outbox.deliveries.listeners.connect(id, send),
      ]
      return () => {
        for (const end of ends) end()
      }
    },
  } satisfies WorkspaceWebhooks & Record<string, unknown>
}

const endpoint = z.object({
  id: z.string(),
  url: z.string().nullable(),
  events: z.array(z.enum(['*', ...eventTypeNames])),
  enabled: z.boolean(),
  created_at: z.string(),
  insecure: z.literal(true).exactOptional(),
  listener: z.literal(true).exactOptional(),
  warning: z.string().exactOptional(),
})
export const endpointWithSecret = endpoint.extend({ secret: z.string() })
const anyEndpoint = endpoint.extend({ secret: z.string().exactOptional() })
type AnyEndpoint = z.output<typeof anyEndpoint>

const byId = z.object({ id: z.string().describe('such as we_1') })

interface WebhooksTarget {
  workspace: { webhooks: ReturnType<typeof workspaceWebhooks> }
}

/** @example lineOf(endpoint)   // we_1  http://localhost:3000/webhooks  *  enabled */
function lineOf({ id, url, events, enabled, listener, secret }: AnyEndpoint): string {
  const target = url === null ? 'a handler in the program' : listener ? `${url} (by a listener)` : url
  const line = `${[id, target, events.join(','), enabled ? 'enabled' : 'disabled'].join('  ')}\n`
  return secret === undefined ? line : `${line}secret ${secret}\n`
}

/** The warnings about endpoints, a line for each; undefined if there are none. */
function warningsOf(...endpoints: AnyEndpoint[]): string | undefined {
  const lines = endpoints.flatMap(({ warning }) => (warning === undefined ? [] : [`warning: ${warning}`]))
  return lines.length === 0 ? undefined : lines.join('\n')
}

const printed = { text: lineOf, advice: (one: AnyEndpoint) => warningsOf(one) }

export const addEndpoint = operation({
  id: 'webhooks.add',
  route: 'POST /_sandbox/webhook_endpoints',
  verb: { name: 'webhooks add', args: ['url'], without: ['handler', 'clock', 'listener'] },
  about: 'send webhook events to a URL from now on, and print the secret that signs them',
  body: newEndpoint,
  status: 201,
  result: endpointWithSecret,
  printed,
  run: ({ workspace: { webhooks } }: WebhooksTarget, { body }) => webhooks.add(body),
})

export const webhookOperations = [
  operation({
    id: 'webhooks.list',
    route: 'GET /_sandbox/webhook_endpoints',
    verb: { name: 'webhooks list', options: { secrets: 'show-secrets' } },
    about: 'list the endpoints',
    query: listOptions,
    word: 'list',
    result: z.object({ webhook_endpoints: z.array(anyEndpoint) }),
    printed: {
      text: ({ webhook_endpoints: endpoints }) => endpoints.map(lineOf).join(''),
      advice: ({ webhook_endpoints: endpoints }) => warningsOf(...endpoints),
    },
    run: ({ workspace: { webhooks } }: WebhooksTarget, { query }) => ({
      webhook_endpoints: webhooks.list(query),
    }),
  }),
  addEndpoint,
  operation({
    id: 'webhooks.get',
    route: 'GET /_sandbox/webhook_endpoints/:id',
    about: 'show one endpoint',
    result: endpoint,
    run: ({ workspace: { webhooks } }: WebhooksTarget, { path }) => webhooks.get(path.id),
  }),
  operation({
    id: 'webhooks.update',
    route: 'PATCH /_sandbox/webhook_endpoints/:id',
    verb: {
      name: 'webhooks update',
      options: { url: 'to' },
      empty: 'nothing to change: set --to, --events or --enabled',
    },
    about: 'change an endpoint: its URL, its types, or whether it receives events',
    path: byId,
    body: changesOf,
    result: endpoint,
    printed,
    run: ({ workspace: { webhooks } }: WebhooksTarget, { path, body }) => webhooks.update(path.id, body),
  }),
  operation({
    id: 'webhooks.remove',
    route: 'DELETE /_sandbox/webhook_endpoints/:id',
    verb: 'webhooks remove',
    about: 'remove an endpoint',
    path: byId,
    printed: { note: (_, { args: [id] }) => `Removed ${id}` },
    run({ workspace: { webhooks } }: WebhooksTarget, { path }) {
      // Throws for an unknown id, with the ids that there are.
      webhooks.get(path.id)
      webhooks.remove(path.id)
    },
  }),
  operation({
    id: 'webhooks.rotate',
    route: 'POST /_sandbox/webhook_endpoints/:id/rotate',
    verb: 'webhooks rotate',
    about: 'replace the secret of an endpoint; the old one signs too for 24 hours',
    path: byId,
    result: endpointWithSecret,
    printed,
    run: ({ workspace: { webhooks } }: WebhooksTarget, { path }) => webhooks.rotate(path.id),
  }),
]
