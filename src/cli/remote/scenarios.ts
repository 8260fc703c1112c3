// The verbs scenarios on, off and active: which scenarios act in a running sandbox.
import { z } from 'zod'
import { didYouMean } from '../../reading/did-you-mean.ts'
import { connect, connectToRead } from './connect.ts'
import type { ControlClient } from './control-client.ts'
import { bodyText, show } from './show.ts'
import { CliError, type Io } from '../io.ts'
import { terminalSafe } from '../output.ts'
import type { FlagValues } from '../settings.ts'

const activeList = z.object({ active: z.array(z.string()) })
const catalogue = z.object({ scenarios: z.array(z.object({ name: z.string() })) })

const route = '/scenarios/active'

export async function listActive(flags: FlagValues, io: Io): Promise<void> {
  const client = await connectToRead(flags, io)
  await show({ client, flags, io }, ['GET', route], activeList, ({ active }) =>
    active.map((name) => `${terminalSafe(name)}\n`).join(''),
  )
}

/** It acts after those that are active; one that is active stays where it is. */
export async function switchOn(name: string, flags: FlagValues, io: Io): Promise<void> {
  const client = await connect(flags, io)
  const { active } = await client.ask('GET', route, activeList)
  await activate(client, [...active, name], flags, io)
}

/** @throws {CliError} for a name that no scenario has: what was meant would stay active. */
export async function switchOff(name: string, flags: FlagValues, io: Io): Promise<void> {
  const client = await connect(flags, io)
  const { active } = await client.ask('GET', route, activeList)
  if (!active.includes(name)) {
    const names = (await client.ask('GET', '/scenarios', catalogue)).scenarios.map((known) => known.name)
    if (!names.includes(name)) {
      const hint = didYouMean(name, names, '; `scenarios active` lists those that are active')
      throw new CliError(terminalSafe(`error: unknown scenario '${name}'${hint}`))
    }
  }
  const others = active.filter((other) => other !== name)
  await activate(client, others, flags, io)
}

async function activate(
  client: ControlClient,
  body: readonly string[],
  flags: FlagValues,
  io: Io,
): Promise<void> {
  const { data, text } = await client.askWhole('PUT', route, activeList, { body })
  if (flags['format'] === 'json') return io.stdout(bodyText(text))
  const { active } = data
  const now = active.length === 0 ? 'no scenario is active' : `active: ${active.join(', ')}`
  io.stderr(terminalSafe(`In workspace '${client.workspace}' ${now}\n`))
}
