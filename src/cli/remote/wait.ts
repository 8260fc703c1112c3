// The verb wait: waits until a sandbox is well, with a timeout; exit code 5 when it is not in time.
import { connect } from './connect.ts'
import { NoSandboxError, startOrName, type ControlClient } from './control-client.ts'
import { patienceMs, readHealth } from './health.ts'
import { CliError, exitCodes, type Io } from '../io.ts'
import type { FlagValues } from '../settings.ts'
import { realTiming, type Timing } from '../timing.ts'

/** How long after one look the next one follows: whoever waits wants to go on at once. */
const pauseMs = 100

/** It looks once at least. */
export async function waitUntilWell(flags: FlagValues, io: Io, timing: Timing = realTiming): Promise<number> {
  const seconds = secondsOf(flags['timeout'])
  const client = await connect(flags, io)
  const stopping = new AbortController()
  void io.stopped.then(() => stopping.abort())
  const deadline = timing.now() + seconds * 1000
  for (;;) {
    const why = await whyNotWell(client, deadline - timing.now(), stopping.signal)
    if (why === undefined) {
      io.stderr(`Sandbox is ready at ${client.url}\n`)
      return exitCodes.fine
    }
    if (stopping.signal.aborted) return exitCodes.interrupted
    const left = deadline - timing.now()
    if (left <= 0) {
      throw new CliError(
        `error: no sandbox was ready at ${client.url} within ${seconds} s (${why}): ${startOrName}`,
        exitCodes.timedOut,
      )
    }
    await timing.wait(Math.min(pauseMs, left), stopping.signal)
  }
}

/** What is in the way, in a few words; undefined when nothing is. */
async function whyNotWell(
  client: ControlClient,
  left: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    // Who has no time left still gets an answer that comes at once.
    const patience = Math.round(Math.min(patienceMs, Math.max(left, pauseMs)))
    const { isServing } = await readHealth(client, { patienceMs: patience, signal })
    return isServing ? undefined : 'it is degraded'
  } catch (error) {
    if (error instanceof NoSandboxError) return error.why
    throw error
  }
}

function secondsOf(value: unknown): number {
  if (typeof value === 'string' && /^\d{1,5}(\.\d{1,3})?$/.test(value)) return Number(value)
  throw new CliError(
    `error: --timeout: '${String(value)}' must be seconds from 0 to 99999, such as 30 or 0.5`,
  )
}
