import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  entriesAfter,
  headerOf,
  JournalError,
  lineOf,
  readJournal,
  type Entry,
  type Journal,
  type JournalLine,
} from '../../../src/storage/file/journal-lines.ts'
import { deltaSchema } from '../../../src/storage/delta.ts'
import { checksum } from '../../../src/storage/file/checksum.ts'
import { samples } from '../../setup/samples.ts'

/** An entry of one commit. */
const entry = (seq: number, delta: object = {}): Entry => ({
  seq,
  kept: seq - 1,
  delta: deltaSchema.parse({
    at: seq,
    state: { ids: seq, put: { rewards: [{ id: `rwd_${seq}`, note: 'Zürich 🎉\n"' }] } },
    ...delta,
  }),
})

const name = 'journal-1'
const textOf = (...entries: Entry[]): string => headerOf(name) + entries.map(lineOf).join('')
const journalOf = (text: string): Journal => readJournal(Buffer.from(text))

/** The lines of a journal. @throws {JournalError} for its damage. */
function read(text: string | Uint8Array): JournalLine[] {
  const { lines, damage } = readJournal(Buffer.from(text))
  if (damage) throw damage
  return lines
}

const seqs = (lines: readonly JournalLine[]): number[] => lines.map((line) => line.entry.seq)

/** The problem of a journal, and the commits before it. */
function refusalOf(attempt: () => unknown): [message: string, line: number | undefined, before: number[]] {
  try {
    attempt()
  } catch (error) {
    if (error instanceof JournalError) return [error.message, error.line, seqs(error.before)]
    throw error
  }
  throw new Error('it was accepted')
}

/** The text with one character of a line changed; the first is its name. */
function spoilt(text: string, line: number): string {
  const lines = text.split('\n')
  lines[line - 1] = (lines[line - 1] ?? '').replace('rewards', 'rewardz')
  return lines.join('\n')
}

describe('lineOf', () => {
  it('a checksum, a space, JSON and the end of the line', () => {
    const deletion = entry(7, { state: { ids: 7, gone: { order_events: ['ord_1'] } } })
    expect(lineOf(deletion)).toBe(
      '983c5be1 {"seq":7,"kept":6,"delta":{"at":7,"state":{"ids":7,"gone":{"order_events":["ord_1"]}}}}\n',
    )
  })

  it('what is read is what was written', () => {
    const entries = [
      entry(1),
      entry(2, { state: undefined, clock: { offset: 5, frozenAt: 7, set: true } }),
      { ...entry(5, { state: { ids: 3, account: { saved_version: {} } } }), kept: 2 },
    ]
    const text = textOf(...entries)
    const offsets = entries.map((made) => Buffer.from(text).indexOf(lineOf(made)))
    expect(journalOf(text)).toEqual({
      name,
      lines: entries.map((made, at) => ({
        line: at + 2,
        offset: offsets[at],
        entry: made,
        first: made.kept + 1,
      })),
      isUnfinished: false,
      damage: undefined,
    })
  })
})

describe('an entry of an earlier version', () => {
  const lineOfEarlier = (json: string): string => `${checksum(json)} ${json}\n`
  const put = (id: string): object => ({ collection: 'rewards', id, row: { id } })
  const earlier = (seq: number, kept: number, more: object): string =>
    lineOfEarlier(JSON.stringify({ seq, kept, ids: seq, ...more }))
  const clock = { now: '2026-01-01T00:00:00.000Z', frozen: true }
  const at = Date.parse(clock.now)

  it.each([
    [
      'rows, the last operation of each',
      { ops: [put('rwd_1'), put('rwd_2'), { collection: 'rewards', id: 'rwd_1' }, put('rwd_3')] },
      {
        at: 0,
        clock: { offset: 0 },
        state: { ids: 4, put: { rewards: [{ id: 'rwd_2' }, { id: 'rwd_3' }] }, gone: { rewards: ['rwd_1'] } },
      },
    ],
    [
      'a row that came back',
      { ops: [{ collection: 'rewards', id: 'rwd_1' }, put('rwd_1')] },
      { at: 0, clock: { offset: 0 }, state: { ids: 4, put: { rewards: [{ id: 'rwd_1' }] }, gone: {} } },
    ],
    [
      'the account and a clock',
      { ops: [{ collection: 'account', id: 'account', row: { saved_version: {} } }], clock },
      {
        at,
        clock: { offset: 0, set: true, frozenAt: at },
        state: { ids: 4, account: { saved_version: {} }, put: {}, gone: {} },
      },
    ],
  ])('%s -> the same changes as a delta', (_what, parts, delta) => {
    const [line] = read(headerOf(name) + earlier(4, 3, parts))
    expect(line?.entry).toEqual({ seq: 4, kept: 3, delta })
  })

  it('one that is missing within a group -> refused', () => {
    const group = [4, 5, 6].map((seq) => earlier(seq, 3, { ops: [] }))
    expect(seqs(entriesAfter(read(headerOf(name) + group.join('')), 3))).toEqual([4, 5, 6])
    const [, ...holed] = group
    expect(() => entriesAfter(read(headerOf(name) + holed.join('')), 3)).toThrow(
      'with commit 5, but commit 4',
    )
  })
})

