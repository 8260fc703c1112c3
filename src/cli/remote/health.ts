// The verb health: asks a running sandbox how it is; exit code 8 when it is degraded, 7 when it cannot be reached.
import { z } from 'zod'
import { connect } from './connect.ts'
import type { ControlClient } from './control-client.ts'
import { exitCodes, type Io } from '../io.ts'
import { valueOfJson } from '../json.ts'
import { terminalSafe } from '../output.ts'
import type { FlagValues } from '../settings.ts'

/** How long a sandbox may take to say how it is. */
export const patienceMs = 5_000

const state = z.object({ status: z.string() })

export async function health(flags: FlagValues, io: Io): Promise<number> {
  const { text, isWell } = await readHealth(await connect(flags, io), { patienceMs })
  io.stdout(`${terminalSafe(text).trim()}\n`)
  return isWell ? exitCodes.fine : exitCodes.notThere
}

/**
 * What a sandbox says of itself, whether all is well, and whether it serves.
 * @throws {NoSandboxError} when none answers.
 */
export async function readHealth(
  client: ControlClient,
  request: { patienceMs: number; signal?: AbortSignal },
): Promise<{ text: string; isWell: boolean; isServing: boolean }> {
  const answer = await client.fetch('GET', '/health', request)
  const { status, text } = answer
  // Health is JSON both when all is well and when it is not.
  const said = state.safeParse(valueOfJson(text)).data
  if ((status !== 200 && status !== 503) || !said) throw client.notThis('GET', '/health', answer)
  const isServing = status === 200
  return { text, isWell: isServing && said.status === 'ok', isServing }
}
