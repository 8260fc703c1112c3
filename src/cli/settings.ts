// The options in force: from flags, SANDBOX_ variables, SANDBOX_OPTIONS, the config file and a mounted folder.
import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'
import { Command } from 'commander'
import {
  flagOf,
  libraryNameOf,
  libraryNames,
  optionNames,
  optionOf,
  storePasswordVariable,
  fileVariableOf,
  readFromFiles,
  variableOf,
  type CommandSettings,
  type OptionName,
  type SandboxOptions,
  type Settings,
} from '../options/index.ts'
import { OptionsError, readOptions, type Given, type GivenValue } from '../options/read-options.ts'
import { whyUnreadable } from '../input/source-file.ts'
import { isScenarioPath } from '../scenarios/catalogue.ts'
import { withPassword } from '../input/store-address.ts'
import { commanderOption } from './commander-option.ts'
import { configFileIn, inConfig, readConfigFile } from './config-file.ts'
import type { Io } from './io.ts'
import { mountedFolder, mountedOptions } from './mount.ts'

/** What commander read: texts, lists of texts, and true for switches, by option name. */
export type FlagValues = Readonly<Record<string, unknown>>

/**
 * The value of every option, from where it was set first: flag, `SANDBOX_<FLAG>`, `SANDBOX_OPTIONS`, config file,
 * mounted folder, default. Paths are made absolute here, relative to the file that names them.
 *
 * @param verb the one whose own defaults count.
 * @throws {OptionsError} with every bad value, naming its source.
 * @throws {DocumentError} for a config file that cannot be used, with every problem in it.
 */
export async function readSettings(
  flags: FlagValues,
  io: Pick<Io, 'cwd' | 'env'>,
  verb?: string,
): Promise<CommandSettings> {
  const before = {
    ...(await fromFiles(io)),
    ...fromOptionsVariable(io.env['SANDBOX_OPTIONS'], io.cwd),
    ...fromEnvironment(io.env, io.cwd),
    ...fromFlags(flags, io.cwd),
  }
  const mount = before.mount && mountedFolder(before.mount)
  const fromMount = mount === undefined ? {} : await mountedOptions(mount)
  const named = before.config?.value ?? configFileIn(io.cwd) ?? (mount && configFileIn(mount))
  const config = typeof named === 'string' ? await readConfigFile(named, io.cwd) : undefined
  const fromFile = config ? givenBy(dirname(config.path), (name) => config.given[name]) : {}
  try {
    const settings = readOptions({ ...fromMount, ...fromFile, ...before }, verb)
    return { ...settings, store: withPassword(settings.store, io.env[storePasswordVariable]) }
  } catch (error) {
    throw config && error instanceof OptionsError ? inConfig(error, config.source) : error
  }
}

/** What `createSandbox` takes of these settings, or these options of it; what was not set is left out. */
export function libraryOptions(
  settings: Settings,
  names: readonly OptionName[] = libraryNames,
): SandboxOptions {
  const known = new Set<string>(names.map(libraryNameOf))
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => known.has(name) && value !== undefined),
  ) as SandboxOptions
}

/** What a source has for each option; its paths are made absolute from a folder. */
function givenBy(folder: string, read: (name: OptionName) => GivenValue | undefined): Given {
  const given: Partial<Record<OptionName, GivenValue>> = {}
  for (const name of optionNames) {
    const { source, value } = read(name) ?? {}
    if (source === undefined || value === undefined) continue
    const { path, words: noPaths = [] } = optionOf(name)
    const isPath = path === true ? (text: string) => !noPaths.includes(text) : isScenarioPath
    given[name] = { source, value: path ? absolutePath(value, folder, isPath) : value }
  }
  return given
}

function absolutePath(value: unknown, folder: string, isPath: (text: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => absolutePath(item, folder, isPath))
  if (typeof value !== 'string' || value === '' || !isPath(value) || isAbsolute(value)) return value
  // A slash at the end says that it is a folder.
  return resolve(folder, value) + (value.endsWith('/') ? '/' : '')
}

function fromFlags(flags: FlagValues, folder: string, where = ''): Given {
  return givenBy(folder, (name) => ({ source: where + flagOf(name), value: flags[name] }))
}

async function fromFiles(io: Pick<Io, 'cwd' | 'env'>): Promise<Given> {
  const found = await Promise.all(
    readFromFiles.map(async (name) => [name, await valueFromFile(name, io)] as const),
  )
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

/**
 * The content of the file that a variable such as `SANDBOX_ADMIN_TOKEN_FILE` names, without one end of line.
 *
 * @throws {OptionsError} for one that cannot be read or is empty, and beside the variable with the value itself.
 */
export async function valueFromFile(
  name: (typeof readFromFiles)[number],
  { env, cwd }: Pick<Io, 'cwd' | 'env'>,
): Promise<GivenValue | undefined> {
  const source = fileVariableOf(name)
  const file = env[source]
  if (!file) return undefined
  const refuse = (message: string): OptionsError => new OptionsError(`${source}: ${message}`, source)
  if (env[variableOf(name)]) throw refuse(`must not stand beside ${variableOf(name)}`)
  const text = await readFile(resolve(cwd, file), 'utf8').catch((error: unknown) => {
    throw refuse(`'${file}' ${whyUnreadable(error)}`)
  })
  const value = text.replace(/\r?\n$/, '')
  if (value === '')
    throw refuse(`'${file}' is empty, and should hold ${name === 'adminToken' ? 'the token' : 'the secret'}`)
  return { source, value }
}

function fromEnvironment(env: Io['env'], folder: string): Given {
  return givenBy(folder, (name) => {
    const source = variableOf(name)
    const text = env[source]
    if (!text || isServiceLink(name, text)) return undefined
    return { source, value: optionOf(name).list ? text.split(',').map((item) => item.trim()) : text }
  })
}

/**
 * Kubernetes, and links between Docker containers, tell every container where a service named `sandbox` is: by
 * `SANDBOX_PORT=tcp://10.0.0.1:4010`. Nobody chose a port by that.
 */
function isServiceLink(name: OptionName, text: string): boolean {
  return name === 'port' && /^(?:tcp|udp|sctp):\/\//.test(text)
}

/** `SANDBOX_OPTIONS` holds a piece of command line, for where only one variable can be set. */
function fromOptionsVariable(line: string | undefined, folder: string): Given {
  if (line === undefined || line.trim() === '') return {}
  const reader = new Command('SANDBOX_OPTIONS')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, writeOut: () => undefined })
    .helpOption(false)
  for (const name of optionNames) {
    const { placeholder } = optionOf(name)
    reader.addOption(commanderOption(name, undefined, placeholder && 'value'))
  }
  try {
    reader.parse(words(line), { from: 'user' })
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^error: /, '') : ''
    throw new OptionsError(`SANDBOX_OPTIONS: ${message}`, 'SANDBOX_OPTIONS')
  }
  return fromFlags(reader.opts(), folder, 'SANDBOX_OPTIONS: ')
}

/** Splits a line into words as a shell does: at spaces, except inside quotes. */
function words(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(([word]) =>
    word.replace(
      /"([^"]*)"|'([^']*)'/g,
      (_, double: string | undefined, single: string | undefined) => double ?? single ?? '',
    ),
  )
}
