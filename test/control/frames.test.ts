import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Frames } from '../../src/control/frames.ts'
import { eventsIn, type StreamEvent } from '../helpers/event-stream.ts'

/** Everything that waits, as a reader that takes all of it would get it. */
function drain(frames: Frames): StreamEvent[] {
  const found: StreamEvent[] = []
  for (let text = frames.next(); text !== undefined; text = frames.next()) {
    found.push(...eventsIn(text))
    frames.taken()
  }
  return found
}

const text = (entry: unknown) => () => JSON.stringify(entry)
const row = (id: string) => ({ collection: 'rewards' as const, id })

/** An entry of nearly a quarter of what may wait. */
const quarter = (name: string) => text(name.padEnd(60_000, '.'))

describe('what waits for a reader', () => {
  it('nothing -> no frame', () => {
    expect(drain(new Frames())).toEqual([])
  })

  it('calls -> one frame, with the number of the last', () => {
    const frames = new Frames()
    frames.call(2, text('a'))
    frames.call(4, text('b'))
    expect(drain(frames)).toEqual([{ id: 4, event: 'request', data: { requests: ['a', 'b'] } }])
  })

  it('rows that change between calls -> one frame, each row once; ids rise all the same', () => {
    const frames = new Frames()
    frames.call(2, text('a'))
    frames.changed(4, [row('rwd_1'), row('rwd_2')])
    frames.call(6, text('b'))
    frames.changed(8, [row('rwd_1')])
    expect(drain(frames)).toEqual([
      { id: 6, event: 'request', data: { requests: ['a', 'b'] } },
      { id: 7, event: 'change', data: { changes: [row('rwd_1'), row('rwd_2')] } },
    ])
  })

  it('a frame of rows that leaves before calls has a number before theirs, whatever joined it', () => {
    const frames = new Frames()
    frames.changed(2, [row('rwd_1')])
    frames.call(4, text('a'))
    frames.changed(6, [row('rwd_2')])
    expect(drain(frames).map(({ id, event }) => [id, event])).toEqual([
      [2, 'change'],
      [4, 'request'],
    ])
  })

  it('a reset parts what came before from what came after', () => {
    const frames = new Frames()
    frames.call(2, text('a'))
    frames.changed(4, [row('rwd_1')])
    frames.reset(6)
    frames.changed(8, [row('rwd_1')])
    frames.call(10, text('b'))
    expect(drain(frames)).toEqual([
      { id: 2, event: 'request', data: { requests: ['a'] } },
      { id: 4, event: 'change', data: { changes: [row('rwd_1')] } },
      { id: 6, event: 'reset', data: {} },
      { id: 8, event: 'change', data: { changes: [row('rwd_1')] } },
      { id: 10, event: 'request', data: { requests: ['b'] } },
    ])
  })

  it('more than 256 kB wait -> counted in their place, and what fits later is told again', () => {
    const frames = new Frames()
    for (const number of [2, 4, 6, 8, 10, 12]) frames.call(number, quarter(`c${number}`))
    const first = eventsIn(frames.next() ?? '')[0]
    expect([first?.id, first?.data.requests.length]).toEqual([8, 4])
    // It is given and not taken: there is still no room.
    frames.call(14, quarter('c14'))
    frames.taken()
    frames.call(16, quarter('c16'))
    expect(
      drain(frames).map(({ id, event, data }) => [id, event, data.count ?? data.requests.length]),
    ).toEqual([
      [14, 'dropped', 3],
      [16, 'request', 1],
    ])
  })

  it('once one is refused, nobody makes the text of the next for nothing', () => {
    const frames = new Frames()
    for (const number of [2, 4, 6, 8, 10]) frames.call(number, quarter('c'))
    let made = 0
    frames.call(12, () => String((made += 1)))
    expect(made).toBe(0)
  })

  it('rows for which there is no room are left out', () => {
    const frames = new Frames()
    for (const number of [2, 4, 6, 8]) frames.call(number, quarter('c'))
    const rows = Array.from({ length: 1_000 }, (_, place) => row(`rwd_${place}`))
    frames.changed(10, rows)
    const reported = drain(frames).find(({ event }) => event === 'change')?.data.changes.length ?? 0
    expect(reported).toBeGreaterThan(0)
    expect(reported).toBeLessThan(1_000)
  })

  it('a reader that never takes anything -> no more frames, however many resets there are', () => {
    const frames = new Frames()
    let number = 0
    for (let round = 0; round < 20_000; round++) {
      frames.call((number += 2), quarter('c'))
      frames.reset((number += 2))
    }
    const reported = drain(frames)
    expect(reported.length).toBeLessThan(5_000)
    const counts = reported.map(({ data }) => data.count ?? data.requests?.length ?? 0)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20_000)
    expect(reported.at(-1)).toEqual({ id: number, event: 'reset', data: {} })
  })

  it('any interleaving: every call is told or counted, in order, on its side of each reset, and ids rise', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ call: fc.integer({ min: 1, max: 120_000 }) }) },
      fc.record({ changed: fc.integer({ min: 1, max: 3 }) }),
      fc.constant({ reset: true as const }),
      { weight: 2, arbitrary: fc.constant({ next: true as const }) },
      { weight: 2, arbitrary: fc.constant({ taken: true as const }) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const frames = new Frames()
        const reported: StreamEvent[] = []
        /** The events: the numbers of calls, and of resets. */
        const happened: { call?: number; reset?: number }[] = []
        let number = 0
        for (const one of steps) {
          if ('next' in one) reported.push(...eventsIn(frames.next() ?? ''))
          else if ('taken' in one) frames.taken()
          else {
            number += 2
            if ('call' in one) {
              happened.push({ call: number })
              frames.call(number, text({ number, pad: ''.padEnd(one.call) }))
            } else if ('reset' in one) {
              happened.push({ reset: number })
              frames.reset(number)
            } else frames.changed(number, [row(`rwd_${one.changed}`)])
          }
        }
        reported.push(...drain(frames))
        let at = 0
        let last = 0
        for (const { id = 0, event, data } of reported) {
          expect(id).toBeGreaterThan(last)
          last = id
          for (const { number: called } of data.requests ?? [])
            expect(happened[at++]).toEqual({ call: called })
          for (let count = 0; count < (data.count ?? 0); count++) {
            // A reset that is reported as part of a later one.
            while (happened[at]?.reset !== undefined) at += 1
            expect(happened[at++]).toHaveProperty('call')
          }
          if (event === 'reset') {
            while (happened[at]?.reset !== id) expect(happened[at++]).toHaveProperty('reset')
            at += 1
          }
          // A reader that resumes after this id has missed no call.
          const missed = happened.slice(at).find(({ call }) => call !== undefined && call <= id)
          expect(missed).toBeUndefined()
        }
        expect(at).toBe(happened.length)
      }),
    )
  })
})
