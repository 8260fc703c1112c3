// The verb events listen: sends the deliveries of a sandbox to a URL of this machine, and reports the answers.
import { Option } from 'commander'
import { z } from 'zod'
import { addEndpoint, endpointWithSecret } from '../../operations/webhooks.ts'
import { systemResolve, sendToUrl } from '../../events/send-to-url.ts'
import { keptPart, shortBody } from '../../events/response-body.ts'
import { stringify } from '../../json/stringify.ts'
import { monotonicNow } from '../../runtime/host.ts'
import { EventReader } from '../../runtime/server-events.ts'
import { KnownSecrets } from '../../secrets/known-secrets.ts'
import { redactor } from '../../secrets/redact.ts'
import { CliError, exitCodes } from '../io.ts'
import { valueOfJson } from '../json.ts'
import { terminalSafe } from '../output.ts'
import { realTiming, type Timing } from '../timing.ts'
import type { Call } from '../verb.ts'
import { NoSandboxError, RefusedError, type ControlClient } from './control-client.ts'
import { sentBy } from './operation-call.ts'
import { optionsOf } from './operation-verbs.ts'
import { isJson, type RemoteWork } from './remote-call.ts'
import { remote } from './remote-verb.ts'

/** A delivery as the stream sends it. */
const delivery = z.object({
  event_id: z.string(),
  n: z.number(),
  type: z.string(),
  timeout_ms: z.number(),
  request: z.object({ headers: z.record(z.string(), z.string()), body: z.string() }),
})
type Delivery = z.output<typeof delivery>

/** The outcome of a delivery, as it is reported. */
interface Report {
  status: number | null
  location?: string | undefined
  duration_ms: number
  body?: string
  retry_after?: string
  error?: string
}

/** A stream lasts until Ctrl-C. */
const noTimeout = 2 ** 31 - 1

/** How often a lost stream is opened again, once a second: a sandbox lets a delivery wait for 30 seconds. */
const maxReconnects = 30

const adding = {
  name: 'events listen',
  without: ['url', 'handler', 'secret', 'insecure', 'clock', 'listener'],
}

export const listenVerb = remote({
  name: 'listen',
  about: 'send webhook events to a URL of this machine, wherever the sandbox is, until Ctrl-C',
  own: [
    new Option('--forward-to <url>', 'the URL of the receiver'),
    new Option('--insecure', 'accept any certificate of a receiver on this machine'),
    ...optionsOf(addEndpoint, adding),
    new Option('--format <format>', 'the output format').choices(['text', 'json']).default('text'),
  ],
  endsItself: true,
  routes: [
    'GET /_sandbox/stream',
    'POST /_sandbox/webhook_endpoints',
    'POST /_sandbox/events/:id/deliveries/:n',
    'DELETE /_sandbox/webhook_endpoints/:id',
  ],
  reads: false,
  work: (call) => listen(call),
  help: `
--format json prints one line of JSON for each delivery: {"event_id", "n", "type", "status", "duration_ms", "location"?, "body"?, "retry_after"?, "error"?}.`,
})

export async function listen(call: Call, timing: Timing = realTiming): Promise<RemoteWork> {
  const { flags, io } = call
  const added = await sentBy(addEndpoint, adding, call)
  const url = receiverOf(flags['forwardTo'])
  const stopping = new AbortController()
  void io.stopped.then(() => stopping.abort())
  return {
    perform: async (client) => {
      const body = { ...added.body, url, listener: true }
      const answer = await client
        .ask({ method: 'POST', path: '/webhook_endpoints', body }, endpointWithSecret)
        .catch((error: unknown) => {
          throw error instanceof RefusedError ? added.refused(error) : error
        })
      const { id, secret } = answer.data
      // On stderr, so that the output is one line for each delivery.
      io.stderr(terminalSafe(`${id} forwards to ${url}, until Ctrl-C\nsecret ${secret}\n`))
      const secrets = new KnownSecrets()
      secrets.add(secret)
      const hide = (text: string): string => String(redactor(secrets).body(text))
      try {
        await follow(client, id, stopping.signal, timing, (sent) =>
          forward(call, client, url, sent, hide, stopping.signal),
        )
      } finally {
        await client.fetch({ method: 'DELETE', path: `/webhook_endpoints/${id}` }).catch(() => undefined)
      }
      return exitCodes.fine
    },
  }
}

