import { describe, expect, it } from 'vitest'
import { OutputTail } from '../../../src/cli/runs/output-tail.ts'

function tailOf(...chunks: string[]): string {
  const tail = new OutputTail()
  for (const chunk of chunks) tail.add(Buffer.from(chunk))
  return tail.text()
}

describe('the end of an output', () => {
  it.each([
    ['nothing', [], ''],
    ['empty lines only', ['\n', '\n'], ''],
    ['one line', ['a\n'], '  | a\n'],
    ['a line in pieces, and none at its end', ['a', 'b\n', 'c'], '  | ab\n  | c\n'],
    ['what a terminal would obey', ['a\u001b[2Jb\n'], '  | a?[2Jb\n'],
  ])('%s', (_what, chunks, text) => {
    expect(tailOf(...chunks)).toBe(text)
  })

  it('many lines -> the last 20', () => {
    const lines = Array.from({ length: 100 }, (_, place) => `line ${place}\n`)
    expect(
      tailOf(...lines)
        .split('\n')
        .slice(0, -1),
    ).toEqual(lines.slice(-20).map((line) => `  | ${line.trimEnd()}`))
  })

  it('one line without an end -> its last 64 KiB', () => {
    const text = tailOf(...Array.from({ length: 100 }, () => 'x'.repeat(10_000)), 'end')
    expect(text.length).toBe('  | '.length + 65_536 + 1)
    expect(text.endsWith('xend\n')).toBe(true)
  })
})
