// The options in force: from flags, SANDBOX_ variables, SANDBOX_OPTIONS, the config file and a mounted folder.
import { dirname, isAbsolute, resolve } from 'node:path'
import { Command } from 'commander'
import {
  flagOf,
  libraryNameOf,
  libraryNames,
  optionNames,
  optionOf,
  variableOf,
  type CommandSettings,
  type OptionName,
  type SandboxOptions,
  type Settings,
} from '../options/index.ts'
import { OptionsError, readOptions, unknownOption, type GivenValue } from '../options/read-options.ts'
import { isJsonObject } from '../contract/formats.ts'
import { DocumentError, formatProblems, type Problem } from '../reading/problems.ts'
import { problemAt, readSource, type Source } from '../reading/source-file.ts'
import { isScenarioPath } from '../scenarios/scenario-path.ts'
import { shownPath } from '../runtime/host.ts'
import { commanderOption } from './commander-option.ts'
import type { Io } from './io.ts'
import { configFileIn, mountedFolder, mountedOptions } from './mount.ts'

/** What commander read: texts, lists of texts, and true for switches, by option name. */
export type FlagValues = Readonly<Record<string, unknown>>

type Given = Partial<Record<OptionName, GivenValue>>

/** What a config file can set: not which config file is read, nor where it is looked for. */
const inConfigNames = optionNames.filter((name) => name !== 'config' && name !== 'mount')

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
    ...fromOptionsVariable(io.env['SANDBOX_OPTIONS'], io.cwd),
    ...fromEnvironment(io.env, io.cwd),
    ...fromFlags(flags, io.cwd),
  }
  const mount = before.mount && mountedFolder(before.mount)
  const fromMount = mount === undefined ? {} : await mountedOptions(mount)
  const config = await readConfig(before.config?.value, mount, io)
  try {
    return readOptions({ ...fromMount, ...config?.given, ...before }, verb)
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
function givenBy(folder: string, read: (name: OptionName) => GivenValue): Given {
  const given: Given = {}
  for (const name of optionNames) {
    const { source, value } = read(name)
    if (value === undefined) continue
    const { path } = optionOf(name)
    const isPath = path === true ? () => true : isScenarioPath
    given[name] = { source, value: path ? absolutePath(value, folder, isPath) : value }
  }
  return given
}

function absolutePath(value: unknown, folder: string, isPath: (text: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => absolutePath(item, folder, isPath))
  if (typeof value !== 'string' || value === '' || !isPath(value) || isAbsolute(value)) return value
  return resolve(folder, value)
}

function fromFlags(flags: FlagValues, folder: string, where = ''): Given {
  return givenBy(folder, (name) => ({ source: where + flagOf(name), value: flags[name] }))
}

function fromEnvironment(env: Io['env'], folder: string): Given {
  return givenBy(folder, (name) => {
    const source = variableOf(name)
    const text = env[source] || undefined
    if (text === undefined || isServiceLink(name, text)) return { source, value: undefined }
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

/** The options of the config file that was named, else of the one in the working directory or the mounted folder. */
async function readConfig(
  named: unknown,
  mount: string | undefined,
  { cwd }: Pick<Io, 'cwd'>,
): Promise<{ source: Source; given: Given } | undefined> {
  const found = (): string | undefined => configFileIn(cwd) ?? (mount && configFileIn(mount))
  const path = typeof named === 'string' ? named : found()
  if (path === undefined) return undefined
  const source = await readSource(path, shownPath(path, cwd))
  if (!isJsonObject(source.value))
    throw new DocumentError([problemAt(source, [], 'must be an object of options')])
  const values: Given = {}
  const problems: Problem[] = []
  for (const [key, value] of Object.entries(source.value)) {
    const name = inConfigNames.find((candidate) => candidate === key || flagOf(candidate) === `--${key}`)
    if (name) values[name] = { source: key, value }
    else problems.push(problemAt(source, [key], unknownOption(key, inConfigNames), 'key'))
  }
  if (problems.length > 0) throw new DocumentError(problems)
  return {
    source,
    given: givenBy(dirname(path), (name) => values[name] ?? { source: name, value: undefined }),
  }
}

/** Bad values that stand in the config file are problems of that file; beside others, they are named with it. */
function inConfig(error: OptionsError, source: Source): Error {
  const parts = error.parts.length > 0 ? error.parts : [error]
  const problems = parts.map((part) => problemIn(source, part))
  const inFile = problems.filter((problem) => problem !== undefined)
  if (inFile.length === parts.length) return new DocumentError(inFile)
  if (inFile.length === 0) return error
  const named = parts.map((part, place) => {
    if (!problems[place]) return part
    const { excerpt: _excerpt, ...inOneLine } = problems[place]
    return new OptionsError(formatProblems([inOneLine]))
  })
  return new OptionsError(error.message, undefined, named)
}

function problemIn(source: Source, { source: key, message }: OptionsError): Problem | undefined {
  if (key === undefined || !isJsonObject(source.value) || !Object.hasOwn(source.value, key)) return undefined
  return problemAt(source, [key], message.replace(`${key}:`, '').trim())
}
