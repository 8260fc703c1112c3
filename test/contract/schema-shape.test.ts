import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fieldsIn, innerOf, isOptional, shapeOf } from '../../src/contract/schema-shape.ts'

const text = z.string()
const object = z.object({ id: text, note: text.optional() })
const list = z.array(object)

describe('the shape of a schema', () => {
  it.each<[string, z.ZodType, object]>([
    ['a text', text, {}],
    ['a map', z.record(text, text), { isRecord: true }],
    ['an enum', z.enum(['a', 'b']), { values: ['a', 'b'] }],
    ['a number', z.number().min(0), { range: { minimum: 0, maximum: Number.POSITIVE_INFINITY } }],
    ['a list', list, { item: object }],
    ['a list of at most three', z.array(text).max(3), { item: text, maxItems: 3 }],
    ['an optional one -> that of what it wraps', list.optional(), { item: object }],
    ['one with a default -> that of what it wraps', list.default([]), { item: object }],
    [
      'one that is transformed -> that of its result',
      text.transform((): z.input<typeof list> => []).pipe(list),
      { item: object },
    ],
    ['alternatives without parts', z.union([text, z.null()]), { isUnion: true }],
    [
      'alternatives with a number',
      z.union([text, z.number()]),
      { isUnion: true, range: { minimum: -Infinity, maximum: Infinity } },
    ],
    ['alternatives with a list', z.union([text, list]), { isUnion: true, item: object }],
  ])('%s', (_what, schema, shape) => {
    expect(shapeOf(schema)).toEqual(shape)
  })

  it('an object -> its fields in their order', () => {
    expect(fieldsIn(object)).toEqual([
      { name: 'id', schema: text, index: 0, isOptional: false },
      { name: 'note', schema: object.shape.note, index: 1, isOptional: true },
    ])
    expect(fieldsIn(text)).toEqual([])
    expect(shapeOf(z.union([text, list, object])).fields).toEqual(shapeOf(object).fields)
  })

  it('is read once', () => {
    expect(shapeOf(object)).toBe(shapeOf(object))
  })

  it('an optional schema -> its wrapper, and without it', () => {
    expect([isOptional(text.optional()), isOptional(text)]).toEqual([true, false])
    expect([innerOf(object.shape.note), innerOf(text)]).toEqual([text, text])
  })
})
