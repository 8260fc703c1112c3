// The config file, sandbox.config.{yaml,yml,json}: its path, its options, and the positions of bad values.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '../contract/formats.ts'
import { flagOf, optionNames, optionOf, type OptionName } from '../options/index.ts'
import {
  OptionsError,
  unknownOption,
  type ProvidedOptions,
  type ProvidedValue,
} from '../options/read-options.ts'
import { ProblemList } from '../input/problem-list.ts'
import { DocumentError, formatProblems, type Problem } from '../input/problems.ts'
import { isPassedOver, problemAt, readSource, type Source } from '../input/source-file.ts'
import { shownPath } from '../runtime/host.ts'

/** In the order of the search. */
const fileNames = ['sandbox.config.yaml', 'sandbox.config.yml', 'sandbox.config.json']

/** The options that a config file can set. `config` and `mount` decide which config file is read. */
const settable = optionNames.filter((name) => name !== 'config' && name !== 'mount')

/** Returns the config file of a folder, if it has one. */
export function configFileIn(folder: string): string | undefined {
  return fileNames.map((name) => join(folder, name)).find((file) => existsSync(file))
}

function settableCalled(key: string): OptionName | undefined {
  return settable.find((candidate) => candidate === key || flagOf(candidate) === `--${key}`)
}

/** A config file that was read. */
export interface ConfigFile {
  path: string
  source: Source
  provided: ProvidedOptions
}

/** @throws {DocumentError} for an invalid one, with every problem in it. */
export async function readConfigFile(path: string, cwd: string): Promise<ConfigFile> {
  const source = await readSource(path, shownPath(path, cwd))
  if (!isJsonObject(source.value))
    throw new DocumentError([problemAt(source, [], 'must be an object of options')])
  const provided: Partial<Record<OptionName, ProvidedValue>> = {}
  const problems = new ProblemList()
  for (const [key, value] of Object.entries(source.value)) {
    if (isPassedOver(key)) continue
    const name = settableCalled(key)
    if (name) provided[name] = { source: key, value }
    else problems.add({ source, path: [key], message: unknownOption(key, settable), at: 'key' })
  }
  problems.throwIfAny()
  return { path, source, provided }
}

/**
 * Converts invalid values from the config file into problems with their position in the file. If other sources have
 * invalid values too, the result is an `OptionsError` that names the file in its parts.
 */
export function locatedInConfig(error: OptionsError, source: Source): Error {
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
  const { excerpt, ...problem } = problemAt(source, [key], message.replace(`${key}:`, '').trim())
  const name = settableCalled(key)
  // The line would show a secret.
  const isShown = excerpt !== undefined && !(name && optionOf(name).secret)
  return { ...problem, ...(isShown && { excerpt }) }
}