describe('readJournal', () => {
  it('nothing -> no entries', () => {
    const nothing = { name: undefined, lines: [], isUnfinished: false, damage: undefined }
    expect(journalOf('')).toEqual(nothing)
    expect(journalOf(textOf())).toEqual({ ...nothing, name })
  })

  it('without a name, as of version 0.1.0 -> its entries', () => {
    expect(journalOf(lineOf(entry(1)))).toMatchObject({ name: undefined, lines: [{ line: 1, offset: 0 }] })
  })

  it('cut off anywhere -> the entries that are whole, and no complaint', () => {
    const whole = Buffer.from(textOf(entry(1), entry(2), entry(3)))
    const ends = [...whole.keys()].filter((at) => whole[at] === 0x0a)
    for (let length = 0; length <= whole.length; length++) {
      const found = readJournal(whole.subarray(0, length))
      // A line that lacks nothing but its end is whole.
      const kept = ends.slice(1).filter((end) => end <= length).length
      expect([seqs(found.lines), found.damage]).toEqual([[1, 2, 3].slice(0, kept), undefined])
      const isWhole = [0, ...ends.flatMap((end) => [end, end + 1])].includes(length)
      expect(found.isUnfinished).toBe(!isWhole)
    }
  })

  const three = textOf(entry(1), entry(2), entry(3))
  /** The bytes between the end of the three and the end of the next sector. */
  const gap = 2048 - Buffer.byteLength(three)

  it.each([
    ['zeros', '\0'.repeat(40)],
    ['half a line', 'deadbeef {"seq":'],
    ['zeros up to the end of a sector, and the rest of the lines', `${'\0'.repeat(gap)}"ops":[]}\n`],
    [
      'a line with a sector that never was written',
      `${'x'.repeat(gap)}${'\0'.repeat(512)}"ops":[]}\ndeadbeef {"seq":`,
    ],
  ])('%s at the end -> left out, as a stopped machine leaves it', (_what, end) => {
    const found = journalOf(three + end)
    expect([seqs(found.lines), found.isUnfinished, found.damage]).toEqual([[1, 2, 3], true, undefined])
  })

  it.each([
    ['a line that is not as it was written', 'deadbeef {"seq":4}\n'],
    ['no checksum', '{"seq":4,"kept":3,"ids":4,"ops":[]}\n'],
    ['an empty line', '\n'],
    ['another name', headerOf('journal-2')],
    ['a line with some zeros', 'deadbeef {\0\0\0\0}\n'],
    ['zeros that end with a line', `${'\0'.repeat(40)}\n`],
  ])('%s at the end -> refused', (_what, end) => {
    const message = `is damaged at byte ${Buffer.byteLength(three)}: the checksum of the line is wrong`
    expect(refusalOf(() => read(three + end))).toEqual([message, 5, [1, 2, 3]])
  })

  it.each([2, 3, 4])('line %j is not as it was written -> refused, with line and offset', (line) => {
    const offset =
      Buffer.byteLength(
        three
          .split('\n')
          .slice(0, line - 1)
          .join('\n'),
      ) + 1
    const message = `is damaged at byte ${offset}: the checksum of the line is wrong`
    expect(refusalOf(() => read(spoilt(three, line)))).toEqual([message, line, [1, 2, 3].slice(0, line - 2)])
  })

  it('a sector that never was written, before what was kept for certain -> refused', () => {
    const hole = `${'\0'.repeat(gap)}"ops":[]}\n`
    // Written together with the next entries: none of it was acknowledged.
    const together = three + hole + lineOf({ ...entry(5), kept: 3 })
    expect(seqs(read(together))).toEqual([1, 2, 3])
    expect(refusalOf(() => read(together + lineOf(entry(6))))).toEqual([
      expect.stringMatching(/^is damaged at byte \d+/),
      5,
      [1, 2, 3],
    ])
  })

  it('any byte changed in any line -> never another entry than was written', () => {
    const text = Buffer.from(textOf(entry(1), entry(2), entry(3)))
    const written = read(text).map((line) => JSON.stringify(line.entry))
    const change = fc.record({ at: fc.nat(text.length - 1), to: fc.nat(255) })
    fc.assert(
      fc.property(change, ({ at, to }) => {
        const changed = Buffer.from(text)
        changed[at] = to
        const found = readJournal(changed).lines
        expect(written.slice(0, found.length)).toEqual(found.map((line) => JSON.stringify(line.entry)))
      }),
      { numRuns: samples(500) },
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
  ])('a snapshot of commit %j -> %j are left', (seq, left) => {
    expect(seqs(entriesAfter(lines, seq))).toEqual(left)
  })

  it('a snapshot that is older than the journal -> refused: commits are missing', () => {
    expect(refusalOf(() => entriesAfter(lines, 2))).toEqual([
      expect.stringMatching(/^continues at byte \d+ with commit 4, but commit 3 comes next$/),
      2,
      [],
    ])
  })

  it('a hole in the journal -> refused, with what stands before', () => {
    const holed = read(textOf(entry(4), entry(5), entry(7)))
    expect(refusalOf(() => entriesAfter(holed, 3))).toEqual([
      expect.stringMatching(/^continues at byte \d+ with commit 7, but commit 6 comes next$/),
      4,
      [4, 5],
    ])
    expect(seqs(entriesAfter(holed, 6))).toEqual([7])
  })
})
