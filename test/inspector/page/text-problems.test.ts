import { describe, expect, it } from 'vitest'
import { jsonProblems, placedProblems, rangeOfLine } from '../../../src/inspector/page/text-problems.ts'

const text = '{\n  "id": "cus_1",\n  "authorized_users": [\n    { "name": "A" },\n    { "name": 1 }\n  ]\n}'

describe('what is wrong with a text, at its lines', () => {
  it.each([
    ['{"a": 1}', []],
    ['', [{ line: undefined, path: '', message: 'is empty; expected JSON' }]],
    ['{\n"a": 1,\n}', [{ line: 3, path: '', message: 'expected a key in double quotes' }]],
    ['{\n"a": 1,\n"a": 2}', [{ line: 3, path: '', message: 'duplicate key in an object' }]],
  ])('%j', (typed, problems) => {
    expect(jsonProblems(typed)).toEqual(problems)
  })

  it.each([
    ['id', undefined, 2],
    ['authorized_users[1].name', undefined, 5],
    ['authorized_users[1].phone', undefined, 5],
    ['nope', undefined, 1],
    ['', undefined, undefined],
    ['id', 7, 7],
  ])('a refusal of %j, told with line %s -> line %s', (path, reported, line) => {
    const detail = { path, message: 'is wrong', ...(reported === undefined ? {} : { line: reported }) }
    expect(placedProblems(text, [detail])).toEqual([{ line, path, message: 'is wrong' }])
  })

  it.each([
    [1, '{'],
    [2, '  "id": "cus_1",'],
    [7, '}'],
    [8, ''],
  ])('line %s is %j', (line, shown) => {
    const { start, end } = rangeOfLine(text, line)
    expect(text.slice(start, end)).toBe(shown)
  })
})
