// Connects to a running sandbox by --url, --workspace and --admin-token, or their variables.
import { caFileVariable, defaultUrl, flagOf, variableOf } from '../../options/index.ts'
import { readOptions } from '../../options/read-options.ts'
import { InvalidError } from '../../input/refusals.ts'
import { whyUnreadable } from '../../input/source-file.ts'
import { requireName } from '../../workspaces/names.ts'
import { defaultWorkspace } from '../../workspaces/workspace.ts'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { ControlClient, type ClientOptions } from './control-client.ts'
import { CliError, exitCodes, type Io } from '../io.ts'
import { certificateIfAny } from '../serve/certificate.ts'
import { terminalSafe } from '../output.ts'
import { reachable } from '../reachable.ts'
import { readSettings, valueFromFile, type FlagValues } from '../settings.ts'

/** The options of a connection. */
export interface ConnectOptions extends Pick<ClientOptions, 'isAboutAll' | 'onRefusal'> {
  /** The verb only reads, so it must not create the workspace that it names. */
  reads?: boolean
}

/**
 * Connects to a running sandbox. Without a URL it is the sandbox that `start` would serve from here: its port, host and
 * token come from the same sources.
 *
 * The control plane creates a workspace on the first request that names it. A verb that only reads therefore checks
 * first that it exists, as a mistyped name would show an empty workspace.
 *
 * @throws {CliError} @throws {OptionsError} for an invalid value.
 * @throws {DocumentError} for an invalid config file.
 * @throws {RefusedError} for a verb that reads, if the workspace does not exist, with a suggestion.
 */
export async function connect(
  flags: FlagValues,
  io: Io,
  { reads = false, ...options }: ConnectOptions = {},
): Promise<ControlClient> {
  const url = urlOf(flags, io)
  const workspace = workspaceOf(flags)
  const token = await tokenOf(flags, io)
  const client =
    url === undefined
      ? await clientOfSettings({ ...options, workspace, token }, flags, io)
      : new ControlClient(url, { ...options, workspace, token, ca: await authorityFor(url, io) })
  if (reads && client.isNamed && client.workspace !== defaultWorkspace)
    await client.ask(
      { method: 'GET', path: `/workspaces/${client.workspace}` },
      z.looseObject({ name: z.string() }),
    )
  return client
}

async function clientOfSettings(
  options: ClientOptions,
  { port: flag }: FlagValues,
  io: Io,
): Promise<ControlClient> {
  const settings = await readSettings({ port: flag }, io)
  const { port, host, adminToken } = settings
  const shownHost = host.includes(':') ? `[${host}]` : host
  const certificate = await certificateIfAny(settings)
  const url = reachable(`${certificate ? 'https' : 'http'}://${shownHost}:${port}`)
  return new ControlClient(url, {
    ...options,
    token: options.token ?? adminToken,
    ca: await authorityFor(url, io, certificate?.caFile),
  })
}

/**
 * Returns the authority that a client of a URL trusts, from the file of the variable.
 * @param otherwise the file without that variable. @throws {CliError} if it cannot be read.
 */
async function authorityFor(
  url: string,
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
  otherwise?: string,
): Promise<string | undefined> {
  const file = env[caFileVariable] || otherwise
  if (file === undefined || !url.startsWith('https:')) return undefined
  try {
    return await readFile(resolve(cwd, file), 'utf8')
  } catch (error) {
    throw new CliError(`error: ${caFileVariable}: '${file}' ${whyUnreadable(error)}`, exitCodes.badFile)
  }
}

/** @throws {CliError} for a text that cannot be the name of a workspace or a snapshot. */
export function checkName(kind: 'workspace' | 'snapshot', name: string): void {
  try {
    requireName(kind, name)
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error
    throw new CliError(`error: ${error.message}`)
  }
}

function urlOf(flags: FlagValues, io: Io): string | undefined {
  const { url: flag, port } = flags
  if (flag !== undefined && port !== undefined)
    throw new CliError('error: --url and --port exclude each other: use one of them')
  // A flag wins over the variable.
  if (port !== undefined) return undefined
  const source = typeof flag === 'string' ? '--url' : 'SANDBOX_URL'
  const text = typeof flag === 'string' ? flag : io.env['SANDBOX_URL']
  if (text === undefined || text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const refuse = (message: string): CliError => new CliError(`error: ${source}: ${message}`)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw refuse(`'${terminalSafe(text)}' is not a URL such as ${defaultUrl}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse(`must have no user and no password: set the token by ${flagOf('adminToken')}`)
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
  const provided =
    typeof flags['adminToken'] === 'string'
      ? { source: flagOf('adminToken'), value: flags['adminToken'] }
      : (ofFile ?? (io.env[variable] ? { source: variable, value: io.env[variable] } : undefined))
  const { adminToken } = readOptions(provided ? { adminToken: provided } : {})
  if (adminToken !== undefined && /[^\x21-\x7e]/.test(adminToken)) {
    throw new CliError(`error: ${provided?.source}: must be ASCII to be sent in a header`)
  }
  return adminToken
}
