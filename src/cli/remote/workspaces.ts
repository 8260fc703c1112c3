// The verbs workspaces, workspaces create, rotate and delete: the isolated copies of a running sandbox.
import { z } from 'zod'
import { checkName, connect } from './connect.ts'
import { nothing, shownText } from './control-client.ts'
import { show } from './show.ts'
import type { Io } from '../io.ts'
import type { FlagValues } from '../settings.ts'

const workspace = z.object({
  name: shownText,
  api_key: shownText.nullable(),
  created_at: shownText,
  damaged: z.boolean().optional(),
})
const workspaces = z.object({ workspaces: z.array(workspace) })

const row = (
  { name, api_key: key, created_at: at, damaged }: z.output<typeof workspace>,
  width = 0,
): string => `${name.padEnd(width)}  ${at}  ${damaged === true ? 'damaged' : (key ?? 'no API key to show')}\n`

const apiKey = z.object({
  id: shownText,
  api_key: shownText,
  secret: shownText,
  scopes: z.array(shownText),
  products: z.array(shownText),
})
/** With --isolation partner: all that opens it. */
const credentials = workspace.extend({ api_keys: z.array(apiKey), admin_token: shownText })

/** The credentials of a partner; with `--isolation test` all workspaces have the same key. */
const made = z.union([credentials, workspace])

function handedOut(answer: z.output<typeof made>): string {
  if (!('admin_token' in answer)) return row(answer)
  const { name, created_at: at, api_keys: keys, admin_token: token } = answer
  const lines = keys.map(({ id, api_key: key, secret, scopes, products }) =>
    [
      `${id}  ${key}`,
      `  secret ${secret}  products ${products.join(', ') || 'none'}`,
      `  ${scopes.join(', ') || 'no scopes'}`,
    ].join('\n'),
  )
  return `${[`${name}  ${at}`, `token ${token}`, ...lines].join('\n')}\n`
}

/** Said beside what is printed, so that it gets into no file. */
function sayOnce(name: string, answer: z.output<typeof made>, io: Io): void {
  if (!('admin_token' in answer)) return
  io.stderr(
    `These are shown once: hand them out now, or \`workspaces rotate ${name}\` ends them and gives others.\n`,
  )
}

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
  const request = { body, shared: true } as const
  const answer = await show(shown, ['POST', '/workspaces'], made, handedOut, request)
  sayOnce(name, answer, io)
}

export async function rotateWorkspace(name: string, flags: FlagValues, io: Io): Promise<void> {
  checkName('workspace', name)
  const shown = { client: await connect(flags, io), flags, io }
  const path = `/workspaces/${name}/rotate`
  const answer = await show(shown, ['POST', path], credentials, handedOut, { shared: true })
  sayOnce(name, answer, io)
}

export async function deleteWorkspace(name: string, flags: FlagValues, io: Io): Promise<void> {
  checkName('workspace', name)
  const client = await connect(flags, io)
  await client.ask('DELETE', `/workspaces/${name}`, nothing, { shared: true })
  io.stderr(`Deleted workspace '${name}'\n`)
}
