// Validates options by the table, merges them with the defaults, and reports problems.
import type { z } from 'zod'
import { didYouMean } from '../input/did-you-mean.ts'
import { AssumptionError, resolveAssumptions } from '../input/resolve-assumptions.ts'
import { isPreset, type presets } from '../events/presets/index.ts'
import { inMemory } from '../input/store-address.ts'
import {
  defaultOf,
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
} from './index.ts'

/** The source of a value, so that a message can name it: `--port`, `SANDBOX_PORT`, a file. */
export interface ProvidedValue {
  source: string
  value: unknown
}

/** The options that were set. */
export type ProvidedOptions = Readonly<Partial<Record<OptionName, ProvidedValue>>>

/** Thrown for options that cannot be used; the message names the option, its value and what was expected. */
export class OptionsError extends Error {
  /** The source of the bad value, if a single value is the problem. */
  readonly source: string | undefined
  /** All problems, if there are several; the message has all of them. */
  readonly parts: readonly OptionsError[]

  constructor(message: string, source?: string, parts: readonly OptionsError[] = []) {
    super(message)
    this.name = 'OptionsError'
    this.source = source
    this.parts = parts
  }
}

/** @throws {OptionsError} for all problems together, if there are any. */
export function refuseAll(errors: readonly OptionsError[]): void {
  const [first, second] = errors
  if (first === undefined) return
  if (second === undefined) throw first
  throw new OptionsError(errors.map(({ message }) => message).join('\n'), undefined, errors)
}

/**
 * Validates values by the table and merges them with the defaults, which `verb` may override.
 *
 * @throws {OptionsError} with every bad value: its option, its source and what was expected.
 */
export function readOptions(provided: ProvidedOptions, verb?: string): CommandSettings {
  const errors: OptionsError[] = []
  const hasStore = (provided.store?.value ?? inMemory) !== inMemory
  const read = (name: OptionName): unknown => {
    const { source = flagOf(name), value = null } = provided[name] ?? {}
    const defaultValue = defaultValueOf(name, verb, hasStore)
    // Creating schemas takes time, and a start with few options needs few of them.
    if (value === null || value === defaultValue) return defaultValue
    const result = optionOf(name).schema().safeParse(value, { reportInput: true })
    if (result.success) return result.data
    const [issue] = result.error.issues
    const shown = optionOf(name).secret ? '' : ` ${shownValue(atFault(value, issue?.path[0]))}`
    const rule = issue ? ruleOf(issue) : 'is not valid'
    errors.push(new OptionsError(`${source}:${shown} ${rule}`, source))
    return undefined
  }
  // Each value has the type of its schema, from which the result type is built.
  const settings = Object.fromEntries(
    optionNames.map((name) => [libraryNameOf(name), read(name)]),
  ) as CommandSettings
  if (settings.admin === 'token' && provided.adminToken === undefined) {
    const { source } = provided.admin ?? {}
    const rule = "'token' needs a token: set --admin-token or SANDBOX_ADMIN_TOKEN"
    errors.push(new OptionsError(`${source ?? '--admin'}: ${rule}`, source))
  }
  // The commands of a run refuse the option themselves, whatever else is missing.
  if (settings.isolation === 'partner' && verb !== 'exec' && verb !== 'matrix') {
    const problem = problemOfPartners(settings, provided, verb)
    if (problem) errors.push(problem)
  }
  if (hasStore) {
    const conflicting = (['data', 'watch'] as const).filter((name) => settings[name])
    errors.push(...conflicting.map((name) => refusal('store', provided, notWithStore[name])))
  }
  if (!hasStore && settings.storePrefix && settings.storePrefix !== defaultOf('storePrefix'))
    errors.push(withoutItsBase('storePrefix', provided))
  if (settings.isolation === 'test' && settings.isolationSecret !== undefined)
    errors.push(withoutItsBase('isolationSecret', provided))
  // A program of exec inherits the variable.
  const isInherited = provided.webhookSecret?.source === variableOf('webhookSecret')
  const { webhook_events: served = 'not_served' } = settings.assume ?? {}
  const isServed = settings.webhooks !== undefined || served !== 'not_served'
  if (settings.webhookSecret !== undefined && !isInherited && !isServed)
    errors.push(withoutItsBase('webhookSecret', provided))
  if (settings.coverageBaselineUpdate && settings.coverageBaseline === undefined)
    errors.push(withoutItsBase('coverageBaselineUpdate', provided))
  // An invalid value of one of the two was reported.
  const webhooks = settings.assume && problemOfWebhooks(settings, provided)
  if (webhooks) errors.push(webhooks)
  else if (settings.webhooks !== undefined)
    settings.assume = { ...settings.assume, webhook_events: describedAs(settings.webhooks) }
  try {
    resolveAssumptions(settings.assume)
  } catch (error) {
    if (!(error instanceof AssumptionError)) throw error
    errors.push(refusal('assume', provided, error.message))
  }
  refuseAll(errors)
  return settings
}

