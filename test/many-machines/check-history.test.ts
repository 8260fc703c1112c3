import { describe, expect, test } from 'vitest'
import { checkHistory } from './check-history.ts'
import type { Cut, Model, Operation } from './history.ts'
import { isLinearizable } from './linearize.ts'
import { numberModel, numberRequest, type NumberRequest, type NumberState } from './number-model.ts'
import { Random } from './random.ts'
import { samples } from '../setup/samples.ts'

type Call = Operation<NumberRequest>

/** Reads as `read 1..4 -> 0 @0`: the interval, the answer, and the version; `?` if it is unknown. */
function call(text: string): Call {
  const [, kind, to, started, ended, answer, version] =
    /^(\w+)(?: (\d+))? (\d+)\.\.(\d+|\?) -> (\w+|\?)(?: @(\d+))?$/.exec(text) ?? []
  const request: NumberRequest =
    kind === 'set' ? { kind, to: Number(to) } : { kind: kind as 'read' | 'add' | 'count' }
  const isKnown = answer !== '?'
  return {
    client: 0,
    replica: 0,
    started: Number(started),
    ended: isKnown ? Number(ended) : Infinity,
    request,
    answer: isKnown ? answer : undefined,
    version: version === undefined ? undefined : Number(version),
  }
}

const check = (calls: readonly string[], cuts: readonly Cut[] = []) =>
  checkHistory(numberModel, { operations: calls.map(call), cuts })

describe('what one machine could have answered', () => {
  const rows: [string, string[]][] = [
    ['nothing', []],
    ['reads of what every workspace begins with', ['read 1..2 -> 0 @0', 'read 1..3 -> 0 @0']],
    ['a write, and a read after it', ['set 2 1..2 -> ok @1', 'read 3..4 -> 2 @1']],
    ['a read that began before the write ended', ['set 2 1..4 -> ok @1', 'read 2..3 -> 0 @0']],
    ['two writes at the same time, in either order', ['add 1..4 -> 2 @2', 'add 2..3 -> 1 @1']],
    ['counted reads, which make versions', ['count 1..2 -> refused @1', 'count 3..4 -> refused @2']],
    ['an unknown outcome that was carried out', ['set 2 1..? -> ?', 'read 3..4 -> 2 @1']],
    ['an unknown outcome that was not', ['set 2 1..? -> ?', 'read 3..4 -> 0 @0']],
    [
      'an unknown outcome that is carried out late',
      ['set 2 1..? -> ?', 'add 3..4 -> 1 @1', 'read 5..6 -> 2 @2'],
    ],
    [
      'one of two unknown outcomes, which only a later answer tells apart',
      ['add 1..? -> ?', 'set 2 1..? -> ?', 'set 1 2..3 -> ok @2', 'add 4..5 -> 2 @3', 'read 1..9 -> 2 @1'],
    ],
  ]
  test.each(rows)('%s', async (_name, calls) => {
    expect((await check(calls)).violation).toBeUndefined()
  })

  test('says how many unknown outcomes were carried out', async () => {
    expect(await check(['set 2 1..? -> ?', 'add 1..? -> ?', 'read 3..4 -> 2 @1'])).toMatchObject({
      carriedOut: 1,
      histories: 1,
      lost: 0,
      decided: true,
    })
  })
})

describe('what no machine answers', () => {
  const rows: [string, string[], string][] = [
    ['a stale read', ['set 2 1..2 -> ok @1', 'read 3..4 -> 0 @0'], 'had ended before another call began'],
    [
      'another value than the version has',
      ['set 2 1..2 -> ok @1', 'read 3..4 -> 1 @1'],
      'one machine answers 2',
    ],
    ['a version that two writes made', ['set 2 1..2 -> ok @1', 'set 1 1..3 -> ok @1'], 'makes a version'],
    [
      'a version that two counted reads made',
      ['count 1..2 -> refused @1', 'count 1..3 -> refused @1'],
      'makes a',
    ],
    ['a gap', ['set 2 1..2 -> ok @2'], 'no call made version 1'],
    ['a version that nobody made', ['read 1..2 -> 0 @1'], 'writes nothing'],
    [
      'a lost count',
      ['count 1..2 -> refused @1', 'count 3..4 -> refused @2', 'count 5..6 -> refused @3'],
      'served',
    ],
    ['a write that stands before one that had ended', ['add 1..2 -> 2 @2', 'add 3..4 -> 1 @1'], 'had ended'],
    [
      'a read of a write that had not begun',
      ['read 1..2 -> 2 @1', 'set 2 3..4 -> ok @1'],
      'had ended before',
    ],
    [
      'an unknown outcome that was carried out before it began',
      ['read 1..2 -> 2 @1', 'set 2 3..? -> ?'],
      'had ended',
    ],
    ['an unknown outcome twice', ['add 1..? -> ?', 'read 3..4 -> 2 @2'], 'one machine answers 1'],
    ['an answer without a version', ['read 1..2 -> 0'], 'has no version'],
  ]
  test.each(rows)('%s', async (_name, calls, reason) => {
    const { violation } = await check(calls)
    expect(violation?.why.join('\n')).toContain(reason)
  })
})

