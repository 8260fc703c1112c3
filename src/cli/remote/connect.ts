// Where a running sandbox is: the client that --url, --workspace and --admin-token describe, or their variables.
import { defaultUrl, flagOf, variableOf } from '../../options/index.ts'
import { readOptions } from '../../options/read-options.ts'
import { InvalidError } from '../../reading/refusals.ts'
import { requireName } from '../../workspaces/names.ts'
import { defaultWorkspace } from '../../workspaces/workspace.ts'
import { ControlClient } from './control-client.ts'
import { CliError, type Io } from '../io.ts'
import { terminalSafe } from '../output.ts'
import { reachable } from '../reachable.ts'
import { readSettings, valueFromFile, type FlagValues } from '../settings.ts'

/**
 * Without a URL it is the sandbox that `start` would serve from here: its port, host and token are read where `start`
 * reads them.
 * @throws {CliError} @throws {OptionsError} for a value that cannot be used.
 * @throws {DocumentError} for a config file that cannot be used.
 */
export async function connect(flags: FlagValues, io: Io): Promise<ControlClient> {
  const given = urlOf(flags, io)
  const workspace = workspaceOf(flags)
  const token = await tokenOf(flags, io)
  if (given !== undefined) return new ControlClient(given, workspace, token)
  const { port, host, adminToken } = await readSettings({}, io)
  const shown = host.includes(':') ? `[${host}]` : host
  return new ControlClient(reachable(`http://${shown}:${port}`), workspace, token ?? adminToken)
}

/**
 * As `connect`, for verbs that only read: the control plane makes a workspace when it is first named, and a mistyped one
 * would be read as one in which nothing happened.
 * @throws {RefusedError} for a workspace that somebody named and that is not there, with a suggestion.
 */
export async function connectToRead(flags: FlagValues, io: Io): Promise<ControlClient> {
  const client = await connect(flags, io)
  const { isNamed, workspace } = client
  if (isNamed && workspace !== defaultWorkspace)
    await client.read('GET', `/workspaces/${workspace}`, { shared: true })
  return client
}

/** @throws {CliError} for a text that can name neither a workspace nor a snapshot. */
export function checkName(kind: 'workspace' | 'snapshot', name: string): void {
  try {
    requireName(kind, name)
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error
    throw new CliError(`error: ${error.message}`)
  }
}

function urlOf(flags: FlagValues, io: Io): string | undefined {
  const flag = flags['url']
  const source = typeof flag === 'string' ? '--url' : 'SANDBOX_URL'
  const text = typeof flag === 'string' ? flag : io.env['SANDBOX_URL']
  if (text === undefined || text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const refuse = (message: string): CliError => new CliError(`error: ${source}: ${message}`)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw refuse(`'${terminalSafe(text)}' is not a URL such as ${defaultUrl}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse(`must hold no user and no password: a token is given by ${flagOf('adminToken')}`)
  }
  if (url.search !== '' || url.hash !== '') {
    throw refuse(`'${terminalSafe(text)}' must end with its path, without ? and #`)
  }
  return text.replace(/\/+$/, '')
}

function workspaceOf(flags: FlagValues): string | undefined {
  const name = flags['workspace']
  if (typeof name !== 'string') return undefined
  checkName('workspace', name)
  return name
}

async function tokenOf(flags: FlagValues, io: Io): Promise<string | undefined> {
  const variable = variableOf('adminToken')
  const ofFile = await valueFromFile('adminToken', io)
  const given =
    typeof flags['adminToken'] === 'string'
      ? { source: flagOf('adminToken'), value: flags['adminToken'] }
      : (ofFile ?? (io.env[variable] ? { source: variable, value: io.env[variable] } : undefined))
  const { adminToken } = readOptions(given ? { adminToken: given } : {})
  if (adminToken !== undefined && /[^\x21-\x7e]/.test(adminToken)) {
    throw new CliError(`error: ${given?.source}: must be ASCII to be sent in a header`)
  }
  return adminToken
}
