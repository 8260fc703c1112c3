// The JSON Schema of fixtures, for editors: every field and format, nothing required that the loader fills in.
import { z } from 'zod'
import { docs } from '../contract/docs.ts'
import { subObjectsOfType } from '../contract/resources/payment-method.ts'
import { idField } from '../store/references.ts'
import { collectionNames, rowSchemas, type CollectionName } from '../store/rows.ts'
import { documentParts, schemaVersion } from './state-document.ts'
import { fillers } from './fill/index.ts'

/** A JSON Schema (2020-12), as plain data. */
export type JsonSchema = Record<string, unknown>

let built: JsonSchema | undefined

/** Built at the first call. @example in a YAML fixture: # yaml-language-server: $schema=fixtures.schema.json */
export function fixturesSchema(): JsonSchema {
  return (built ??= build())
}

function build(): JsonSchema {
  const rows = Object.fromEntries(collectionNames.map((name) => [name, z.array(rowSchemas[name]).optional()]))
  const document = z.strictObject({
    $schema: z.string().optional(),
    schema_version: z.literal(schemaVersion).optional(),
    account: documentParts.account.optional(),
    ...rows,
    stubs: documentParts.stubs.optional(),
    sandbox: documentParts.sandbox.optional(),
  })
  const written = z.toJSONSchema(document, {
    metadata: docs,
    io: 'input',
    // Only free-form values have no JSON Schema of their own, and their documentation has one.
    unrepresentable: 'any',
    override: ({ jsonSchema }) => sayLess(jsonSchema),
  })
  const schema: JsonSchema = JSON.parse(JSON.stringify(written))
  const at = (...path: string[]): JsonSchema => follow(schema, path)
  for (const name of collectionNames) relaxRow(at(name, 'items'), name)
  for (const name of Object.values(subObjectsOfType).flat())
    delete at('payment_methods', 'items', name)['required']
  delete at('products', 'items', 'rewards')['required']
  at('products', 'items', 'rewards', 'categories', 'items')['required'] = ['name']
  delete at('account')['required']
  delete at('account', 'saved_version')['required']
  return {
    $schema: schema['$schema'],
    $id: 'fixtures.schema.json',
    title: 'State document',
    description:
      'Everything a sandbox knows. Required fields that a row leaves out are filled in; ids never are.',
    ...schema,
    patternProperties: { '^x-': { description: 'Passed over: a place for anchors.' } },
  }
}

/** Drops what says how JavaScript and zod work rather than what may stand in a document. */
function sayLess(schema: JsonSchema): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
  delete schema['propertyNames']
  if (schema['format'] !== undefined) delete schema['pattern']
  delete schema['examples']
  for (const keyword of Object.keys(schema)) if (keyword.startsWith('x-')) delete schema[keyword]
}

function relaxRow(schema: JsonSchema, collection: CollectionName): void {
  const filled = new Set(Object.keys(fillers[collection]))
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  schema['required'] = required.filter((field) => field === idField(collection) || !filled.has(field))
}

/** The schema at a place: of a field, or with `items` of the rows of a list; references are followed. */
function follow(root: JsonSchema, path: readonly string[]): JsonSchema {
  let schema = root
  for (const part of path) {
    const inner = part === 'items' ? schema['items'] : record(schema['properties'])[part]
    schema = record(inner)
    const reference = schema['$ref']
    if (typeof reference === 'string')
      schema = record(record(root['$defs'])[reference.replace('#/$defs/', '')])
  }
  return schema
}

function record(value: unknown): JsonSchema {
  if (typeof value !== 'object' || value === null)
    throw new TypeError('the schema has another shape than expected')
  return value as JsonSchema
}
