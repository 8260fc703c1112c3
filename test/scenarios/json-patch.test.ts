import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyPatch, type PatchOperation } from '../../src/scenarios/effects/json-patch.ts'

type Example = [title: string, value: unknown, patch: PatchOperation[], result: unknown]

/** RFC 6902, appendix A; undefined stands for a patch that does not apply. */
const appendix: Example[] = [
  [
    'A.1 adding an object member',
    { foo: 'bar' },
    [{ op: 'add', path: '/baz', value: 'qux' }],
    { baz: 'qux', foo: 'bar' },
  ],
  [
    'A.2 adding an array element',
    { foo: ['bar', 'baz'] },
    [{ op: 'add', path: '/foo/1', value: 'qux' }],
    { foo: ['bar', 'qux', 'baz'] },
  ],
  [
    'A.3 removing an object member',
    { baz: 'qux', foo: 'bar' },
    [{ op: 'remove', path: '/baz' }],
    { foo: 'bar' },
  ],
  [
    'A.4 removing an array element',
    { foo: ['bar', 'qux', 'baz'] },
    [{ op: 'remove', path: '/foo/1' }],
    { foo: ['bar', 'baz'] },
  ],
  [
    'A.5 replacing a value',
    { baz: 'qux', foo: 'bar' },
    [{ op: 'replace', path: '/baz', value: 'boo' }],
    { baz: 'boo', foo: 'bar' },
  ],
  [
    'A.6 moving a value',
    { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
    { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  ],
  [
    'A.7 moving an array element',
    { foo: ['all', 'grass', 'cows', 'eat'] },
    [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
    { foo: ['all', 'cows', 'eat', 'grass'] },
  ],
  [
    'A.8 testing a value: success',
    { baz: 'qux', foo: ['a', 2, 'c'] },
    [
      { op: 'test', path: '/baz', value: 'qux' },
      { op: 'test', path: '/foo/1', value: 2 },
    ],
    { baz: 'qux', foo: ['a', 2, 'c'] },
  ],
  ['A.9 testing a value: error', { baz: 'qux' }, [{ op: 'test', path: '/baz', value: 'bar' }], undefined],
  [
    'A.10 adding a nested member object',
    { foo: 'bar' },
    [{ op: 'add', path: '/child', value: { grandchild: {} } }],
    { foo: 'bar', child: { grandchild: {} } },
  ],
  [
    'A.12 adding to a nonexistent target',
    { foo: 'bar' },
    [{ op: 'add', path: '/baz/bat', value: 'qux' }],
    undefined,
  ],
  [
    'A.14 ~ escape ordering',
    { '/': 9, '~1': 10 },
    [{ op: 'test', path: '/~01', value: 10 }],
    { '/': 9, '~1': 10 },
  ],
  [
    'A.15 comparing strings and numbers',
    { '/': 9, '~1': 10 },
    [{ op: 'test', path: '/~01', value: '10' }],
    undefined,
  ],
  [
    'A.16 adding an array value',
    { foo: ['bar'] },
    [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
    { foo: ['bar', ['abc', 'def']] },
  ],
]

const others: Example[] = [
  ['the whole value', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
  [
    'test does not care for the order of keys',
    { a: { b: 1, c: 2 } },
    [{ op: 'test', path: '/a', value: { c: 2, b: 1 } }],
    { a: { b: 1, c: 2 } },
  ],
  ['test for what is not there', { a: 1 }, [{ op: 'test', path: '/b', value: null }], undefined],
  ['replace what is not there', { a: 1 }, [{ op: 'replace', path: '/b', value: 1 }], undefined],
  ['remove what is not there', { a: 1 }, [{ op: 'remove', path: '/b' }], undefined],
  ['add beyond the end', { a: [1] }, [{ op: 'add', path: '/a/2', value: 1 }], undefined],
  ['an index with a leading zero', { a: [1, 2] }, [{ op: 'replace', path: '/a/01', value: 1 }], undefined],
  ['an index that is no number', { a: [1, 2] }, [{ op: 'add', path: '/a/x', value: 1 }], undefined],
  ['"-" is no element', { a: [1, 2] }, [{ op: 'remove', path: '/a/-' }], undefined],
  ['move into itself', { a: { b: {} } }, [{ op: 'move', from: '/a', path: '/a/b' }], undefined],
  ['move to where it is', { a: 1 }, [{ op: 'move', from: '/a', path: '/a' }], { a: 1 }],
  ['copy', { a: { b: 1 } }, [{ op: 'copy', from: '/a', path: '/c' }], { a: { b: 1 }, c: { b: 1 } }],
  ['inherited names are not there', {}, [{ op: 'copy', from: '/constructor', path: '/a' }], undefined],
  [
    'all or nothing',
    { a: 1 },
    [
      { op: 'add', path: '/b', value: 2 },
      { op: 'remove', path: '/c' },
    ],
    undefined,
  ],
]

describe('applyPatch', () => {
  it.each([...appendix, ...others])('%s', (_title, value, patch, result) => {
    const before = structuredClone(value)
    expect(applyPatch(value, patch)).toEqual(result === undefined ? { refused: 'misfit' } : { value: result })
    expect(value).toEqual(before)
  })

  it('__proto__ is a name like any other', () => {
    const result = applyPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }])
    expect(JSON.stringify(result)).toBe('{"value":{"__proto__":{"polluted":true}}}')
    expect({}).not.toHaveProperty('polluted')
  })

  it('what was added can be tested and removed again, at any name', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string(),
        fc.jsonValue(),
        (object, name, value) => {
          fc.pre(!Object.hasOwn(object, name) && name !== '__proto__')
          const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
          const patch: PatchOperation[] = [
            { op: 'add', path, value },
            { op: 'test', path, value },
            { op: 'remove', path },
          ]
          expect(applyPatch(object, patch)).toEqual({ value: structuredClone(object) })
        },
      ),
    )
  })

  /** Each puts the whole beside itself, which would give 2 to the power of their number. */
  const doublings = (count: number): PatchOperation[] =>
    Array.from({ length: count }, () => ({ op: 'copy', from: '', path: '/-' }))

  it.each<[string, PatchOperation[], number, ReturnType<typeof applyPatch>]>([
    [
      '1,000 copies of the whole stop where there is no more room',
      doublings(1000),
      1e6,
      { refused: 'too large' },
    ],
    ['as much as there is room for', doublings(2), 13, { value: [1, [1], [1, [1]]] }],
    ['a byte less', doublings(2), 12, { refused: 'too large' }],
    ['what was too large before', [], 2, { refused: 'too large' }],
    [
      'what is removed again counts',
      [...doublings(1), { op: 'remove', path: '/1' }, ...doublings(1)],
      8,
      { refused: 'too large' },
    ],
    ['what is moved does not', [{ op: 'move', from: '/0', path: '/-' }], 3, { value: [1] }],
    ['added text counts in bytes', [{ op: 'add', path: '/-', value: 'é' }], 6, { refused: 'too large' }],
  ])('%s', (_title, patch, most, expected) => {
    expect(applyPatch([1], patch, most)).toEqual(expected)
  })

  /** Puts a list of 90 levels around the value, with few bytes and a short path. */
  const around: PatchOperation[] = [
    { op: 'add', path: '/b', value: JSON.parse('['.repeat(90) + ']'.repeat(90)) as unknown[] },
    { op: 'move', from: '/a', path: `/b${'/0'.repeat(90)}` },
    { op: 'move', from: '/b', path: '/a' },
  ]

  it.each([
    ['11 times 90 levels', 11, undefined],
    ['12 times 90 levels', 12, 'too deep'],
    ['1,500 times 90 levels', 1500, 'too deep'],
  ])('moves of values into each other: %s', (_title, rounds, refused) => {
    const patch: PatchOperation[] = Array.from({ length: rounds }, () => around).flat()
    expect(applyPatch({ a: 1 }, patch).refused).toBe(refused)
  })
})
