import { describe, expect, it } from 'vitest'
import { DocumentError, formatProblems, type Problem } from '../../src/input/problems.ts'

const inFile: Problem = {
  source: 'scenarios/x.yaml',
  line: 6,
  column: 13,
  path: 'rules[0].effect',
  message: "unknown effect 'notfound', did you mean 'not_found'?",
  excerpt: '    effect: notfound\n            ^',
}
const inMemory: Problem = { source: 'fixtures', path: 'customers[0].id', message: 'is required' }
const whole: Problem = { source: 'a.json', path: '', message: 'there is no such file' }

describe('formatProblems', () => {
  it('text: file, line, column, path, message, then the line and a caret', () => {
    expect(formatProblems([inFile, inMemory, whole])).toBe(
      [
        "scenarios/x.yaml:6:13 rules[0].effect: unknown effect 'notfound', did you mean 'not_found'?",
        '    effect: notfound',
        '            ^',
        'fixtures customers[0].id: is required',
        'a.json: there is no such file',
      ].join('\n'),
    )
  })

  it('text: stops at 100 and says how many more there are', () => {
    const lines = formatProblems(Array.from({ length: 123 }, () => inMemory)).split('\n')
    expect(lines).toHaveLength(101)
    expect(lines.at(-1)).toBe('… and 23 more problems')
    expect(formatProblems(Array.from({ length: 101 }, () => inMemory))).toMatch(/… and 1 more problem$/)
  })

  it('github: a workflow command each, with what would end it escaped', () => {
    const odd: Problem = { source: 'a,b:c.json', line: 1, column: 2, path: 'x', message: '100%\r\nbad' }
    expect(formatProblems([inFile, odd, whole], 'github').split('\n')).toEqual([
      "::error file=scenarios/x.yaml,line=6,col=13::rules[0].effect: unknown effect 'notfound', did you mean 'not_found'?",
      '::error file=a%2Cb%3Ac.json,line=1,col=2::x: 100%25%0D%0Abad',
      '::error file=a.json::there is no such file',
    ])
  })

  it('json: the first 100 with how many more there are, and an empty list for none', () => {
    expect(JSON.parse(formatProblems([inFile, whole], 'json'))).toEqual({ problems: [inFile, whole] })
    expect(JSON.parse(formatProblems([], 'json'))).toEqual({ problems: [] })
    const hundred = Array.from({ length: 100 }, () => whole)
    const json = formatProblems([...hundred, inFile], 'json', 4)
    expect(JSON.parse(json)).toEqual({ problems: hundred, more: 5 })
  })
})

it('DocumentError carries the problems and is readable as it is', () => {
  const error = new DocumentError([inFile, whole])
  expect(error.problems).toEqual([inFile, whole])
  expect(error.message).toBe(formatProblems([inFile, whole]))
  expect(error.name).toBe('DocumentError')
})

it('DocumentError tells 100 problems and how many more there are', () => {
  const hundred = Array.from({ length: 100 }, () => whole)
  const { problems, more, message } = new DocumentError([...hundred, inFile], 3)
  expect([problems, more, message.split('\n').at(-1)]).toEqual([hundred, 4, '… and 4 more problems'])
})
