// The fields of bodies and queries that options give, each under its own name: --merchant-name is merchant_name.
import { Option } from 'commander'
import type { RefusedError } from './control-client.ts'
import { CliError } from '../io.ts'
import { terminalSafe } from '../output.ts'
import type { FlagValues } from '../settings.ts'

/** The fields of a transaction, each an option of the verb, with its placeholder and what it is. */
export const transactionFields = {
  intent_id: ['id', 'the intent that announced it, which says all the rest'],
  customer_id: ['id', 'whose it is, where no intent is named'],
  payment_method_id: ['id', 'how it was paid (default: as the intent that it matches)'],
  network_transaction_id: ['id', 'the id of the card network, by which an intent is looked for first'],
  amount: ['number', 'in minimum units; negative for what is credited back'],
  currency: ['code', 'such as USD'],
  merchant_name: ['name', 'earns in the reward category that lists this name'],
  merchant_code: ['code', 'the category code of the merchant'],
  posted_at: ['time', 'RFC 3339 (default: now, by the clock of the workspace)'],
} as const

/** What the journal is filtered by; each is an option of the verb, as above. */
export const requestFilters = {
  operation: ['id', 'only calls of this operation, such as updateReward'],
  status: ['number', 'only calls that were answered with this status, one of a class such as 4xx, or lost'],
  outcome: ['word', 'only calls with this outcome, such as not_found'],
  test: ['text', 'only calls of tests whose name or file has this text, in any case'],
  text: ['text', 'only calls that show this text in path, query, body or what is known of them, in any case'],
  since: ['time', 'only calls from this instant on (RFC 3339, by the clock of the workspace)'],
  before: ['id', 'only calls that came before the one with this id'],
  limit: ['number', 'at most so many, the newest'],
} as const

/** Which rows of a collection are printed; each is an option of the verb. */
export const rowPages = {
  limit: ['number', 'of a collection at most so many rows, 1 to 1000'],
  after: ['id', 'of a collection only the rows behind this id'],
  id_prefix: ['text', 'of a collection only the rows whose id begins so'],
} as const

/** How far a clock is moved; each is an option of the verb. */
export const clockUnits = ['days', 'hours', 'minutes', 'seconds'] as const

export const exampleTime = '2027-01-01T00:00:00Z'

/** An option for each field of a body or query. */
export function fieldOptions(fields: Readonly<Record<string, readonly [string, string]>>): Option[] {
  return Object.entries(fields).map(
    ([field, [placeholder, about]]) => new Option(`${optionOfField(field)} <${placeholder}>`, about),
  )
}

/** What commander calls an option: `merchant_name` is `merchantName`. */
const keyOf = (field: string): string =>
  field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The option of a field: `merchant_name` is `--merchant-name`. */
const optionOfField = (field: string): string => `--${field.replaceAll('_', '-')}`

/** The fields that were given. */
export function textsOf(flags: FlagValues, fields: readonly string[]): Record<string, string> {
  const given = fields.map((field) => [field, flags[keyOf(field)]] as const)
  return Object.fromEntries(given.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}

/** The same as numbers. @throws {CliError} for what is none. */
export function numbersOf(flags: FlagValues, fields: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(textsOf(flags, fields)).map(([field, text]) => {
      if (/^-?\d{1,15}(\.\d{1,9})?$/.test(text)) return [field, Number(text)]
      throw new CliError(`error: ${optionOfField(field)}: '${terminalSafe(text)}' must be a number`)
    }),
  )
}

/** A refusal in the terms of the options that gave the fields. */
export function inOptions(error: RefusedError, fields: readonly string[]): Error {
  if (error.problems.length === 0) return error
  const name = (text: string): string =>
    text.replaceAll(/\b[a-z_]+\b/g, (word) =>
      fields.includes(word) && word.includes('_') ? optionOfField(word) : word,
    )
  const lines = error.problems.map(({ path, message }) => {
    const where = fields.includes(path) ? optionOfField(path) : path
    return `error: ${where}: ${name(message)}`
  })
  return new CliError(lines.join('\n'), error.exitCode)
}
