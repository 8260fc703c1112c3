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
    ['colours', ['a\u001b[31mb\u001b[39m\n'], '  | ab\n'],
    ['what a terminal would obey', ['a\u001b[2Jb\u0007\n'], '  | ab?\n'],
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

  it.each([
    ['vitest', ' FAIL  a.test.ts > a name'],
    ['vitest, each test', '   × a name 3ms'],
    ['Jest', '  ● suite › a name'],
    ['node:test', '✖ a name (1.2ms)'],
    ['TAP', 'not ok 1 - a name'],
    ['Playwright', '  1) a.spec.ts:3:1 › a name'],
    ['unittest', 'FAIL: test_name (a.Case)'],
    ['pytest', 'FAILED a.py::test_name'],
  ])('the name of a failed test stays, however much follows: %s', (_runner, line) => {
    const rest = Array.from({ length: 50 }, (_, place) => `line ${place}\n`)
    const coloured = `\u001b[31m${line}\u001b[39m\n`
    expect(tailOf('first\n', coloured.slice(0, 9), coloured.slice(9), '\n', ...rest).split('\n')).toEqual([
      `  | ${line}`,
      ...Array.from({ length: 12 }, (_, place) => `  | line ${place}`),
      '  | …',
      ...Array.from({ length: 20 }, (_, place) => `  | line ${place + 30}`),
      '',
    ])
  })

  it('one line without an end -> its last 64 KiB', () => {
    const text = tailOf(...Array.from({ length: 100 }, () => 'x'.repeat(10_000)), 'end')
    expect(text.length).toBe('  | '.length + 65_536 + 1)
    expect(text.endsWith('xend\n')).toBe(true)
  })
})
