import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { pathsAt, positionsOf } from '../../src/json/json-positions.ts'
import { samples } from '../setup/samples.ts'

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
    expect(pathsAt(text, [text.indexOf(from)])).toEqual([{ path, at }])
  })

  it('beyond the end of a value -> the innermost one before it', () => {
    expect(pathsAt('[1, 2]  ', [7])).toEqual([{ path: [1], at: 'value' }])
  })

  it('is the path by which the offset is found, of every key and value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, space) => {
        const written = JSON.stringify(value, null, space)
        const paths: (string | number)[][] = []
        const isField: boolean[] = []
        const note = (inner: unknown, path: (string | number)[], ofObject: boolean): void => {
          paths.push(path)
          isField.push(ofObject)
          if (typeof inner !== 'object' || inner === null) return
          const isList = Array.isArray(inner)
          for (const [name, field] of Object.entries(inner)) {
            note(field, [...path, isList ? Number(name) : name], !isList)
          }
        }
        note(value, [], false)
        const places = positionsOf(written, paths)
        const values = places.map((place) => place.value)
        expect(pathsAt(written, values)).toEqual(paths.map((path) => ({ path, at: 'value' })))
        const keys = places.filter((_, index) => isField[index]).map((place) => place.key)
        const keyed = paths.filter((_, index) => isField[index])
        expect(pathsAt(written, keys)).toEqual(keyed.map((path) => ({ path, at: 'key' })))
      }),
      { seed: 1, numRuns: samples(300) },
    )
  })
})

describe('the places of paths', () => {
  it('that lead to nothing -> those of the innermost value around each that is there', () => {
    const text = '{"a": [1, {"b": 2}]}'
    const paths = [['a', 1, 'c', 'd'], ['a', 7], ['a', 'b'], ['x'], ['a', 1, 'b', 'c']]
    const at = (sign: string) => text.indexOf(sign)
    const list = { key: at('"a"'), value: at('[') }
    expect(positionsOf(text, paths)).toEqual([
      { key: at('{"b"'), value: at('{"b"') },
      list,
      list,
      { key: 0, value: 0 },
      { key: at('"b"'), value: at('2') },
    ])
  })

  it('are found in one pass that ends with the last of them', () => {
    const rows = Array.from({ length: 1000 }, (_, index) => `{"id":"c${index}"}`)
    const text = `{"customers":[${rows.join(',')}],"rewards":[]}`
    const paths = Array.from({ length: 100 }, (_, index) => ['customers', index, 'id'])
    const readsOf = (requested: typeof paths): number => {
      const read = vi.spyOn(String.prototype, 'charCodeAt')
      positionsOf(text, requested)
      const reads = read.mock.calls.length
      read.mockRestore()
      return reads
    }
    const [one, all, twice] = [readsOf(paths.slice(-1)), readsOf(paths), readsOf([...paths, ...paths])]
    expect(all).toBeLessThan(3 * one)
    expect(twice).toBe(all)
  })
})
