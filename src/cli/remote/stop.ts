// The verb stop: ends a running sandbox as SIGTERM does, and waits until it takes no more calls.
import { z } from 'zod'
import { connect } from './connect.ts'
import { NoSandboxError, RefusedError, type ControlClient } from './control-client.ts'
import { patienceMs } from './health.ts'
import { bodyText } from './show.ts'
import { CliError, exitCodes, type Io } from '../io.ts'
import type { FlagValues } from '../settings.ts'
import { realTiming, type Timing } from '../timing.ts'

const stopping = z.object({ status: z.literal('stopping') })

/** As long as calls in flight are waited for, and a little more. */
const longestMs = 3_000
const pauseMs = 50

export async function stop(flags: FlagValues, io: Io, timing: Timing = realTiming): Promise<void> {
  const client = await connect(flags, io)
  const { text } = await client
    .askWhole('POST', '/stop', stopping, { shared: true })
    .catch((error) => orByPid(error, client))
  const isGone = await untilGone(client, timing)
  if (flags['format'] === 'json') io.stdout(bodyText(text))
  else
    io.stderr(`Sandbox at ${client.url} ${isGone ? 'has stopped' : 'was asked to stop, and still answers'}\n`)
}

/** Who is not let in can still end a process of their own. */
function orByPid(error: unknown, { isOfPartner }: ControlClient): never {
  const isOwn = error instanceof RefusedError && error.exitCode === exitCodes.cannotAsk && !isOfPartner
  if (!isOwn) throw error
  throw new CliError(
    `${error.message}\nOr end its process: kill PID, which \`start --detach\` printed`,
    error.exitCode,
  )
}

/** Whoever starts the next one needs its port. */
async function untilGone(client: ControlClient, timing: Timing): Promise<boolean> {
  const until = timing.now() + longestMs
  do {
    try {
      await client.fetch('GET', '/health', { shared: true, patienceMs })
    } catch (error) {
      if (error instanceof NoSandboxError) return true
      throw error
    }
    await timing.wait(pauseMs)
  } while (timing.now() < until)
  return false
}
