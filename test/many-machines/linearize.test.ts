import { describe, expect, it } from 'vitest'
import type { Answered, Operation } from './history.ts'
import { findViolation } from './linearize.ts'
import { numberModel, settle, written, type NumberRequest } from './number-model.ts'
import { Random } from './random.ts'

type Call = Operation<NumberRequest>

const write = (started: number, ended: number, to: number, answer: string | undefined = written): Call => ({
  started,
  ended,
  request: { kind: 'write', to },
  answer,
})
const lost = (started: number, ended: number, to: number): Call => ({
  ...write(started, ended, to),
  answer: undefined,
})
const read = (started: number, ended: number, answer: number): Call => ({
  started,
  ended,
  request: { kind: 'read' },
  answer: String(answer),
})
const hasOrder = (calls: readonly Call[]): boolean => !findViolation(numberModel(0), settle(calls))

describe('histories', () => {
  it.each<[string, boolean, Call[]]>([
    ['no calls', true, []],
    ['one call after the other', true, [write(1, 2, 5), read(3, 4, 5)]],
    ['a read during a write sees the number before', true, [write(1, 4, 5), read(2, 3, 0)]],
    ['a read during a write sees the number after', true, [write(1, 4, 5), read(2, 3, 5)]],
    ['a stale read', false, [write(1, 2, 5), read(3, 4, 0)]],
    ['a read of a number that no client wrote', false, [write(1, 2, 5), read(3, 4, 6)]],
    ['a lost write', false, [write(1, 2, 5), write(3, 4, 6), read(5, 6, 5)]],
    ['two reads that see two writes in turn', false, [write(1, 9, 5), read(2, 3, 5), read(4, 5, 0)]],
    ['two writes that overlap, in either order', true, [write(1, 4, 5), write(2, 3, 6), read(5, 6, 5)]],
    ['a write of unknown outcome that no client saw', true, [lost(1, 2, 5), read(3, 4, 0)]],
    [
      'a write of unknown outcome that a client saw late',
      true,
      [lost(1, 2, 5), read(3, 4, 0), read(5, 6, 5)],
    ],
    ['a write of unknown outcome that was undone', false, [lost(1, 2, 5), read(3, 4, 5), read(5, 6, 0)]],
    ['a read of a write that had not begun', false, [read(1, 2, 5), lost(3, 4, 5)]],
  ])('%s: %s', (_what, expected, calls) => {
    expect(hasOrder(calls)).toBe(expected)
  })

  it('generated ones of one machine have an order, and with a stale read they have none', () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const calls = generated(new Random(seed))
      expect([seed, findViolation(numberModel(0), calls)]).toEqual([seed, undefined])
      const last = Math.max(...calls.map(({ ended }) => ended))
      const stale = [...settle([write(last + 1, last + 2, -1), read(last + 3, last + 4, 0)])]
      expect(findViolation(numberModel(0), [...calls, ...stale])?.around).toEqual([stale[1]])
    }
  })
})

/** Calls of six clients to one machine, each of which takes effect at an instant between its start and its end. */
function generated(random: Random): Answered<NumberRequest>[] {
  const instants = Array.from({ length: 400 }, (_, at) => at * 10)
  const free = Array.from({ length: 6 }, () => -Infinity)
  let number = 0
  return instants.flatMap((at) => {
    const client = free.findIndex((from) => from < at)
    if (client < 0) return []
    const started = Math.max((free[client] ?? 0) + 1, at - random.below(60))
    const ended = at + random.below(60)
    free[client] = ended
    if (random.chance(0.5)) return [{ ...read(started, ended, number), answer: String(number) }]
    number = at + 1
    return [{ ...write(started, ended, number), answer: written }]
  })
}