describe('a log that ends and another that begins', () => {
  const cut = (from: number, to: number, head: number): Cut => ({ from, to, head })
  const rows: [string, string[], Cut[], number][] = [
    ['anew', ['set 2 1..2 -> ok @1', 'read 7..8 -> 0 @0', 'add 9..10 -> 1 @1'], [cut(5, 6, 0)], 1],
    [
      'with the first of its versions',
      ['set 2 1..2 -> ok @1', 'add 3..4 -> 3 @2', 'read 7..8 -> 2 @1', 'add 9..10 -> 3 @2'],
      [cut(5, 6, 1)],
      1,
    ],
    ['with all of its versions', ['set 2 1..2 -> ok @1', 'read 7..8 -> 2 @1'], [cut(5, 6, 1)], 0],
    ['under a call that saw the one before', ['add 1..2 -> 1 @1', 'read 4..7 -> 1 @1'], [cut(5, 6, 0)], 1],
    ['under a call that saw the one after', ['add 1..2 -> 1 @1', 'read 4..7 -> 0 @0'], [cut(5, 6, 0)], 1],
    [
      'under a write to either',
      ['add 1..2 -> 1 @1', 'add 4..7 -> 2 @2', 'add 4..8 -> 1 @1', 'set 0 9..10 -> ok @2'],
      [cut(5, 6, 0)],
      2,
    ],
    [
      'under a write that both carried out',
      ['add 1..2 -> 1 @1', 'add 3..9 -> 1 @1', 'read 3..4 -> 2 @2'],
      [cut(5, 6, 0)],
      1,
    ],
    [
      'under a write that two of them had, and the third has again',
      [
        'read 1..2 -> 0 @0',
        'add 3..30 -> 1 @1',
        'read 11..12 -> 1 @1',
        'read 25..26 -> 1 @1',
        'read 21..22 -> 0 @0',
      ],
      [cut(5, 6, 1), cut(15, 16, 0)],
      0,
    ],
    [
      'under a read of the one after, that would leave no time for a write to the one before',
      ['set 2 1..4 -> ok @1', 'read 5..8 -> 0 @0', 'add 9..10 -> 1 @1'],
      [cut(3, 7, 0)],
      1,
    ],
    [
      'twice',
      ['add 1..2 -> 1 @1', 'add 7..8 -> 1 @1', 'add 13..14 -> 2 @2'],
      [cut(5, 6, 0), cut(11, 12, 1)],
      1,
    ],
    [
      'and what is unknown is carried out in it',
      ['set 2 1..? -> ?', 'add 2..3 -> 1 @1', 'read 7..8 -> 2 @1'],
      [cut(5, 6, 0)],
      1,
    ],
  ]
  test.each(rows)('%s', async (_name, calls, cuts, lost) => {
    expect(await check(calls, cuts)).toMatchObject({ violation: undefined, lost, histories: cuts.length + 1 })
  })

  const mixed: [string, string[], Cut[], string][] = [
    [
      'the old value after it',
      ['set 2 1..2 -> ok @1', 'read 7..8 -> 2 @1'],
      [cut(5, 6, 0)],
      'one machine answers 0',
    ],
    [
      'a version of before its beginning',
      ['set 2 1..2 -> ok @1', 'read 7..8 -> 0 @0'],
      [cut(5, 6, 1)],
      'is from before',
    ],
    [
      'going on from what was lost',
      ['add 1..2 -> 1 @1', 'add 7..8 -> 2 @1'],
      [cut(5, 6, 0)],
      'one machine answers 1',
    ],
    [
      'an answer of neither',
      ['add 1..2 -> 1 @1', 'read 4..7 -> 2 @1'],
      [cut(5, 6, 0)],
      'one machine answers 0',
    ],
  ]
  test.each(mixed)('refuses %s', async (_name, calls, cuts, reason) => {
    const { violation } = await check(calls, cuts)
    expect(violation?.why.join('\n')).toContain(reason)
  })
})

