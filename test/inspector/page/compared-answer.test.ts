import { describe, expect, it } from 'vitest'
import { comparedBody, comparedHeaders, withoutComma } from '../../../src/inspector/page/compared-answer.ts'
import { linesBeside } from '../../../src/inspector/page/line-differences.ts'

describe('what of two answers is compared', () => {
  it('headers by name, without those that always differ', () => {
    const headers = { 'x-b': ['2', '1'], date: 'now', 'x-a': '0', 'x-sandbox-request-id': 'req_default_1' }
    expect(comparedHeaders(headers)).toEqual(['x-a: 0', 'x-b: 1', 'x-b: 2'])
  })

  it.each<[what: string, body: unknown, lines: string[]]>([
    ['none', null, []],
    ['JSON', { a: [1] }, ['{', '  "a": [', '    1', '  ]', '}']],
    ['a text', 'one\ntwo', ['one', 'two']],
  ])('a body, line by line: %s', (_, body, lines) => {
    expect(comparedBody(body)).toEqual(lines)
  })

  it('a field that came last is no other one than before', () => {
    const pairs = linesBeside(comparedBody({ a: 1 }), comparedBody({ a: 1, b: 2 }), withoutComma)
    expect(pairs.map(({ kind }) => kind)).toEqual(['same', 'same', 'added', 'same'])
  })
})
