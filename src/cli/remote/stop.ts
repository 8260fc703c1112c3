// The verb stop: ends a running sandbox as SIGTERM does, and waits until it takes no more calls.
import * as answers from '../../control/answers.ts'
import { CliError, exitCodes } from '../io.ts'
import { realTiming, type Timing } from '../timing.ts'
import { NoSandboxError, RefusedError, type ControlClient } from './control-client.ts'
import { healthTimeoutMs } from './health.ts'
import { bodyText, isJson, type Options, type RemoteWork } from './remote-call.ts'

/** Calls in flight may take 2 s of it. */
const timeoutMs = 3_000
const pauseMs = 50

export function stop(call: Options, timing: Timing = realTiming): RemoteWork {
  return {
    perform: async (client, request) => {
      const { text } = await client.ask(request, answers.stopping).catch((error) => orByPid(error, client))
      const isGone = await untilGone(client, timing)
      const state = isGone ? 'has stopped' : 'was asked to stop, and still answers'
      if (isJson(call)) call.io.stdout(bodyText(text))
      else call.io.stderr(`Sandbox at ${client.url} ${state}\n`)
    },
  }
}

/** Without the token, its owner can still end the process. */
function orByPid(error: unknown, { isOfPartner }: ControlClient): never {
  const isOwn = error instanceof RefusedError && error.exitCode === exitCodes.cannotAsk && !isOfPartner
  if (!isOwn) throw error
  throw new CliError(
    `${error.message}\nOr end its process: kill PID, which \`start --detach\` printed`,
    error.exitCode,
  )
}

/** The next sandbox may need its port. */
async function untilGone(client: ControlClient, timing: Timing): Promise<boolean> {
  const deadline = timing.now() + timeoutMs
  do {
    try {
      await client.fetch({ method: 'GET', path: '/health', timeoutMs: healthTimeoutMs })
    } catch (error) {
      if (error instanceof NoSandboxError) return true
      throw error
    }
    await timing.wait(pauseMs)
  } while (timing.now() < deadline)
  return false
}
