import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineOf, type Entry } from '../../src/persistence/journal-lines.ts'
import {
  entriesAfter,
  JournalError,
  readJournal,
  type JournalLine,
} from '../../src/persistence/journal-lines.ts'

/** An entry as it is written alone: the one before it was kept. */
const entry = (seq: number, more: Partial<Entry> = {}): Entry => ({
  seq,
  kept: seq - 1,
  ids: seq,
  ops: [{ collection: 'rewards', id: `rwd_${seq}`, row: { id: `rwd_${seq}`, note: 'Zürich 🎉\n"' } }],
  ...more,
})

const textOf = (...entries: Entry[]): string => entries.map(lineOf).join('')
const read = (text: string): JournalLine[] => readJournal(Buffer.from(text))
const seqs = (lines: readonly JournalLine[]): number[] => lines.map((line) => line.entry.seq)

/** What is wrong with a journal, and what stands before. */
function refusalOf(attempt: () => unknown): [message: string, line: number, before: number[]] {
  try {
    attempt()
  } catch (error) {
    if (error instanceof JournalError) return [error.message, error.line, seqs(error.before)]
    throw error
  }
  throw new Error('it was accepted')
}

/** The text with one character of a line changed. */
function spoilt(text: string, line: number): string {
  const lines = text.split('\n')
  lines[line - 1] = (lines[line - 1] ?? '').replace('rewards', 'rewardz')
  return lines.join('\n')
}

describe('lineOf', () => {
  it('a checksum, a space, JSON and the end of the line', () => {
    const deletion = entry(7, { ops: [{ collection: 'order_events', id: 'ord_1' }] })
    expect(lineOf(deletion)).toBe(
      'f2132004 {"seq":7,"kept":6,"ids":7,"ops":[{"collection":"order_events","id":"ord_1"}]}\n',
    )
  })

  it('what is read is what was written', () => {
    const entries = [
      entry(1),
      entry(2, { clock: { now: '2026-01-01T00:00:00.000Z', frozen: true }, ops: [] }),
      entry(3, { ops: [{ collection: 'account', id: 'account', row: { saved_version: {} } }] }),
    ]
    expect(read(textOf(...entries))).toEqual(entries.map((made, at) => ({ line: at + 1, entry: made })))
  })
})

describe('readJournal', () => {
  it('nothing -> no entries', () => {
    expect(read('')).toEqual([])
  })

  it('cut off anywhere -> the entries that are whole, and no complaint', () => {
    const whole = Buffer.from(textOf(entry(1), entry(2), entry(3)))
    const ends = [...whole.keys()].filter((at) => whole[at] === 0x0a)
    for (let length = 0; length <= whole.length; length++) {
      const kept = ends.filter((end) => end < length).length
      expect(seqs(readJournal(whole.subarray(0, length)))).toEqual([1, 2, 3].slice(0, kept))
    }
  })

  it.each([
    ['zeros', '\0'.repeat(40)],
    ['half a line', 'deadbeef {"seq":'],
    ['a line that is not as it was written', 'deadbeef {"seq":4}\n'],
    ['no checksum', '{"seq":4,"kept":3,"ids":4,"ops":[]}\n'],
    ['an empty line', '\n'],
  ])('%s at the end -> left out', (_what, end) => {
    expect(seqs(read(textOf(entry(1), entry(2), entry(3)) + end))).toEqual([1, 2, 3])
  })

  it('a bad last line -> left out: nobody was told that it was kept', () => {
    expect(seqs(read(spoilt(textOf(entry(1), entry(2), entry(3)), 3)))).toEqual([1, 2])
  })

  it('a bad line before the last -> refused, with line and offset', () => {
    const text = textOf(entry(1), entry(2), entry(3))
    const offset = text.split('\n')[0]?.length ?? 0
    expect(refusalOf(() => read(spoilt(text, 2)))).toEqual([
      `is damaged at byte ${Buffer.byteLength(text.slice(0, offset)) + 1}`,
      2,
      [1],
    ])
  })

  it('a bad first line -> refused', () => {
    expect(refusalOf(() => read(spoilt(textOf(entry(1), entry(2)), 1)))).toEqual([
      'is damaged at byte 0',
      1,
      [],
    ])
  })

  it('a bad line among the last that were written together -> left out with those after it', () => {
    const together = [entry(2, { kept: 1 }), entry(3, { kept: 1 }), entry(4, { kept: 1 })]
    expect(seqs(read(spoilt(textOf(entry(1), ...together), 2)))).toEqual([1])
    expect(seqs(read(spoilt(textOf(entry(1), ...together), 3)))).toEqual([1, 2])
    // Once another save has followed, all of them were kept.
    expect(refusalOf(() => read(spoilt(textOf(entry(1), ...together, entry(5)), 3)))).toEqual([
      expect.stringMatching(/^is damaged at byte \d+$/),
      3,
      [1, 2],
    ])
  })

  it('any byte changed in any line -> never another entry than was written', () => {
    const text = Buffer.from(textOf(entry(1), entry(2), entry(3)))
    const written = readJournal(text).map((line) => JSON.stringify(line.entry))
    const change = fc.record({ at: fc.nat(text.length - 1), to: fc.nat(255) })
    fc.assert(
      fc.property(change, ({ at, to }) => {
        const changed = Buffer.from(text)
        changed[at] = to
        let found: readonly JournalLine[]
        try {
          found = readJournal(changed)
        } catch (error) {
          if (!(error instanceof JournalError)) throw error
          found = error.before
        }
        expect(written.slice(0, found.length)).toEqual(found.map((line) => JSON.stringify(line.entry)))
      }),
      { numRuns: 500 },
    )
  })
})

describe('entriesAfter', () => {
  const lines = read(textOf(entry(4), entry(5), entry(6)))

  it.each([
    [3, [4, 5, 6]],
    [4, [5, 6]],
    [6, []],
    [9, []],
  ])('a snapshot of write %j -> %j are left', (seq, left) => {
    expect(seqs(entriesAfter(lines, seq))).toEqual(left)
  })

  it('a snapshot that is older than the journal -> refused: writes are missing', () => {
    expect(refusalOf(() => entriesAfter(lines, 2))).toEqual([
      'goes on at write 4, but write 3 comes next',
      1,
      [],
    ])
  })

  it('a hole in the journal -> refused, with what stands before', () => {
    const holed = read(textOf(entry(4), entry(5), entry(7)))
    expect(refusalOf(() => entriesAfter(holed, 3))).toEqual([
      'goes on at write 7, but write 6 comes next',
      3,
      [4, 5],
    ])
    expect(seqs(entriesAfter(holed, 6))).toEqual([7])
  })
})
