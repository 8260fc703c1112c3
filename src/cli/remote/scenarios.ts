// The verbs scenarios on, off and active: which scenarios act in a running sandbox.
import { z } from 'zod'
import { connect, connectToRead } from './connect.ts'
import { bodyText, show } from './show.ts'
import type { Io } from '../io.ts'
import { terminalSafe } from '../output.ts'
import type { FlagValues } from '../settings.ts'

const activeList = z.object({ active: z.array(z.string()) })

const route = '/scenarios/active'

export async function listActive(flags: FlagValues, io: Io): Promise<void> {
  const client = await connectToRead(flags, io)
  await show({ client, flags, io }, ['GET', route], activeList, ({ active }) =>
    active.map((name) => `${terminalSafe(name)}\n`).join(''),
  )
}

/** It acts after those that are active; one that is active stays where it is. */
export async function switchOn(name: string, flags: FlagValues, io: Io): Promise<void> {
  await switchBy({ on: [name] }, flags, io)
}

export async function switchOff(name: string, flags: FlagValues, io: Io): Promise<void> {
  await switchBy({ off: [name] }, flags, io)
}

/** @throws {RefusedError} for a name that no scenario has: what was meant would stay as it is. */
async function switchBy(
  body: Readonly<Record<string, readonly string[]>>,
  flags: FlagValues,
  io: Io,
): Promise<void> {
  const client = await connect(flags, io)
  const { data, text } = await client.askWhole('PATCH', route, activeList, { body })
  if (flags['format'] === 'json') return io.stdout(bodyText(text))
  const { active } = data
  const now = active.length === 0 ? 'no scenario is active' : `active: ${active.join(', ')}`
  io.stderr(terminalSafe(`In workspace '${client.workspace}' ${now}\n`))
}
