// The verb stop: stops a running sandbox like SIGTERM, and waits until it accepts no calls.
import { stopping } from '../../operations/health.ts'
import { CliError, exitCodes } from '../io.ts'
import { realTiming, type Timing } from '../timing.ts'
import { NoSandboxError, RefusedError, type ControlClient } from './control-client.ts'
import { healthTimeoutMs } from './health.ts'
import { bodyText, isJson, type Options, type RemoteWork } from './remote-call.ts'
import { ofAllWorkspaces, remote } from './remote-verb.ts'

/** Calls in flight may take 2 s of it. */
const timeoutMs = 3_000
const pauseMs = 50

export const stopVerb = remote({
  name: 'stop',
  about: 'stop a running sandbox like SIGTERM, and wait until its port is free',
  workspace: ofAllWorkspaces,
  isAboutAll: true,
  routes: ['POST /_sandbox/stop'],
  work: async (call) => stop(call),
})

export function stop(call: Options, timing: Timing = realTiming): RemoteWork {
  return {
    perform: async (client, request) => {
      const { text } = await client.ask(request, stopping).catch((error) => throwWithKillHint(error, client))
      const isGone = await waitUntilGone(client, timing)
      const state = isGone ? 'has stopped' : 'still answers after the request to stop'
      if (isJson(call)) call.io.stdout(bodyText(text))
      else call.io.stderr(`Sandbox at ${client.url} ${state}\n`)
    },
  }
}

/** Without the token, its owner can still kill the process. */
function throwWithKillHint(error: unknown, { isOfPartner }: ControlClient): never {
  const isOwn = error instanceof RefusedError && error.exitCode === exitCodes.unreachable && !isOfPartner
  if (!isOwn) throw error
  throw new CliError(
    `${error.message}\nOr kill its process: kill PID, which \`start --detach\` printed`,
    error.exitCode,
  )
}

/** The next sandbox may need its port. */
async function waitUntilGone(client: ControlClient, timing: Timing): Promise<boolean> {
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
