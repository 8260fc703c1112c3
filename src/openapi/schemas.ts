// Converts the schemas that validate and serve into schemas that document. zod writes JSON Schema; this file removes
// what the contract does not promise.
import { z } from 'zod'
import type { Assumptions } from '../contract/assumptions.ts'
import { docs, keywordsInForce, mayBeEmpty } from '../contract/docs.ts'
import { fieldsIn } from '../contract/schema-shape.ts'
import type { ExampleCall } from '../endpoints/define.ts'
import { marks } from './marks.ts'
import type { Components, Example, MediaType, Reference, Schema } from './document-types.ts'

/** The shared data of the parts of one document: the current assumptions, and the components so far. */
export interface Draft {
  values: Assumptions
  /** Whether the document has the headers of the sandbox, too. */
  sandbox: boolean
  /** The sandbox whose page tokens are examples, if the document describes one. */
  example: Omit<ExampleCall, 'values' | 'assume'> | undefined
  components: Components
}

type Direction = 'input' | 'output'

/**
 * Returns the JSON Schema of a request part or of a result. Schemas with an id in `docs` become components.
 *
 * @example schemaOf(draft, reward, 'output')   // { $ref: '#/components/schemas/Reward' }
 */
export function schemaOf(draft: Draft, schema: z.ZodType, direction: Direction): Schema {
  const written = z.toJSONSchema(schema, {
    metadata: docs,
    io: direction,
    // Only free-form values have no JSON Schema of their own; their documentation has one.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => adjust(jsonSchema as Schema, zodSchema, direction, draft.values),
  })
  const { $schema: _dialect, $defs = {}, ...root } = pointAtComponents(written)
  for (const [id, definition] of Object.entries($defs)) addSchema(draft, id, definition)
  return root
}

/** The description of a whole schema under the current assumptions. */
export function descriptionOf(schema: z.ZodType, values: Assumptions): string | undefined {
  const { description } = keywordsInForce.get(schema)?.keywords(values) ?? {}
  return typeof description === 'string' ? description : docs.get(schema)?.description
}

/** Adds a component. One name means one schema, whichever operation adds it first. */
export function addSchema({ components }: Draft, id: string, schema: Schema): Schema {
  const known = components.schemas[id]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two schemas have the id ${id}`)
  }
  components.schemas[id] = schema
  return { $ref: `#/components/schemas/${id}` }
}

function pointAtComponents(written: object): Schema & { $defs?: Record<string, Schema> } {
  return JSON.parse(JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/')) as Schema
}

function adjust(json: Schema, schema: z.core.$ZodType, direction: Direction, values: Assumptions): void {
  const { required = [], ...keywords } = keywordsInForce.get(schema)?.keywords(values) ?? {}
  Object.assign(json, keywords)
  if (json.oneOf) json.oneOf = json.oneOf.map(writtenKind)
  if (Array.isArray(required) && required.length > 0) json.required = [...(json.required ?? []), ...required]
  if (json['x-assumption'] !== undefined) Object.assign(json, marks(json['x-assumption']))

  if (json.properties && direction === 'input' && values.null_request_fields === 'absent') {
    for (const { name, schema: field } of fieldsIn(schema)) {
      const property = json.properties[name]
      const isOptional = mayBeEmpty(field) && !json.required?.includes(name)
      if (property && isOptional) json.properties[name] = orNull(property)
    }
  }

  // Shown with requests and answers, not with every use of the schema.
  delete json['examples']
  // Clients must tolerate fields they do not know (contract: Conventions), and so does the service, unless an
  // assumption says otherwise.
  if (json.additionalProperties === false) delete json.additionalProperties
  if (direction === 'input' && json.properties && values.unknown_body_fields === 'refuse') {
    json.additionalProperties = false
  }
  // The sandbox refuses an integer that JavaScript would round, so requests have that bound on both sides. For answers,
  // the upper bound is enough to choose a type.
  if (direction === 'output' && json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum']
  // In answers, the sandbox has already put the default in place of an absent value.
  if (direction === 'output') delete json['default']
  // Keys of JSON objects are strings in any case; a format says more than the pattern that zod checks.
  delete json['propertyNames']
  if (json['format'] !== undefined || json.type === 'integer') delete json['pattern']
}

/**
 * Returns a kind of an object without the schema `false`, which many generators do not read. Kinds exclude the fields of
 * each other in their properties; linters compare these only if a kind has no other keyword.
 */
function writtenKind({ properties = {}, required = [], ...kind }: Schema): Schema {
  const written = Object.entries<Schema | boolean>(properties).map(([name, schema]): [string, Schema] => [
    name,
    typeof schema === 'boolean' ? { not: {} } : schema,
  ])
  return { ...kind, properties: Object.fromEntries(written), required, minProperties: required.length }
}

function orNull(schema: Schema): Schema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const { type, enum: allowed } = schema
  return { ...schema, type: [type, 'null'], ...(allowed === undefined ? {} : { enum: [...allowed, null] }) }
}

/**
 * Returns a body with the examples of the schema's documentation. Examples of a named schema are components too, as
 * several operations answer with it.
 */
export function mediaType(draft: Draft, schema: z.ZodType, direction: Direction): MediaType {
  const about = docs.get(schema)
  const examples: Record<string, Example | Reference> = {}
  for (const [place, value] of (about?.examples ?? []).entries()) {
    const name = `${about?.id ?? 'Example'}${place === 0 ? '' : place + 1}`
    examples[name] = about?.id === undefined ? { value } : { $ref: `#/components/examples/${name}` }
    if (about?.id !== undefined) draft.components.examples[name] = { value }
  }
  return { schema: schemaOf(draft, schema, direction), examples }
}
