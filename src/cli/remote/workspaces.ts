// The verbs workspaces, workspaces create and workspaces delete: the isolated copies of a running sandbox.
import { z } from 'zod'
import { checkName, connect } from './connect.ts'
import { nothing, shownText } from './control-client.ts'
import { show } from './show.ts'
import type { Io } from '../io.ts'
import type { FlagValues } from '../settings.ts'

const workspace = z.object({ name: shownText, api_key: shownText.nullable(), created_at: shownText })
const workspaces = z.object({ workspaces: z.array(workspace) })

const row = ({ name, api_key: key, created_at: at }: z.output<typeof workspace>, width = 0): string =>
  `${name.padEnd(width)}  ${at}  ${key ?? 'no API key for this environment'}\n`

export async function listWorkspaces(flags: FlagValues, io: Io): Promise<void> {
  const shown = { client: await connect(flags, io), flags, io }
  await show(
    shown,
    ['GET', '/workspaces'],
    workspaces,
    ({ workspaces: all }) => {
      const width = Math.max(...all.map(({ name }) => name.length))
      return all.map((one) => row(one, width)).join('')
    },
    { shared: true },
  )
}

export async function createWorkspace(name: string, flags: FlagValues, io: Io): Promise<void> {
  checkName('workspace', name)
  const from = flags['from']
  if (typeof from === 'string') checkName('workspace', from)
  const shown = { client: await connect(flags, io), flags, io }
  const body = { name, ...(from === undefined ? {} : { from }) }
  await show(shown, ['POST', '/workspaces'], workspace, row, { body, shared: true })
}

export async function deleteWorkspace(name: string, flags: FlagValues, io: Io): Promise<void> {
  checkName('workspace', name)
  const client = await connect(flags, io)
  await client.ask('DELETE', `/workspaces/${name}`, nothing, { shared: true })
  io.stderr(`Deleted workspace '${name}'\n`)
}
