import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hidesFaults } from '../../src/json/json-text.ts'
import { samples } from '../setup/samples.ts'

const duplicateKey = (text: string): boolean => hidesFaults(text, JSON.parse(text), 100)

describe('a JSON text has a key twice in one object', () => {
  test.each([
    ['twice at the top', '{"a":1,"a":2}', true],
    ['twice with other keys between', '{"a":1,"b":2,"c":3,"a":4}', true],
    ['twice with space around', '{ "a" : 1 ,\n\t"a"\r\n: 2 }', true],
    ['twice in a nested object', '{"m":{"x":1,"x":2}}', true],
    ['twice in an object of a list', '{"m":[1,{"x":1,"x":2}]}', true],
    ['twice after a nested object was closed', '{"a":{"b":1},"a":2}', true],
    ['twice after a list was closed', '{"a":[{"b":1}],"a":2}', true],
    ['the second spelt with an escape', '{"a":1,"\\u0061":2}', true],
    ['keys that hold a quote', '{"a\\"b":1,"a\\"b":2}', true],
    ['keys that end with a backslash', '{"a\\\\":1,"a\\\\":2}', true],
    ['the empty key twice', '{"":1,"":2}', true],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', true],
    ['a lone surrogate twice', '{"\\ud800":1,"\\ud800":2}', true],
    ['no key at all', '{}', false],
    ['a scalar', '"a"', false],
    ['a number', '1', false],
    ['different keys', '{"a":1,"b":2}', false],
    ['the same key in two objects', '[{"a":1},{"a":2}]', false],
    ['the same key in an object and in the one around it', '{"a":{"a":{"a":1}}}', false],
    ['the same value twice', '{"a":"x","b":"x"}', false],
    ['a value that is spelt like a key', '{"a":"b","b":"a"}', false],
    ['a value that looks like JSON', '{"a":"{\\"a\\":1,\\"a\\":2}"}', false],
    ['values that hold brackets and colons', '{"a":"}:{","b":"]:["}', false],
    ['other casing', '{"a":1,"A":2}', false],
    ['keys that differ in their normal form only', '{"é":1,"e\u0301":2}', false],
    ['constructor once', '{"constructor":1,"toString":2}', false],
    ['strings in a list', '["a","a"]', false],
  ])('%s: %s -> %s', (_, text, expected) => {
    expect(duplicateKey(text)).toBe(expected)
  })

  test('what JSON.stringify wrote -> never', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(duplicateKey(JSON.stringify(JSON.parse(text)))).toBe(false)
      }),
      { seed: 1, numRuns: samples(500) },
    )
  })

  test('a key of an object written once more at its end -> always', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (object) => {
        const text = JSON.stringify(object)
        const again = `${text.slice(0, -1)},${JSON.stringify(Object.keys(object)[0])}:null}`
        expect([duplicateKey(text), duplicateKey(again)]).toEqual([false, true])
      }),
      { seed: 1, numRuns: samples(500) },
    )
  })

  test.each([
    [1, 'letters', 'a'],
    [1, 'escapes', '\\u0061'],
    [16, 'quotes', '\\"'],
    [1, 'letters beyond ASCII', 'é'],
  ])('a string of %i MiB of %s -> read to its end', (mebibytes, _, unit) => {
    const long = unit.repeat((mebibytes * 1024 * 1024) / unit.length)
    expect(duplicateKey(`{"a":"${long}"}`)).toBe(false)
    expect(duplicateKey(`{"a":"${long}","a":1}`)).toBe(true)
  })
})
