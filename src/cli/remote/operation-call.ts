// Calls an operation with the arguments and options of a verb, and prints its answer.
import { z } from 'zod'
import { aboutOf, shapeOf } from '../../contract/schema-shape.ts'
import { parametersOf, type Operation, type OperationVerb } from '../../operations/declare.ts'
import type { Target } from '../../operations/index.ts'
import { CliError, type CommandIo } from '../io.ts'
import { terminalSafe } from '../output.ts'
import type { Call } from '../verb.ts'
import { checkName } from './connect.ts'
import type { RefusedError } from './control-client.ts'
import { readInput } from './input.ts'
import { fieldsOfVerb, type VerbField } from './operation-fields.ts'
import { calls, downloads, requestTo, type RemoteWork } from './remote-call.ts'
import { tableOf } from './table.ts'

/** A field with the text that the user gave for it; true for an option without a value. */
interface GivenField extends VerbField {
  given: string | true
}

/** The action of the verb of an operation. @throws {CliError} for a text that cannot be the value of its field. */
export async function workOf(
  operation: Operation<Target>,
  verb: OperationVerb,
  call: Call,
): Promise<RemoteWork> {
  const { route, result, printed } = operation
  const { query, body, refused } = await sentBy(operation, verb, call)
  if (verb.writes !== undefined) return downloads(call, [verb.writes, ...call.args.map(quoted)].join(' '))
  return calls(
    call,
    {
      ...requestTo(route, call.args),
      query,
      ...(Object.keys(body).length > 0 && { body }),
      answer: result ?? z.undefined(),
      ...(printed?.text || !printed?.note ? { text: printed?.text ?? tableOf } : {}),
      ...(printed?.note && {
        note: (answer, { workspace }) => printed.note?.(answer, { args: call.args, workspace }),
      }),
      ...(printed?.advice && { advice: printed.advice }),
      refused,
    },
    verb.workspaceOf?.(call.args, call.flags['workspace']),
  )
}

/** Where the JSON of a field may come from. */
interface JsonSource {
  io: Pick<CommandIo, 'cwd' | 'readStdin'>
}

/** The query and body that the arguments and options of a verb send. */
interface Sent {
  query: Record<string, string>
  body: Record<string, unknown>
  /** Rewrites a refusal in terms of the arguments and options. */
  refused(error: RefusedError): CliError
}

/** @throws {CliError} for a text that cannot be the value of its field, and if no option was set and one is needed. */
export async function sentBy(
  operation: Operation<Target>,
  verb: OperationVerb,
  call: Pick<Call, 'args' | 'flags'> & JsonSource,
): Promise<Sent> {
  const inPath = parametersOf(operation.route).length
  const fields = fieldsOfVerb(operation, verb)
  const given = givenFields(fields, call.args.slice(inPath), call)
  if (verb.empty !== undefined && given.length === 0) throw new CliError(`error: ${verb.empty}`)
  for (const { name, given: text } of given) {
    const kind = verb.names?.[name]
    if (kind !== undefined) checkName(kind, String(text))
  }
  const values = await Promise.all(
    given.map(async (field) => [field.in, field.name, await valueOf(field, call)] as const),
  )
  const sent = (part: 'query' | 'body') =>
    values.filter(([where]) => where === part).map(([, name, value]) => [name, value] as const)
  return {
    query: Object.fromEntries(sent('query').map(([name, value]) => [name, String(value)])),
    body: { ...verb.sends, ...Object.fromEntries(sent('body')) },
    refused: (error) => inTermsOf(fields, error),
  }
}

const quoted = (word: string): string => `'${word}'`

function givenFields(
  fields: readonly VerbField[],
  args: readonly string[],
  { flags }: Pick<Call, 'flags'>,
): GivenField[] {
  const left = [...args]
  return fields.flatMap((field) => {
    const value = field.isArgument ? left.shift() : flags[keyOf(field.shown)]
    return typeof value === 'string' || value === true ? [{ ...field, given: value }] : []
  })
}

/** Returns commander's name of an option: `--merchant-name` is `merchantName`. */
const keyOf = (option: string): string =>
  option.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

async function valueOf(
  { given, schema, shown, isArgument }: GivenField,
  { io }: JsonSource,
): Promise<unknown> {
  if (given === true) return true
  const { range, isUnion, isBoolean, item, isRecord, fields } = shapeOf(schema)
  const refuse = (expected: string): never => {
    throw new CliError(`error: ${shown}: '${terminalSafe(given)}' must be ${expected}`)
  }
  if (range && /^-?\d{1,15}(\.\d{1,9})?$/.test(given)) return Number(given)
  // One of several kinds may be a text.
  if (range && !isUnion) return refuse('a number')
  if (isBoolean) return given === 'true' || (given === 'false' ? false : refuse("'true' or 'false'"))
  if (item) return isArgument ? [given] : given.split(',').map((part) => part.trim())
  if (isRecord || fields) return (await readInput(given, io)).value
  return given
}

/** Rewrites a refusal in terms of arguments and options; a value may be a secret. */
function inTermsOf(fields: readonly VerbField[], error: RefusedError): CliError {
  const fieldAt = (path: string) => fields.find(({ name }) => name === path.replace(/\[\d+\]$/, ''))
  if (!error.problems.some(({ path }) => fieldAt(path))) return error
  const named = (text: string): string =>
    text.replaceAll(/\b[a-z]+_[a-z_]+\b/g, (word) => fieldAt(word)?.shown ?? word)
  const lines = error.problems.map(({ path, message }) => {
    const field = fieldAt(path)
    const example = field?.isArgument ? /such as .*/.exec(aboutOf(field.schema) ?? '')?.[0] : undefined
    return `error: ${field?.shown ?? path}: ${named(message)}${example === undefined ? '' : `, ${example}`}`
  })
  return new CliError(lines.join('\n'), error.exitCode)
}
