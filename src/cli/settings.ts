// The current options: from flags, SANDBOX_ variables, SANDBOX_OPTIONS, the config file and a mounted folder.
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
import {
  OptionsError,
  readOptions,
  type ProvidedOptions,
  type ProvidedValue,
} from '../options/read-options.ts'
import { whyUnreadable } from '../input/source-file.ts'
import { isScenarioPath } from '../scenarios/catalogue.ts'
import { withPassword } from '../input/store-address.ts'
import { commanderOption } from './commander-option.ts'
import { configFileIn, locatedInConfig, readConfigFile } from './config-file.ts'
import type { Io } from './io.ts'
import { mountedFolder, mountedOptions } from './mount.ts'

/** The result of commander: texts, lists of texts, and true for switches, by option name. */
export type FlagValues = Readonly<Record<string, unknown>>

/**
 * Returns the value of every option from its first source: flag, `SANDBOX_<FLAG>`, `SANDBOX_OPTIONS`, a variable that
 * names a file, config file, mounted folder, default. Relative paths are resolved: those of the config file against its
 * folder, all others against the working directory.
 *
 * @param verb the one whose own defaults apply.
 * @throws {OptionsError} with every bad value, naming its source.
 * @throws {DocumentError} for an invalid config file, with every problem in it.
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
  const fromFile = config ? valuesOfSource(dirname(config.path), (name) => config.provided[name]) : {}
  try {
    const settings = readOptions({ ...fromMount, ...fromFile, ...before }, verb)
    return { ...settings, store: withPassword(settings.store, io.env[storePasswordVariable]) }
  } catch (error) {
    throw config && error instanceof OptionsError ? locatedInConfig(error, config.source) : error
  }
}

/** Returns the settings for `createSandbox`, or these options of it; options that were not set are omitted. */
export function libraryOptions(
  settings: Settings,
  names: readonly OptionName[] = libraryNames,
): SandboxOptions {
  const known = new Set<string>(names.map(libraryNameOf))
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => known.has(name) && value !== undefined),
  ) as SandboxOptions
}

/** Returns the values of a source for each option; its paths become absolute, relative to a folder. */
function valuesOfSource(
  folder: string,
  read: (name: OptionName) => ProvidedValue | undefined,
): ProvidedOptions {
  const provided: Partial<Record<OptionName, ProvidedValue>> = {}
  for (const name of optionNames) {
    const { source, value } = read(name) ?? {}
    if (source === undefined || value === undefined) continue
    const { path, words: noPaths = [] } = optionOf(name)
    const isPath = path === true ? (text: string) => !noPaths.includes(text) : isScenarioPath
    provided[name] = { source, value: path ? absolutePath(value, folder, isPath) : value }
  }
  return provided
}

function absolutePath(value: unknown, folder: string, isPath: (text: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => absolutePath(item, folder, isPath))
  if (typeof value !== 'string' || value === '' || !isPath(value) || isAbsolute(value)) return value
  // A trailing slash means a folder.
  return resolve(folder, value) + (value.endsWith('/') ? '/' : '')
}

function fromFlags(flags: FlagValues, folder: string, where = ''): ProvidedOptions {
  return valuesOfSource(folder, (name) => ({ source: where + flagOf(name), value: flags[name] }))
}

async function fromFiles(io: Pick<Io, 'cwd' | 'env'>): Promise<ProvidedOptions> {
  const found = await Promise.all(
    readFromFiles.map(async (name) => [name, await valueFromFile(name, io)] as const),
  )
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

/**
 * Returns the contents of the file that a variable such as `SANDBOX_ADMIN_TOKEN_FILE` names, without one line break at
 * the end.
 *
 * @throws {OptionsError} if it cannot be read or is empty, or if the variable with the value itself is also set.
 */
export async function valueFromFile(
  name: (typeof readFromFiles)[number],
  { env, cwd }: Pick<Io, 'cwd' | 'env'>,
): Promise<ProvidedValue | undefined> {
  const source = fileVariableOf(name)
  const file = env[source]
  if (!file) return undefined
  const refuse = (message: string): OptionsError => new OptionsError(`${source}: ${message}`, source)
  if (env[variableOf(name)]) throw refuse(`must be omitted with ${variableOf(name)}`)
  const text = await readFile(resolve(cwd, file), 'utf8').catch((error: unknown) => {
    throw refuse(`'${file}' ${whyUnreadable(error)}`)
  })
  const value = text.replace(/\r?\n$/, '')
  if (value === '')
    throw refuse(`'${file}' is empty, expected ${name === 'adminToken' ? 'the token' : 'the secret'}`)
  return { source, value }
}

function fromEnvironment(env: Io['env'], folder: string): ProvidedOptions {
  return valuesOfSource(folder, (name) => {
    const source = variableOf(name)
    const text = env[source]
    if (!text || isServiceLink(name, text)) return undefined
    return { source, value: optionOf(name).list ? text.split(',').map((item) => item.trim()) : text }
  })
}

/**
 * Kubernetes, and links between Docker containers, set a variable in every container for a service named `sandbox`:
 * `SANDBOX_PORT=tcp://10.0.0.1:4010`. It is not a port that a user chose.
 */
function isServiceLink(name: OptionName, text: string): boolean {
  return name === 'port' && /^(?:tcp|udp|sctp):\/\//.test(text)
}

/** `SANDBOX_OPTIONS` has command-line arguments, for environments in which only one variable can be set. */
function fromOptionsVariable(line: string | undefined, folder: string): ProvidedOptions {
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

/** Splits a line into words like a shell: at spaces, except inside quotes. */
function words(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(([word]) =>
    word.replace(
      /"([^"]*)"|'([^']*)'/g,
      (_, double: string | undefined, single: string | undefined) => double ?? single ?? '',
    ),
  )
}
