// Reads given options by the table: checks them, lays them over the defaults, and says what is wrong.
import type { z } from 'zod'
import { didYouMean } from '../input/did-you-mean.ts'
import { AssumptionError, resolveAssumptions } from '../input/resolve-assumptions.ts'
import { inMemory } from '../input/store-address.ts'
import {
  defaultOf,
  flagOf,
  libraryNameOf,
  libraryNames,
  optionNames,
  optionOf,
  type CommandSettings,
  type OptionName,
  type SandboxOptions,
  type Settings,
} from './index.ts'

/** Where a value came from, so that a message can name it: `--port`, `SANDBOX_PORT`, a file. */
export interface GivenValue {
  source: string
  value: unknown
}

/** The options that were given. */
export type Given = Readonly<Partial<Record<OptionName, GivenValue>>>

/** Thrown for options that cannot be used; the message names the option, its value and what was expected. */
export class OptionsError extends Error {
  /** The source of the bad value, when one value is to blame. */
  readonly source: string | undefined
  /** One by one what is wrong, when it is more than one thing; the message has all of it. */
  readonly parts: readonly OptionsError[]

  constructor(message: string, source?: string, parts: readonly OptionsError[] = []) {
    super(message)
    this.name = 'OptionsError'
    this.source = source
    this.parts = parts
  }
}

/** @throws {OptionsError} for everything that is wrong at once; nothing for nothing. */
export function refuseAll(errors: readonly OptionsError[]): void {
  const [first, second] = errors
  if (first === undefined) return
  if (second === undefined) throw first
  throw new OptionsError(errors.map(({ message }) => message).join('\n'), undefined, errors)
}

/**
 * Checks values against the table and lays them over the defaults, which `verb` may have of its own.
 *
 * @throws {OptionsError} with every bad value: its option, where it came from and what was expected.
 */
export function readOptions(given: Given, verb?: string): CommandSettings {
  const errors: OptionsError[] = []
  const hasStore = (given.store?.value ?? inMemory) !== inMemory
  const read = (name: OptionName): unknown => {
    const { source = flagOf(name), value = null } = given[name] ?? {}
    const usual = usualValue(name, verb, hasStore)
    // Schemas take time to make, and a start with few options needs few of them.
    if (value === null || value === usual) return usual
    const result = optionOf(name).schema().safeParse(value, { reportInput: true })
    if (result.success) return result.data
    const [issue] = result.error.issues
    const shown = optionOf(name).secret ? '' : ` ${shownValue(atFault(value, issue?.path[0]))}`
    const rule = issue ? ruleOf(issue) : 'is not valid'
    errors.push(new OptionsError(`${source}:${shown} ${rule}`, source))
    return undefined
  }
  // Each value is of its schema, which the type is made of.
  const settings = Object.fromEntries(
    optionNames.map((name) => [libraryNameOf(name), read(name)]),
  ) as CommandSettings
  if (settings.admin === 'token' && given.adminToken === undefined) {
    errors.push(
      new OptionsError(
        `${given.admin?.source ?? '--admin'}: 'token' needs a token: set --admin-token or SANDBOX_ADMIN_TOKEN`,
        given.admin?.source,
      ),
    )
  }
  // The commands of a run refuse the option themselves, whatever else is missing.
  if (settings.isolation === 'partner' && verb !== 'exec' && verb !== 'matrix') {
    const problem = problemOfPartners(settings, given, verb)
    if (problem) errors.push(problem)
  }
  if (hasStore) {
    const source = given.store?.source ?? '--store'
    const beside = (['data', 'watch'] as const).filter((name) => settings[name])
    errors.push(...beside.map((name) => new OptionsError(`${source}: ${notWithStore[name]}`, source)))
  }
  if (!hasStore && settings.storePrefix && settings.storePrefix !== defaultOf('storePrefix'))
    errors.push(withoutItsBase('storePrefix', given))
  if (settings.isolation === 'test' && settings.isolationSecret !== undefined)
    errors.push(withoutItsBase('isolationSecret', given))
  if (settings.coverageBaselineUpdate && settings.coverageBaseline === undefined) {
    const source = given.coverageBaselineUpdate?.source ?? '--coverage-baseline-update'
    errors.push(new OptionsError(`${source}: needs the file: set --coverage-baseline`, source))
  }
  try {
    resolveAssumptions(settings.assume)
  } catch (error) {
    if (!(error instanceof AssumptionError)) throw error
    const source = given.assume?.source ?? '--assume'
    errors.push(new OptionsError(`${source}: ${error.message}`, source))
  }
  refuseAll(errors)
  return settings
}