/**
 * Returns why these settings do not allow `--isolation partner`; only one reason, as a token is useless if everything
 * is closed.
 */
function problemOfPartners(
  { admin }: CommandSettings,
  provided: ProvidedOptions,
  verb: string | undefined,
): OptionsError | undefined {
  // The library creates workspaces without the control plane.
  if (admin === 'off' && verb !== undefined) {
    const why = 'it is needed to create workspaces for --isolation partner: omit one of the two'
    return refusal('admin', provided, `'off' closes the control plane, and ${why}`)
  }
  if (provided.adminToken !== undefined) return undefined
  const source = provided.isolation?.source ?? '--isolation'
  return new OptionsError(
    `${source}: 'partner' needs a token to create workspaces: set --admin-token or SANDBOX_ADMIN_TOKEN`,
    // The option itself is valid: another one is missing.
    undefined,
  )
}

/** Returns the value of the assumption that a description of webhook events sets: its preset, or `described`. */
function describedAs(webhooks: string | object): keyof typeof presets | 'described' {
  return typeof webhooks === 'string' && isPreset(webhooks) ? webhooks : 'described'
}

/** Returns why --webhooks and --assume contradict each other. */
function problemOfWebhooks(
  { webhooks, assume }: CommandSettings,
  provided: ProvidedOptions,
): OptionsError | undefined {
  const assumed: unknown = Reflect.get(assume, 'webhook_events')
  if (webhooks === undefined) {
    if (assumed !== 'described') return undefined
    return refusal('assume', provided, 'webhook_events=described needs the description: set --webhooks FILE')
  }
  const value = describedAs(webhooks)
  if (assumed === undefined || assumed === value) return undefined
  const set = typeof webhooks === 'string' ? `'${webhooks}'` : 'the description'
  const other = `${provided.assume?.source ?? '--assume'} sets ${String(assumed)}`
  const rule = `${set} sets webhook_events=${value}, and ${other}: omit one of the two`
  return refusal('webhooks', provided, rule)
}

/** The error for an option that has no effect without another one. */
const withoutItsBase = (name: keyof typeof needs, provided: ProvidedOptions): OptionsError =>
  refusal(name, provided, needs[name])

/** The error for an option, from wherever it was set. */
function refusal(name: OptionName, provided: ProvidedOptions, rule: string): OptionsError {
  const source = provided[name]?.source ?? flagOf(name)
  return new OptionsError(`${source}: ${rule}`, source)
}

const needs = {
  storePrefix: 'needs a store: set --store redis://HOST:PORT, or omit it',
  coverageBaselineUpdate: 'needs the file: set --coverage-baseline',
  webhookSecret: 'needs webhook events: set --webhooks PRESET or FILE, or omit it',
  isolationSecret: 'needs --isolation partner: set both, or omit it',
}

const notWithStore = {
  data: 'excludes --data: the state has one storage, so omit one of the two',
  watch: 'excludes --watch: new fixtures need a new --store-prefix, so omit --watch and restart',
}

/** Describes what was expected, with a suggestion for a list of words. */
function ruleOf(issue: z.core.$ZodIssue): string {
  const isWord = issue.code === 'invalid_value' && typeof issue.input === 'string'
  return issue.message + (isWord ? didYouMean(issue.input, issue.values.map(String), '') : '')
}

/** The same objects each time, so that a default is recognized when it is read again. */
const [noItems, noPairs] = [Object.freeze([]), Object.freeze({})]

/** Returns the default of an option. */
function defaultValueOf(name: OptionName, verb: string | undefined, hasStore: boolean): unknown {
  const { list, placeholder } = optionOf(name)
  const nothing = list ? noItems : placeholder === undefined ? false : undefined
  return defaultOf(name, verb, hasStore) ?? (name === 'assume' ? noPairs : nothing)
}

/** Returns the invalid item of a list. */
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
 * Returns the settings of a sandbox in process.
 * @throws {OptionsError} for an unknown option, with a suggestion, or a bad value.
 */
export function libraryDefaults(options: SandboxOptions): Settings {
  const provided: Partial<Record<OptionName, ProvidedValue>> = {}
  const unknown: OptionsError[] = []
  for (const [name, value] of Object.entries(options)) {
    const option = libraryNames.find((candidate) => libraryNameOf(candidate) === name)
    if (option === undefined) {
      unknown.push(new OptionsError(`createSandbox: ${unknownOption(name, libraryNames.map(libraryNameOf))}`))
    } else if (value !== undefined) provided[option] = { source: `createSandbox: ${name}`, value }
  }
  refuseAll(unknown)
  return readOptions(provided)
}

/** Returns the message for an unknown option. */
export function unknownOption(name: string, known: readonly string[]): string {
  return `unknown option '${name}'${didYouMean(name, known)}`
}
