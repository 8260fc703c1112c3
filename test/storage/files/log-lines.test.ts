import { describe, expect, it } from 'vitest'
import { readEnd, withFields, withoutFields } from '../../../src/storage/files/document-end.ts'
import { deltaLine, headerLine, readDeltas, readHeader } from '../../../src/storage/files/log-lines.ts'

const header = { format: 1, generation: 7, after: 4 } as const
const log = (...lines: string[]): Buffer => Buffer.from(headerLine(header) + lines.join(''))

describe('a log', () => {
  it('has a line for its header and for each delta, with checksums', () => {
    expect(log(deltaLine(5, '{"é":1}')).toString()).toMatch(
      /^[0-9a-f]{8} \{"format":1,"generation":7,"after":4\}\n[0-9a-f]{8} \{"seq":5,"delta":\{"é":1\}\}\n$/,
    )
    expect(readHeader('a.7.log', log(), 7)).toEqual(header)
    expect(
      readDeltas('a.7.log', log(deltaLine(5, '{"é":1}'), deltaLine(6, '[]')), { after: 4, last: undefined }),
    ).toEqual(['{"é":1}', '[]'])
  })

  it('a delta of two lines is a bug', () => {
    expect(() => deltaLine(5, '{\n}')).toThrow('a delta is one line')
  })

  it('of an unknown version -> refused', () => {
    const later = Buffer.from(headerLine({ ...header, format: 2 as 1 }))
    expect(() => readHeader('a.7.log', later, 7)).toThrow('has a header of an unknown version, at byte 0')
  })
})

describe('the fields of the driver', () => {
  const fields = { about: '{"about":{"log":1,"seq":2},"é":"}}"}', log: 7, seq: 12 }
  it.each<[situation: string, document: string, chunks: (text: string) => string[]]>([
    ['in one text', '{"a":[],\n"sandbox": {"seed":1}\n}\n', (text) => [text]],
    ['character by character', '{"a":[],"sandbox": {"seed":1}\n}\n', (text) => [...text, '']],
    ['after an empty object', '{"a":"é","sandbox": {}\n}\n', (text) => [text]],
    [
      'after fields of their names',
      '{"sandbox": {"about":{"about":1},"log":1,"seq":1}\n}\n',
      (text) => [text],
    ],
    [
      'after much text',
      `{"a":"${'é'.repeat(200_000)}","sandbox": {"seed":1}\n}\n`,
      (text) => [text.slice(0, 150_000), text.slice(150_000)],
    ],
  ])('%s -> found at the end, and removed again', (_situation, document, chunks) => {
    const written = Buffer.concat([...withFields(chunks(document), fields)])
    expect(Object.keys(JSON.parse(written.toString()).sandbox as object).slice(-1)).toEqual(['checksum'])
    const end = readEnd(written.subarray(-4096))
    expect(end).toMatchObject({ ...fields, checksum: expect.stringMatching(/^[0-9a-f]{8}$/) as string })
    const text = end && withoutFields(written, end).toString()
    expect(text?.replaceAll(/\s/g, '')).toBe(document.replaceAll(/\s/g, ''))
  })

  it('a document that ends with no object is a bug', () => {
    expect(() => [...withFields(['{"a":[]}'], fields)]).toThrow('a state document ends with an object')
  })
})