/** Why these settings do not allow `--isolation partner`; one reason alone, as a token is of no use where all is closed. */
function problemOfPartners(
  { admin }: CommandSettings,
  given: Given,
  verb: string | undefined,
): OptionsError | undefined {
  // The library makes workspaces without the control plane.
  if (admin === 'off' && verb !== undefined) {
    const source = given.admin?.source ?? '--admin'
    const why = 'workspaces for --isolation partner are made there: leave one of the two out'
    return new OptionsError(`${source}: 'off' closes the control plane, and ${why}`, source)
  }
  if (given.adminToken !== undefined) return undefined
  const source = given.isolation?.source ?? '--isolation'
  return new OptionsError(
    `${source}: 'partner' needs a token for whoever makes workspaces: set --admin-token or SANDBOX_ADMIN_TOKEN`,
    // Wherever it stands it is right: what is missing is another one.
    undefined,
  )
}

/** The refusal of an option that has no effect without another one. */
function withoutItsBase(name: keyof typeof needs, given: Given): OptionsError {
  const source = given[name]?.source ?? flagOf(name)
  return new OptionsError(`${source}: ${needs[name]}`, source)
}

const needs = {
  storePrefix:
    'needs a store: set --store redis://HOST:PORT, or leave it out, as it names the keys of the state there',
  isolationSecret:
    'needs --isolation partner: set both, or leave it out, as the keys of partners derive from it',
}

const notWithStore = {
  data: 'does not go with --data: the state is kept in one place, so leave one of the two out',
  watch:
    'does not go with --watch: new fixtures need a new --store-prefix, so leave --watch out and start anew',
}

/** What was expected, and of one of a few words the one that was most likely meant. */
function ruleOf(issue: z.core.$ZodIssue): string {
  const isWord = issue.code === 'invalid_value' && typeof issue.input === 'string'
  return issue.message + (isWord ? didYouMean(issue.input, issue.values.map(String), '') : '')
}

/** The same objects each time, so that what was read once is known for a default when it is read again. */
const [noItems, noPairs] = [Object.freeze([]), Object.freeze({})]

/** The value of an option that nobody set. */
function usualValue(name: OptionName, verb: string | undefined, hasStore: boolean): unknown {
  const { list, placeholder } = optionOf(name)
  const nothing = list ? noItems : placeholder === undefined ? false : undefined
  return defaultOf(name, verb, hasStore) ?? (name === 'assume' ? noPairs : nothing)
}

/** Of a list the value that is not valid. */
function atFault(value: unknown, place: PropertyKey | undefined): unknown {
  return Array.isArray(value) && typeof place === 'number' ? value[place] : value
}

function shownValue(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  try {
    return JSON.stringify(value)
  } catch {
    // A program may pass a value that JSON cannot write: one that contains itself, or is nested too deeply.
    return typeof value === 'object' ? 'this value' : String(value)
  }
}

/**
 * The settings of a sandbox in process.
 * @throws {OptionsError} for an unknown option, with a suggestion, or a bad value.
 */
export function libraryDefaults(options: SandboxOptions): Settings {
  const given: Partial<Record<OptionName, GivenValue>> = {}
  const unknown: OptionsError[] = []
  for (const [name, value] of Object.entries(options)) {
    const option = libraryNames.find((candidate) => libraryNameOf(candidate) === name)
    if (option === undefined) {
      unknown.push(new OptionsError(`createSandbox: ${unknownOption(name, libraryNames.map(libraryNameOf))}`))
    } else if (value !== undefined) given[option] = { source: `createSandbox: ${name}`, value }
  }
  refuseAll(unknown)
  return readOptions(given)
}

/** What is said of an option that does not exist. */
export function unknownOption(name: string, known: readonly string[]): string {
  return `unknown option '${name}'${didYouMean(name, known)}`
}