/** Answers carry their versions, so that a search that knows no versions decides the same question. */
const versioned: Model<NumberRequest, { of: NumberState; version: number }> = {
  beginning: { of: numberModel.beginning, version: 0 },
  firstVersion: 0,
  async apply({ of, version }, request) {
    const { state, answer, changed } = await numberModel.apply(of, request)
    const after = changed ? version + 1 : version
    return { state: { of: state, version: after }, answer: `${answer} @${after}`, changed }
  },
  mayWrite: numberModel.mayWrite,
  show: numberModel.show,
}

/** At most 12 calls of up to 4 clients, which a machine carries out in some order; then perhaps something is changed. */
async function randomHistory(random: Random): Promise<Call[]> {
  const clients = 1 + random.below(4)
  let now = 0
  let state = versioned.beginning
  const done: Call[] = []
  const open: (Omit<Call, 'ended'> | undefined)[] = Array.from({ length: clients })
  const count = 2 + random.below(11)
  for (let made = 0; made < count || open.some(Boolean);) {
    const client = random.below(clients)
    const current = open[client]
    if (!current) {
      if (made >= count) continue
      made += 1
      const request = numberRequest(random)
      open[client] = { client, replica: 0, started: now++, request, answer: undefined, version: undefined }
    } else if (current.answer === undefined && random.chance(0.6)) {
      const step = await versioned.apply(state, current.request)
      state = step.state
      const [answer] = step.answer.split(' ')
      open[client] = { ...current, answer, version: state.version }
    } else if (current.answer !== undefined || random.chance(0.1)) {
      open[client] = undefined
      const isKnown = current.answer !== undefined && !random.chance(0.1)
      const ended = isKnown ? now++ : Infinity
      done.push({
        ...current,
        ended,
        answer: isKnown ? current.answer : undefined,
        version: isKnown ? current.version : undefined,
      })
    }
  }
  const known = done.flatMap(({ answer }, place) => (answer === undefined ? [] : [place]))
  if (known.length < 2 || random.chance(0.3)) return done
  const [one, other] = [random.pick(known), random.pick(known)]
  const [first, second] = [done[one], done[other]]
  if (!first || !second) return done
  const damage = random.below(4)
  if (damage === 0)
    done[one] = { ...first, version: Math.max(0, (first.version ?? 0) + random.pick([-1, 1])) }
  if (damage === 1) done[one] = { ...first, answer: second.answer }
  if (damage === 2) {
    done[one] = { ...first, answer: second.answer, version: second.version }
    done[other] = { ...second, answer: first.answer, version: first.version }
  }
  if (damage === 3) {
    done[one] = { ...first, started: second.started, ended: second.ended }
    done[other] = { ...second, started: first.started, ended: first.ended }
  }
  return done
}

test('agrees with a search through all orders, on up to 3,000 short histories', async () => {
  const random = new Random(1)
  const counts = { linearizable: 0, not: 0 }
  for (let made = 0; made < samples(3_000); made++) {
    const operations = await randomHistory(random)
    const { violation } = await checkHistory(numberModel, { operations, cuts: [] })
    const withVersions = operations.map((one) => ({
      ...one,
      answer: one.answer === undefined ? undefined : `${one.answer} @${one.version}`,
    }))
    const found = await isLinearizable(versioned, withVersions, (state) => JSON.stringify(state))
    const shown = { history: operations, violation }
    expect({ ...shown, linearizable: violation === undefined }).toEqual({ ...shown, linearizable: found })
    counts[found ? 'linearizable' : 'not'] += 1
  }
  // Both kinds are there in numbers, or the two agree on little.
  expect(Math.min(counts.linearizable, counts.not)).toBeGreaterThan(samples(800))
})
