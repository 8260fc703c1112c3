import { z } from 'zod'
import { docs } from '../../src/contract/docs.ts'
import { sandboxPart } from '../../src/fixtures/state-document.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import type { Schema } from '../../src/openapi/document-types.ts'
import { idField } from '../../src/store/references.ts'
import { account, collectionNames, rowSchemas } from '../../src/store/rows.ts'
import { docComment, typeOf } from '../package/schema-types.ts'
import { builtIn } from '../docs/built-in-scenarios.ts'

/** Generates the types of declarations that are values, so that public types do not use the types of a library. */
export function declaredTypes(): string {
  const rows = collectionNames.map((name) => `${name}: ${typeOfRow(rowSchemas[name])}\n`)
  const ids = collectionNames.map((name) => `${name}: '${idField(name)}'\n`)
  return [
    '// Types of what is declared as values elsewhere, for the users of the library: `npm run generate` writes this file.\n\n',
    docComment('The id of an operation, such as `updateReward`.'),
    `export type OperationId = ${oneOf(endpoints.map(({ id }) => id))}\n\n`,
    docComment('The name of a built-in scenario, such as `rate-limited`.'),
    `export type BuiltInScenario = ${oneOf(builtIn().map(({ name }) => name))}\n\n`,
    docComment(
      'A complete row of each collection: the resource, and the fields that the sandbox adds to it.',
    ),
    `export interface CollectionRows {\n${rows.join('')}}\n\n`,
    docComment('The id field of the rows of each collection.'),
    `export interface CollectionIds {\n${ids.join('')}}\n\n`,
    docComment("The settings of the partner's account."),
    `export interface AccountRow ${typeOfRow(account)}\n\n`,
    docComment('The data about the sandbox in a dump, in addition to the state.'),
    `export interface SandboxPart ${typeOfRow(sandboxPart)}\n`,
  ].join('')
}

function oneOf(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' | ')
}

/** Inlines every reference of a schema, so that callers need not know the names of the parts of a row. */
function typeOfRow(schema: z.ZodType): string {
  const { $defs, ...written } = z.toJSONSchema(schema, { metadata: docs, unrepresentable: 'any' }) as Schema
  const definitions = ($defs ?? {}) as Readonly<Record<string, Schema>>
  const inlined = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(inlined)
    const { $ref, ...rest } = value as Schema
    const referred = $ref === undefined ? {} : definitions[$ref.replace('#/$defs/', '')]
    return Object.fromEntries(
      Object.entries({ ...referred, ...rest }).map(([name, inner]) => [name, inlined(inner)]),
    )
  }
  const { oneOf: _kinds, ...plain } = inlined(written) as Schema
  return typeOf(plain)
}
