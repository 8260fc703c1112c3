// Options for the fields of bodies and queries, each under its own name: --merchant-name is merchant_name.
import { Option } from 'commander'
import type { RefusedError } from './control-client.ts'
import { CliError } from '../io.ts'
import { terminalSafe } from '../output.ts'
import type { FlagValues } from '../settings.ts'

/** The filters of the journal, each an option of the verb. */
export const requestFilters = {
  operation: ['id', 'only calls of this operation, such as updateReward'],
  status: ['number', 'only calls that were answered with this status, one of a class such as 4xx, or lost'],
  outcome: ['word', 'only calls with this outcome, such as not_found'],
  test: ['text', 'only calls of tests whose name or file contains this text, ignoring case'],
  text: ['text', 'only calls with this text in path, query, body or metadata, ignoring case'],
  since: ['time', 'only calls from this instant on (RFC 3339, by the clock of the workspace)'],
  before: ['id', 'only calls that came before the one with this id'],
  limit: ['number', 'the maximum number of calls; the newest are printed'],
} as const

/** The filters of webhook events, each an option of the verb. */
export const eventFields = {
  type: ['type', 'only events of this type, such as reward.updated'],
  source: ['word', 'only events from api, simulation, scenario or trigger'],
  since: ['time', 'only events from this instant on (RFC 3339, by the clock of the workspace)'],
  limit: ['number', 'the maximum number of events; the newest are printed'],
} as const

/** The options of waiting for events. */
export const waitFields = {
  type: eventFields.type,
  source: eventFields.source,
  since: eventFields.since,
  count: ['number', 'how many events to wait for (default: 1)'],
} as const

/** The types of an endpoint. */
export const endpointTypes = {
  events: ['types', 'only these event types, separated by commas (default: all)'],
} as const

/** The fields of an endpoint that can be changed, each an option of the verb. */
export const endpointFields = {
  to: ['url', 'the new URL'],
  events: ['types', 'the event types, separated by commas; * for all'],
  enabled: ['true|false', 'whether it receives events'],
} as const

/** The page of a collection, each field an option of the verb. */
export const rowPages = {
  limit: ['number', 'the maximum number of rows of a collection, 1 to 1000'],
  after: ['id', 'only rows of a collection after this id'],
  id_prefix: ['text', 'only rows of a collection whose id has this prefix'],
} as const

/** Returns an option for each field of a body or query. */
export function fieldOptions(fields: Readonly<Record<string, readonly [string, string]>>): Option[] {
  return Object.entries(fields).map(
    ([field, [placeholder, about]]) => new Option(`${optionOfField(field)} <${placeholder}>`, about),
  )
}

/** Returns commander's name of an option: `merchant_name` is `merchantName`. */
const keyOf = (field: string): string =>
  field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Returns the option of a field: `merchant_name` is `--merchant-name`. */
const optionOfField = (field: string): string => `--${field.replaceAll('_', '-')}`

/** Returns the fields that were set. */
export function textsOf(flags: FlagValues, fields: readonly string[]): Record<string, string> {
  const pairs = fields.map((field) => [field, flags[keyOf(field)]] as const)
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}

/** The same as numbers. @throws {CliError} for an invalid number. */
export function numbersOf(flags: FlagValues, fields: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(textsOf(flags, fields)).map(([field, text]) => {
      if (/^-?\d{1,15}(\.\d{1,9})?$/.test(text)) return [field, Number(text)]
      throw new CliError(`error: ${optionOfField(field)}: '${terminalSafe(text)}' must be a number`)
    }),
  )
}

/** Rewrites a refusal in terms of the options of its fields. */
export function refusalInOptions(error: RefusedError, fields: readonly string[]): Error {
  if (error.problems.length === 0) return error
  const name = (text: string): string =>
    text.replaceAll(/\b[a-z_]+\b/g, (word) =>
      fields.includes(word) && word.includes('_') ? optionOfField(word) : word,
    )
  const lines = error.problems.map(({ path, message }) => {
    // One value of a list that an option has.
    const field = path.replace(/\[\d+\]$/, '')
    const where = fields.includes(field) ? optionOfField(field) : path
    return `error: ${where}: ${name(message)}`
  })
  return new CliError(lines.join('\n'), error.exitCode)
}
