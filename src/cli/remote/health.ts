// The verbs health and wait: the health of a running sandbox (exit code 8 if degraded), or waiting until it is ready (5
// on timeout).
import * as answers from '../../control/answers.ts'
import { mark } from '../../control/health.ts'
import { CliError, exitCodes } from '../io.ts'
import { valueOfJson } from '../json.ts'
import { realTiming, type Timing } from '../timing.ts'
import type { Call } from '../verb.ts'
import { NoSandboxError, startHint, type ControlClient, type Request } from './control-client.ts'
import { bodyText, isJson, type Options, type RemoteWork } from './remote-call.ts'

/** Timeout of a health request (ms). */
export const healthTimeoutMs = 5_000

export function health({ io }: Call): RemoteWork {
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
  const reported = answers.health.safeParse(valueOfJson(text)).data
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

function secondsOf(value: unknown): number {
  if (typeof value === 'string' && /^\d{1,5}(\.\d{1,3})?$/.test(value)) return Number(value)
  throw new CliError(
    `error: --timeout: '${String(value)}' must be seconds from 0 to 99999, such as 30 or 0.5`,
  )
}
