import { dirname, isAbsolute, resolve } from 'node:path'
import { Command } from 'commander'
import {
  flagOf,
  optionNames,
  optionOf,
  variableOf,
  type ExecOptions,
  type OptionName,
  type Settings,
  type StartOptions,
} from '../options/index.ts'
import { OptionsError, readOptions, unknownOption, type GivenValue } from '../options/read-options.ts'
import { isJsonObject } from '../contract/formats.ts'
import { DocumentError, formatProblems, type Problem } from '../reading/problems.ts'
import { problemAt, readSource, type Source } from '../reading/source-file.ts'
import { isScenarioPath } from '../scenarios/catalogue.ts'
import { shownPath } from '../runtime/host.ts'
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
 * @param defaults what a verb has in place of a default of the table.
 * @throws {OptionsError} with every bad value, naming its source.
 * @throws {DocumentError} for a config file that cannot be used, with every problem in it.
 */
export async function readSettings(
  flags: FlagValues,
  io: Pick<Io, 'cwd' | 'env'>,
  defaults: FlagValues = {},
): Promise<Settings & StartOptions & ExecOptions> {
  const byDefault = fromFlags(defaults, (name) => flagOf(name))
  const fromLine = absolutePaths(
    fromFlags(flags, (name) => flagOf(name)),
    io.cwd,
  )
  const fromVariables = absolutePaths(fromEnvironment(io.env), io.cwd)
  const fromOptions = absolutePaths(fromOptionsVariable(io.env['SANDBOX_OPTIONS']), io.cwd)
  const before = { ...fromOptions, ...fromVariables, ...fromLine }
  const mount = before.mount && mountedFolder(before.mount)
  const fromMount = mount === undefined ? {} : await mountedOptions(mount)
  const config = await readConfig(before.config?.value, mount, io)
  if (!config) return readOptions({ ...byDefault, ...fromMount, ...before })
  const fromFile = absolutePaths(config.given, dirname(config.path))
  try {
    return readOptions({ ...byDefault, ...fromMount, ...fromFile, ...before })
  } catch (error) {
    if (error instanceof OptionsError) throw inConfig(error, config.source)
    throw error
  }
}

function fromFlags(flags: FlagValues, sourceOf: (name: OptionName) => string): Given {
  const given: Given = {}
  for (const name of optionNames) {
    const value = flags[name]
    if (value !== undefined) given[name] = { source: sourceOf(name), value }
  }
  return given
}

function fromEnvironment(env: Io['env']): Given {
  const given: Given = {}
  for (const name of optionNames) {
    const source = variableOf(name)
    const text = env[source]
    if (text === undefined || text === '' || isServiceLink(name, text)) continue
    const value = optionOf(name).list ? text.split(',').map((item) => item.trim()) : text
    given[name] = { source, value }
  }
  return given
}

/**
 * Kubernetes, and links between Docker containers, tell every container where a service named `sandbox` is: by
 * `SANDBOX_PORT=tcp://10.0.0.1:4010`. Nobody chose a port by that.
 */
function isServiceLink(name: OptionName, text: string): boolean {
  return name === 'port' && /^(?:tcp|udp|sctp):\/\//.test(text)
}

/** `SANDBOX_OPTIONS` holds a piece of command line, for where only one variable can be set. */
function fromOptionsVariable(line: string | undefined): Given {
  if (line === undefined || line.trim() === '') return {}
  const reader = new Command('SANDBOX_OPTIONS')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, writeOut: () => undefined })
    .helpOption(false)
  for (const name of optionNames) {
    const { placeholder, list, short } = optionOf(name)
    const flag = `${short ? `-${short}, ` : ''}${flagOf(name)}${placeholder === undefined ? '' : ' <value>'}`
    if (list) reader.option(flag, '', (value: string, before: string[]) => [...before, value], [])
    else reader.option(flag)
  }
  try {
    reader.parse(words(line), { from: 'user' })
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^error: /, '') : ''
    throw new OptionsError(`SANDBOX_OPTIONS: ${message}`, 'SANDBOX_OPTIONS')
  }
  const values = Object.entries(reader.opts()).filter(
    ([, value]) => !Array.isArray(value) || value.length > 0,
  )
  return fromFlags(Object.fromEntries(values), (name) => `SANDBOX_OPTIONS: ${flagOf(name)}`)
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

interface Config {
  path: string
  source: Source
  given: Given
}

async function readConfig(
  named: unknown,
  mount: string | undefined,
  io: Pick<Io, 'cwd'>,
): Promise<Config | undefined> {
  const path =
    typeof named === 'string'
      ? named
      : (configFileIn(io.cwd) ?? (mount === undefined ? undefined : configFileIn(mount)))
  if (path === undefined) return undefined
  const source = await readSource(path, shownPath(path, io.cwd))
  if (!isJsonObject(source.value))
    throw new DocumentError([problemAt(source, [], 'must be an object of options')])
  const given: Given = {}
  const problems: Problem[] = []
  for (const [key, value] of Object.entries(source.value)) {
    const name = inConfigNames.find((candidate) => candidate === key || flagOf(candidate) === `--${key}`)
    if (name === undefined) {
      problems.push(problemAt(source, [key], unknownOption(key, inConfigNames), 'key'))
    } else {
      given[name] = { source: key, value }
    }
  }
  if (problems.length > 0) throw new DocumentError(problems)
  return { path, source, given }
}

/** Bad values that stand in the config file are problems of that file; beside others, they are named with it. */
function inConfig(error: OptionsError, source: Source): Error {
  const parts = error.parts.length > 0 ? error.parts : [error]
  const problems = parts.map((part) => problemIn(source, part))
  const inFile = problems.filter((problem) => problem !== undefined)
  if (inFile.length === parts.length) return new DocumentError(inFile)
  if (inFile.length === 0) return error
  const named = parts.map((part, place) =>
    problems[place] ? new OptionsError(inOneLine(problems[place])) : part,
  )
  return new OptionsError(error.message, undefined, named)
}

function inOneLine(problem: Problem): string {
  const { excerpt: _excerpt, ...rest } = problem
  return formatProblems([rest])
}

function problemIn(source: Source, { source: key, message }: OptionsError): Problem | undefined {
  if (key === undefined || !isJsonObject(source.value) || !Object.hasOwn(source.value, key)) return undefined
  return problemAt(source, [key], message.replace(`${key}:`, '').trim())
}

function absolutePaths(given: Given, folder: string): Given {
  const made: Given = {}
  for (const name of optionNames) {
    const from = given[name]
    if (from === undefined) continue
    const { path } = optionOf(name)
    const isPath = path === true ? () => true : isScenarioPath
    made[name] = path ? { ...from, value: absolutePath(from.value, folder, isPath) } : from
  }
  return made
}

function absolutePath(value: unknown, folder: string, isPath: (text: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => absolutePath(item, folder, isPath))
  if (typeof value !== 'string' || value === '' || !isPath(value) || isAbsolute(value)) return value
  return resolve(folder, value)
}
