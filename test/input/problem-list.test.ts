import { describe, expect, it, vi } from 'vitest'
import { ProblemList } from '../../src/input/problem-list.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { sourceFromText } from '../../src/input/source-file.ts'

const rows = Array.from({ length: 2000 }, (_, index) => `{"id":${index}}`)
const source = await sourceFromText(`[${rows.join(',\n')}]`, 'x.json', '.json')

/** The error of a list with so many problems, and how often the words of one were looked for. */
function errorOf(count: number): { error: DocumentError; worded: number; looks: number } {
  const locate = vi.spyOn(source, 'locateAll')
  const problems = new ProblemList()
  let worded = 0
  const message = (): string => `is wrong ${++worded}`
  try {
    for (let index = 0; index < count; index++) problems.add({ source, path: [index], message })
    problems.throwIfAny()
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { error, worded, looks: locate.mock.calls.length }
  } finally {
    locate.mockRestore()
  }
  throw new Error('no problem was told')
}

describe('a list of problems', () => {
  it.each([
    [1, 1, 0],
    [100, 100, 0],
    [101, 100, 1],
    [999, 100, 899],
    [1000, 100, 900],
    [2000, 100, 900],
  ])('%i problems -> %i told and %i more; places are looked up once', (count, reported, more) => {
    const { error, worded, looks } = errorOf(count)
    expect([error.problems.length, error.more, worded, looks]).toEqual([reported, more, reported, 1])
  })

  it('nothing is read beyond the thousandth', () => {
    const problems = new ProblemList()
    let added = 0
    const addAll = (): void => {
      for (;;) {
        problems.add({ source: 'x', path: '', message: 'is wrong' })
        added++
      }
    }
    expect(addAll).toThrow(/… and at least 900 more problems$/)
    expect(added).toBe(999)
  })

  it('is told by file and line, with the line of another place', () => {
    const problems = new ProblemList({ byLine: true })
    problems.add({ source: 'fixtures', path: 'a', message: 'first' })
    problems.add({ source, path: [9], message: 'third' })
    problems.add({ source, path: [4], message: 'second, as', lineOf: [1] })
    const { message } = problems.error()
    expect(message.split('\n').filter((line) => /^\w+(?:\.json)?[: ]/.test(line))).toEqual([
      'fixtures a: first',
      'x.json:5:1 [4]: second, as in line 2',
      'x.json:10:1 [9]: third',
    ])
  })

  it('the problems of other documents count with how many more of them there are', () => {
    const problems = new ProblemList()
    problems.addAll(new DocumentError([{ source: 'x', path: '', message: 'is wrong' }], 7))
    expect([problems.size, problems.error().more]).toEqual([8, 7])
    const many = new DocumentError([{ source: 'x', path: '', message: 'is wrong' }], 999)
    expect(() => problems.addAll(many)).toThrow('at least 998 more')
  })
})
