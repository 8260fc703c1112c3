// The verbs of operations, as their declarations say: the fields of query and body are options and arguments.
import { Option } from 'commander'
import type { z } from 'zod'
import { aboutField, aboutOf, shapeOf } from '../../contract/schema-shape.ts'
import { parametersOf, type Operation, type OperationVerb } from '../../operations/declare.ts'
import type { Target } from '../../operations/index.ts'
import { outputFile, type Verb } from '../verb.ts'
import { fieldsOfVerb, type VerbField } from './operation-fields.ts'
import { ofAllWorkspaces, remote } from './remote-verb.ts'

/** A verb with the operation that it calls. */
interface Named {
  operation: Operation<Target>
  verb: OperationVerb
}

/**
 * Returns the verbs of operations that begin with a word: the one of that name, and those nested in it. If two operations
 * name one verb, it calls the second if it has an argument more, as in `assumptions [id]`.
 */
export function verbsOf(
  word: string,
  operations: readonly Operation<Target>[],
): { own: Verb | undefined; nested: Verb[] } {
  const found = operations
    .flatMap((operation) => namedBy(operation).map((verb) => ({ operation, verb })))
    .filter(({ verb }) => verb.name.split(' ')[0] === word)
  const names = [...new Set(found.map(({ verb }) => verb.name))]
  const verbOfName = (name: string): Verb | undefined => {
    const [first, longer] = found.filter(({ verb }) => verb.name === name)
    return first && verbOf(first, longer)
  }
  return {
    own: verbOfName(word),
    nested: names.flatMap((name) => (name === word ? [] : (verbOfName(name) ?? []))),
  }
}

/** The verbs of an operation. */
export function namedBy({ verb = [] }: Operation<Target>): readonly OperationVerb[] {
  if (typeof verb === 'string') return [{ name: verb }]
  return 'name' in verb ? [verb] : verb
}

function verbOf({ operation, verb }: Named, longer?: Named): Verb {
  const { route, of = 'workspace', reads } = operation
  const isAboutAll = of !== 'workspace'
  const args = argumentsOf(operation, verb)
  const more = longer ? argumentsOf(longer.operation, longer.verb).slice(args.length) : []
  const workspace = verb.workspace ?? (of === 'sandbox' ? ofAllWorkspaces : undefined)
  return remote({
    name: verb.name.slice(verb.name.indexOf(' ') + 1),
    about: verb.about ?? operation.about,
    args: [
      ...args,
      ...more.map(([syntax, ...about]) => [syntax.replace(/<(.*)>/, '[$1]'), ...about] as const),
    ],
    own: [...optionsOf(operation, verb), ...(verb.writes === undefined ? [] : [outputFile])],
    routes: [route, ...(longer ? [longer.operation.route] : [])],
    ...(workspace !== undefined && { workspace }),
    ...(isAboutAll && { isAboutAll }),
    ...(reads && { reads }),
    work: async (call) => {
      const called = longer && call.args.length > args.length ? longer : { operation, verb }
      return (await import('./operation-call.ts')).workOf(called.operation, called.verb, call)
    },
  })
}

/** The options of a verb for the fields of its operation. */
export function optionsOf(operation: Operation<Target>, verb: OperationVerb): Option[] {
  return fieldsOfVerb(operation, verb)
    .filter(({ isArgument }) => !isArgument)
    .map(optionOf)
}

/** The parameters of the path, then the fields that are arguments. */
function argumentsOf(operation: Operation<Target>, verb: OperationVerb): (readonly [string, string?])[] {
  const parameters = parametersOf(operation.route).map((name) => {
    return withAbout(`<${name}>`, aboutField(operation.path, name))
  })
  const taken = fieldsOfVerb(operation, verb).filter(({ isArgument }) => isArgument)
  return [...parameters, ...taken.map(({ shown, schema }) => withAbout(shown, aboutOf(schema)))]
}

const withAbout = (syntax: string, about: string | undefined): readonly [string, string?] =>
  about === undefined ? [syntax] : [syntax, about]

function optionOf({ name, shown, schema, in: part }: VerbField): Option {
  const { isBoolean, isOnlyTrue } = shapeOf(schema)
  const isFlag = isOnlyTrue || (isBoolean && part === 'query')
  const syntax = isFlag ? shown : `${shown} <${placeholderOf(name, schema)}>`
  return new Option(syntax, aboutOf(schema) ?? '')
}

function placeholderOf(name: string, schema: z.ZodType): string {
  const { range, isBoolean, item, isRecord, fields, values = [] } = shapeOf(schema)
  if (range) return 'number'
  if (isBoolean) return 'true|false'
  if (values.length > 0) return values.length > 3 ? 'word' : values.join('|')
  if (item) return 'list'
  if (isRecord || fields) return 'json'
  if (/(^|_)id$|^(after|before)$/.test(name)) return 'id'
  if (name === 'url') return name
  return /_at$|^(at|since|now)$/.test(name) ? 'time' : 'text'
}