/** @throws {CliError} for a value that is no URL. */
function receiverOf(value: unknown): string {
  if (typeof value !== 'string')
    throw new CliError(
      'error: no receiver: set --forward-to to its URL, such as --forward-to http://localhost:3000/webhooks',
    )
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value
  throw new CliError(
    `error: --forward-to: '${terminalSafe(value)}' must be a URL, such as http://localhost:3000/webhooks`,
  )
}

/** Reads the deliveries of an endpoint until the signal; opens the stream again if it is lost. */
async function follow(
  client: ControlClient,
  id: string,
  signal: AbortSignal,
  timing: Timing,
  onDelivery: (delivery: Delivery) => void,
): Promise<void> {
  const request = { method: 'GET', path: '/stream', query: { endpoint: id }, timeoutMs: noTimeout, signal }
  for (let lost = 0; lost <= maxReconnects; lost++) {
    const reader = new EventReader()
    try {
      for await (const chunk of client.download(request)) {
        lost = 0
        for (const { event, data } of reader.read(chunk)) {
          const read = event === 'delivery' ? delivery.safeParse(valueOfJson(data)).data : undefined
          if (read) onDelivery(read)
        }
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof RefusedError && error.status === 404)
        throw new CliError(
          `error: the endpoint ${id} was removed, so there is nothing to listen to`,
          exitCodes.notFound,
        )
      if (!(error instanceof NoSandboxError) || lost === maxReconnects) throw error
    }
    if (signal.aborted || !(await timing.wait(1_000, signal))) return
  }
}

/** Sends one delivery to the receiver, prints a line, and reports the answer. */
async function forward(
  call: Call,
  client: ControlClient,
  url: string,
  { event_id: id, n, type, timeout_ms: timeout, request }: Delivery,
  hide: (text: string) => string,
  stopping: AbortSignal,
): Promise<void> {
  const report = await send(url, call.flags['insecure'] === true, request, timeout, stopping)
  if (stopping.aborted) return
  const { status, location, duration_ms: duration, error } = report
  const body = keptPart(hide(report.body ?? ''))
  const line = isJson(call)
    ? stringify({ event_id: id, n, type, ...report, body: body || undefined })
    : [
        id,
        type,
        n === 1 ? '' : `attempt ${n}`,
        status ?? '',
        location === undefined ? '' : `to ${location}`,
        error ?? '',
        `${duration} ms`,
        body === '' ? '' : shortBody(body),
      ]
        .filter((part) => part !== '')
        .join('  ')
  call.io.stdout(`${terminalSafe(line)}\n`)
  const path = `/events/${encodeURIComponent(id)}/deliveries/${n}`
  try {
    await client.ask({ method: 'POST', path, body: report }, z.unknown())
  } catch (failure) {
    if (failure instanceof Error) call.io.stderr(terminalSafe(`warning: ${id}: ${failure.message}\n`))
  }
}

async function send(
  url: string,
  insecure: boolean,
  { headers, body }: Delivery['request'],
  timeout: number,
  stopping: AbortSignal,
): Promise<Report> {
  const began = monotonicNow()
  const duration = (): number => Math.round(monotonicNow() - began)
  const late = AbortSignal.timeout(timeout)
  const signal = AbortSignal.any([late, stopping])
  // The developer chose the receiver, so every address is allowed.
  const allowed = { allows: () => true, refusal: () => '', refusalOf: () => undefined }
  try {
    const options = { allowed, resolve: systemResolve, insecure, signal }
    const answer = await sendToUrl(url, { headers, body }, options)
    return {
      status: answer.status,
      duration_ms: duration(),
      ...(answer.location !== undefined && { location: answer.location }),
      ...(answer.body && { body: answer.body }),
      ...(answer.retryAfter !== undefined && { retry_after: answer.retryAfter }),
    }
  } catch (error) {
    const why = late.aborted
      ? `did not answer within ${timeout / 1000} s`
      : error instanceof Error
        ? error.message
        : String(error)
    return { status: null, duration_ms: duration(), error: why }
  }
}
