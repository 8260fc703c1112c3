import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/contract/errors.ts'
import { MalformedJsonError, parseJson } from '../../../src/http/body/parse-json.ts'

/** The result of a body: a value or a refusal. */
function parse(bytes: Uint8Array): { value: unknown } | { refusal: string; type: string } {
  try {
    return { value: parseJson(bytes) }
  } catch (error) {
    if (error instanceof MalformedJsonError) return { refusal: error.message, type: 'malformed' }
    if (error instanceof ApiError) return { refusal: error.message, type: error.type }
    throw error
  }
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const bom = [0xef, 0xbb, 0xbf]
const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('JSON is read as JSON.parse reads it', () => {
  test.each([
    ['null', null],
    ['[]', []],
    ['"x"', 'x'],
    ['1', 1],
    [' \t\r\n{ "a" : [ 1 , true , null ] } \n', { a: [1, true, null] }],
    ['1e400', Infinity],
    ['-0', -0],
    ['9007199254740993', 9007199254740992],
    ['"\\u0000\\ud800 \u{1f600} \u2028"', '\u0000\ud800 \u{1f600} \u2028'],
  ])('%s', (text, value) => {
    expect(parse(utf8(text))).toEqual({ value })
  })

  test('a key __proto__ -> a key like any other', () => {
    const read = parse(utf8('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'))
    if (!('value' in read)) throw new Error(read.refusal)
    expect(Object.keys(read.value as object)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(read.value)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })
})

describe('what is not JSON is refused without a word of it', () => {
  test.each([
    ['nothing', '', 'is empty; expected a JSON object'],
    ['blanks', ' \n', 'is not valid JSON'],
    ['half an object', '{"pan":"4242424242424242"', 'is not valid JSON'],
    ['a comma too much', '{"pan":"4242424242424242",}', 'is not valid JSON'],
    ['single quotes', "{'pan':'4242424242424242'}", 'is not valid JSON'],
    ['a bare word', '4242424242424242x', 'is not valid JSON'],
    ['NaN', '{"amount":NaN}', 'is not valid JSON'],
    ['Infinity', '{"amount":Infinity}', 'is not valid JSON'],
    ['undefined', 'undefined', 'is not valid JSON'],
    ['a leading zero', '{"amount":0100}', 'is not valid JSON'],
    ['a leading plus', '{"amount":+100}', 'is not valid JSON'],
    ['a hexadecimal number', '{"amount":0x64}', 'is not valid JSON'],
    ['a comment', '{"amount":100}//', 'is not valid JSON'],
    ['two values', '{}{}', 'is not valid JSON'],
    ['a raw line break in a string', '"a\nb"', 'is not valid JSON'],
    ['a form', 'amount=100&currency=USD', 'is not valid JSON'],
  ])('%s: %j -> %s', (_, text, refusal) => {
    expect(parse(utf8(text))).toEqual({ refusal, type: 'malformed' })
  })

  test.each([
    ['a stray byte', [0x22, 0xff, 0x22]],
    ['a sequence cut off', [0x22, 0xc3, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['beyond U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['UTF-16, little endian', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['UTF-16, big endian', [0xfe, 0xff, 0x00, 0x7b, 0x00, 0x7d]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
  ])('%s -> is not valid UTF-8, and never U+FFFD', (_, bytes) => {
    expect(parse(Uint8Array.from(bytes))).toEqual({
      refusal: 'is not valid UTF-8',
      type: 'malformed',
    })
  })

  test('U+FFFD itself, sent as such -> a character', () => {
    expect(parse(utf8('"\ufffd"'))).toEqual({ value: '\ufffd' })
  })

  test('bytes that are a part of a larger buffer -> only that part is read', () => {
    expect(parse(utf8('xx{"a":1}xx').subarray(2, 9))).toEqual({ value: { a: 1 } })
  })
})

describe('a byte order mark', () => {
  const marked = Uint8Array.from([...bom, ...utf8('{"a":1}')])
  test.each([
    ['before an object', marked, { value: { a: 1 } }],
    ['alone', Uint8Array.from(bom), { refusal: 'is not valid JSON', type: 'malformed' }],
    ['twice', Uint8Array.from([...bom, ...marked]), { refusal: 'is not valid JSON', type: 'malformed' }],
    ['inside a string -> a character', utf8('"a\ufeffb"'), { value: 'a\ufeffb' }],
  ])('%s', (_, bytes, outcome) => {
    expect(parse(bytes)).toEqual(outcome)
  })
})

describe('depth', () => {
  const tooDeep = { refusal: 'is nested deeper than 64 levels', type: 'malformed' }
  test.each([
    ['lists', 64, false],
    ['lists', 65, true],
    ['objects', 64, false],
    ['objects', 65, true],
    ['lists', 500_000, true],
    ['objects', 150_000, true],
  ])('%s %i deep -> refused: %s', (kind, depth, refused) => {
    const text = kind === 'lists' ? lists(depth) : `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`
    const read = parse(utf8(text))
    if (refused) expect(read).toEqual(tooDeep)
    else expect(read).toMatchObject({ value: expect.anything() })
  })

  test('the deepest of many branches counts, wherever it stands', () => {
    const shallow = '[[]]'
    for (const place of [0, 1, 2]) {
      const branches = [shallow, shallow, shallow].with(place, lists(64))
      expect(parse(utf8(`[${branches.join(',')}]`))).toEqual(tooDeep)
    }
  })
})

test('of a duplicate key the last value counts', () => {
  expect(parse(utf8('{"a":1,"a":2}'))).toEqual({ value: { a: 2 } })
})
