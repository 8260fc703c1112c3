// The verbs health and wait: the health of a running sandbox (exit code 8 if degraded), or waiting until it is ready (5
// on timeout).
import { Option } from 'commander'
import { healthReport, mark } from '../../operations/health.ts'
import { CliError, exitCodes } from '../io.ts'
import { valueOfJson } from '../json.ts'
import { realTiming, type Timing } from '../timing.ts'
import type { Call } from '../verb.ts'
import { NoSandboxError, startHint, type ControlClient, type Request } from './control-client.ts'
import { bodyText, isJson, type Options, type RemoteWork } from './remote-call.ts'
import { remote } from './remote-verb.ts'
import { secondsOf } from './seconds.ts'

/** Timeout of a health request (ms). */
export const healthTimeoutMs = 5_000

export const healthVerb = remote({
  name: 'health',
  about: 'print the health of a running sandbox',
  reads: false,
  routes: ['GET /_sandbox/health'],
  work: async (call) => health(call),
})

export const waitVerb = remote({
  name: 'wait',
  about: 'wait until a sandbox is ready',
  own: [new Option('--timeout <seconds>', 'timeout').default('30')],
  reads: false,
  routes: ['GET /_sandbox/health'],
  work: async (call) => waitUntilReady(call),
})

function health({ io }: Call): RemoteWork {
  return {
    perform: async (client) => {
      const { text, isHealthy } = await readHealth(client)
      io.stdout(bodyText(text))
      return isHealthy ? exitCodes.fine : exitCodes.notFound
    },
  }
}

/**
 * Returns the health of a sandbox, whether it is healthy, and whether it is ready.
 * @throws {NoSandboxError} if none answers.
 */
async function readHealth(
  client: ControlClient,
  options: Pick<Request, 'timeoutMs' | 'signal'> = { timeoutMs: healthTimeoutMs },
): Promise<{ text: string; isHealthy: boolean; isServing: boolean }> {
  const request = { method: 'GET', path: '/health', ...options } as const
  const answer = await client.fetch(request)
  const { status, text } = answer
  // Health is JSON for a healthy sandbox and for a degraded one.
  const reported = healthReport.safeParse(valueOfJson(text)).data
  if ((status !== 200 && status !== 503) || !reported) throw client.notASandbox(request, answer)
  if (!answer.isMarked)
    throw client.notASandbox(
      request,
      answer,
      `the server is not a sandbox, or a proxy removed the header ${mark.name}`,
    )
  const isServing = status === 200
  return { text, isHealthy: isServing && reported.status === 'ok', isServing }
}

/** Poll interval: short, as a caller waits. */
const pauseMs = 100

/** Polls until a sandbox is ready; at least once. */
export function waitUntilReady(call: Options, timing: Timing = realTiming): RemoteWork {
  const { flags, io } = call
  const seconds = secondsOf(flags['timeout'])
  return {
    perform: async (client) => {
      const stopping = new AbortController()
      void io.stopped.then(() => stopping.abort())
      const deadline = timing.now() + seconds * 1000
      for (;;) {
        const { reason, text } = await readiness(client, deadline - timing.now(), stopping.signal)
        if (reason === undefined) {
          if (isJson(call)) io.stdout(bodyText(text))
          else io.stderr(`Sandbox is ready at ${client.url}\n`)
          return exitCodes.fine
        }
        if (stopping.signal.aborted) return exitCodes.interrupted
        const left = deadline - timing.now()
        if (left <= 0) {
          throw new CliError(
            `error: no sandbox was ready at ${client.url} within ${seconds} s (${reason}): ${startHint}`,
            exitCodes.timedOut,
          )
        }
        await timing.wait(Math.min(pauseMs, left), stopping.signal)
      }
    },
  }
}

/** Its health, and why it is not ready, in a few words; without a reason if it is. */
async function readiness(
  client: ControlClient,
  left: number,
  signal: AbortSignal,
): Promise<{ text: string; reason?: string }> {
  try {
    // Even after the timeout, a sandbox that answers immediately counts.
    const timeoutMs = Math.round(Math.min(healthTimeoutMs, Math.max(left, pauseMs)))
    const { text, isServing } = await readHealth(client, { timeoutMs, signal })
    return isServing ? { text } : { text, reason: 'it is degraded' }
  } catch (error) {
    if (error instanceof NoSandboxError) return { text: '', reason: error.why }
    throw error
  }
}
