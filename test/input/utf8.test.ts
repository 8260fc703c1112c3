import { expect, it } from 'vitest'
import { DocumentError } from '../../src/input/problems.ts'
import { textOf } from '../../src/input/utf8.ts'

it('text -> as it is', () => {
  expect(textOf(Buffer.from('Zürich 🎉\n\ufffd'), 'a.json')).toBe('Zürich 🎉\n\ufffd')
})

it.each([
  ['a byte that begins nothing', [0xff], 1, 0],
  ['an end that is missing', [0x0a, 0x41, 0xe2, 0x82], 2, 2],
  ['a sequence that is broken off', [0x0a, 0x0a, 0xe2, 0x82, 0x41], 3, 2],
  ['one that begins as the sign for it does', [0x41, 0xef, 0xbf], 1, 1],
  ['one after the sign for it', [0xef, 0xbf, 0xbd, 0xef, 0xbf, 0x41], 1, 3],
  ['half of a pair', [0x41, 0xed, 0xa0, 0x80], 1, 1],
])('%s -> refused with line and byte', (_what, bytes, line, offset) => {
  const message = `must be text in UTF-8; it has an invalid byte at ${offset}`
  expect(() => textOf(Buffer.from(bytes), 'a.json')).toThrow(
    new DocumentError([{ source: 'a.json', line, path: '', message }]),
  )
})
