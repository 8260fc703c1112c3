import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonPositions } from '../../src/reading/json-positions.ts'

describe('the path at an offset', () => {
  const text = '{ "a.b": [1, {"": "x"}, []], "a": { "b": {} } }'
  it.each<[string, (string | number)[], 'key' | 'value']>([
    ['{ "a.b"', [], 'value'],
    ['"a.b"', ['a.b'], 'key'],
    ['[1', ['a.b'], 'value'],
    ['1,', ['a.b', 0], 'value'],
    ['"": ', ['a.b', 1, ''], 'key'],
    ['"x"', ['a.b', 1, ''], 'value'],
    ['[]', ['a.b', 2], 'value'],
    ['"a": {', ['a'], 'key'],
    ['"b"', ['a', 'b'], 'key'],
    ['{} }', ['a', 'b'], 'value'],
  ])('of %s -> %j, its %s', (from, path, at) => {
    expect(new JsonPositions(text).pathAt(text.indexOf(from))).toEqual({ path, at })
  })

  it('beyond the end of a value -> the innermost one before it', () => {
    expect(new JsonPositions('[1, 2]  ').pathAt(7)).toEqual({ path: [1], at: 'value' })
  })

  it('is the path by which the offset is found, of every key and value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, space) => {
        const positions = new JsonPositions(JSON.stringify(value, null, space))
        const check = (inner: unknown, path: (string | number)[], isField: boolean): void => {
          const { key, value: start } = positions.find(path)
          expect(positions.pathAt(start)).toEqual({ path, at: 'value' })
          if (isField) expect(positions.pathAt(key)).toEqual({ path, at: 'key' })
          if (typeof inner !== 'object' || inner === null) return
          const isList = Array.isArray(inner)
          for (const [name, field] of Object.entries(inner)) {
            check(field, [...path, isList ? Number(name) : name], !isList)
          }
        }
        check(value, [], false)
      }),
      { seed: 1, numRuns: 300 },
    )
  })
})
