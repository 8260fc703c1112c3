// The verbs of operations, as their declarations say: the fields of query and body are options and arguments.
import { Option } from 'commander'
import type { z } from 'zod'
import { fieldsIn, isOptional, shapeOf } from '../../contract/schema-shape.ts'
import type { Operation, OperationVerb } from '../../operations/declare.ts'
import type { Target } from '../../operations/index.ts'
import { outputFile, type Verb } from '../verb.ts'
import { dashed, fieldsOfVerb, type VerbField } from './operation-fields.ts'
import { ofAllWorkspaces, remote } from './remote-verb.ts'

/**
 * Returns the verbs of operations that begin with a word: those nested in it, in the verb of that name if an operation
 * has one.
 */
export function verbsOf(
  word: string,
  operations: readonly Operation<Target>[],
): { own: Verb | undefined; nested: Verb[] } {
  const found = operations.flatMap((operation) =>
    namedBy(operation)
      .filter(({ name }) => name.split(' ')[0] === word)
      .map((verb) => ({ isNested: verb.name !== word, verb: verbOf(operation, verb) })),
  )
  return {
    own: found.find(({ isNested }) => !isNested)?.verb,
    nested: found.filter(({ isNested }) => isNested).map(({ verb }) => verb),
  }
}

/** The verbs of an operation. */
export function namedBy({ verb = [] }: Operation<Target>): readonly OperationVerb[] {
  if (typeof verb === 'string') return [{ name: verb }]
  return 'name' in verb ? [verb] : verb
}

function verbOf(operation: Operation<Target>, verb: OperationVerb): Verb {
  const { route, path, of = 'workspace', reads } = operation
  const isAboutAll = of !== 'workspace'
  const inPath = path ? fieldsIn(path) : []
  const parameters = [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const about = inPath.find((field) => field.name === name)?.schema.description
    return about === undefined ? ([`<${name}>`] as const) : ([`<${name}>`, about] as const)
  })
  const fields = fieldsOfVerb(operation, verb)
  const taken = fields.filter(({ option }) => option === undefined)
  const workspace = verb.workspace ?? (of === 'sandbox' ? ofAllWorkspaces : undefined)
  return remote({
    name: verb.name.slice(verb.name.indexOf(' ') + 1),
    about: verb.about ?? operation.about,
    args: [...parameters, ...taken.map(argumentOf)],
    own: [
      ...fields.flatMap((field) => (field.option === undefined ? [] : [optionOf(field, field.option)])),
      ...(verb.writes === undefined ? [] : [outputFile]),
    ],
    routes: [route],
    ...(workspace !== undefined && { workspace }),
    ...(isAboutAll && { isAboutAll }),
    ...(reads && { reads }),
    ...(verb.empty !== undefined && { hint: verb.empty }),
    work: async (call) => (await import('./operation-call.ts')).workOf(operation, verb, call),
  })
}

function argumentOf({ name, schema }: VerbField): readonly [string, string?] {
  const syntax = isOptional(schema) ? `[${dashed(name)}]` : `<${dashed(name)}>`
  return schema.description === undefined ? [syntax] : [syntax, schema.description]
}

function optionOf({ name, schema, in: part }: VerbField, option: string): Option {
  const { isBoolean } = shapeOf(schema)
  const syntax = isBoolean && part === 'query' ? option : `${option} <${placeholderOf(name, schema)}>`
  return new Option(syntax, schema.description ?? '')
}

function placeholderOf(name: string, schema: z.ZodType): string {
  const { range, isBoolean, item, isRecord, fields } = shapeOf(schema)
  if (range) return 'number'
  if (isBoolean) return 'true|false'
  if (item) return 'list'
  if (isRecord || fields) return 'json'
  if (/(^|_)id$/.test(name)) return 'id'
  return /_at$|^(at|since|now)$/.test(name) ? 'time' : 'text'
}
