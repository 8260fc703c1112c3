import { describe, expect, it } from 'vitest'
import { docComment, typeOf } from '../../scripts/package/schema-types.ts'
import type { Schema } from '../../src/openapi/document-types.ts'

describe('a JSON Schema as a type', () => {
  const cases: [Schema, string][] = [
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'number' }, 'number'],
    [{ type: 'boolean' }, 'boolean'],
    [{ type: 'string', const: 'A' }, '"A"'],
    [{ type: 'integer', const: 400 }, '400'],
    [{ type: 'string', enum: ['A', 'B'] }, '"A" | "B"'],
    [{ $ref: '#/components/schemas/Reward' }, 'Reward'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Reward' } }, 'Reward[]'],
    [{ type: 'array', items: { type: 'string', enum: ['A', 'B'] } }, '("A" | "B")[]'],
    [{ type: 'object', properties: { 'a.b': { type: 'string' } } }, "{\n'a.b'?: string\n}"],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', properties: {} }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: true }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'Record<string, string>'],
    [
      {
        type: 'object',
        properties: { a: { type: 'string', description: 'An a.' }, b: { type: 'integer' } },
        required: ['a'],
      },
      '{\n/** An a. */\na: string\nb?: number\n}',
    ],
    [
      {
        type: 'object',
        properties: {
          type: { type: 'string', enum: ['A', 'B'] },
          a: { type: 'string' },
          b: { type: 'integer' },
        },
        required: ['type'],
        oneOf: [
          { properties: { type: { const: 'A' }, b: { not: {} } }, required: ['a'] },
          { properties: { type: { const: 'B' }, a: { not: {} } }, required: ['b'] },
        ],
      },
      '{\ntype: "A"\na: string\nb?: never\n} | {\ntype: "B"\na?: never\nb: number\n}',
    ],
  ]
  it.each(cases)('%j', (schema, type) => {
    expect(typeOf(schema)).toBe(type)
  })

  it('anything at all -> unknown', () => {
    expect(typeOf({})).toBe('unknown')
  })

  it.each([[{ type: 'array' }], [{ oneOf: [] }]])(
    '%j, which our document has no use for -> stops the build',
    (schema) => {
      expect(() => typeOf(schema)).toThrow(/^no type for the schema/)
    },
  )

  it('a description cannot end its comment', () => {
    expect(docComment('a */ b')).toBe('/** a *\u200b/ b */\n')
    expect(docComment(undefined)).toBe('')
  })
})
