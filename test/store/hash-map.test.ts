import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HashMap, hashOf } from '../../src/store/hash-map.ts'
import { samples } from '../setup/samples.ts'

interface Value {
  readonly id: string
}

const valueOf = (id: string): Value => ({ id })
const keyOf = ({ id }: Value): string => id
const byId = (a: Value, b: Value): number => (a.id < b.id ? -1 : 1)

/** Hashes by how much of them is alike: of no keys, of many, of all but a few bits, of all. */
const hashes: [string, (key: string) => number][] = [
  ['its own', hashOf],
  ['one of 7', (key) => hashOf(key) % 7],
  ['one of 7 that differ in their last bits only', (key) => (hashOf(key) % 7) << 27],
  ['that of every key', () => 0],
  ['that of every key, all bits set', () => 2 ** 30 - 1],
  ['that of all keys but some', (key) => (key.endsWith('3') ? hashOf(key) : 5)],
]

const filled = (hash: (key: string) => number, ids: readonly string[]): HashMap<Value> => {
  const map = new HashMap(keyOf, hash)
  for (const id of ids) map.set(id, valueOf(id))
  return map
}

const idsUpTo = (count: number): string[] => Array.from({ length: count }, (_, at) => `r${at}`)

describe.each(hashes)('a map whose keys have as their hash %s', (_, hash) => {
  test('any writes to it and its forks -> each is like a map of its own, and differs by what was written', () => {
    const write = fc.record({
      at: fc.nat(5),
      fork: fc.nat(9).map((chance) => chance === 0),
      id: fc.nat(400).map((number) => `r${number}`),
      set: fc.nat(2).map((chance) => chance > 0),
    })
    fc.assert(
      fc.property(fc.nat(300), fc.array(write, { maxLength: 200, size: 'max' }), (count, writes) => {
        const first = filled(hash, idsUpTo(count))
        const forks = [{ map: first, model: new Map(first.values().map((value) => [value.id, value])) }]
        for (const { at, fork, id, set } of writes) {
          const chosen = forks[at % forks.length]
          if (!chosen) continue
          const { map, model } = chosen
          if (fork) forks.push({ map: map.fork(), model: new Map(model) })
          const before = model.get(id)
          if (set) {
            const value = valueOf(id)
            expect(map.set(id, value)).toBe(before)
            model.set(id, value)
          } else {
            expect(map.delete(id)).toBe(before)
            model.delete(id)
          }
          expect(map.get(id)).toBe(model.get(id))
        }
        for (const { map, model } of forks) {
          expect(map.size).toBe(model.size)
          expect(map.values().toSorted(byId)).toEqual([...model.values()].toSorted(byId))
          checkDifference(forks[0] ?? { map, model }, { map, model })
        }
      }),
      { numRuns: samples(60), seed: 20_261_122 },
    )
  })

  test('every value removed -> empty, and filled again as ever', () => {
    const ids = idsUpTo(500)
    const map = filled(hash, ids)
    for (const id of ids) expect(map.delete(id)?.id).toBe(id)
    expect([map.size, map.values(), map.get('r1'), map.delete('r1')]).toEqual([0, [], undefined, undefined])
    for (const id of ids) expect(map.set(id, valueOf(id))).toBeUndefined()
    expect([map.size, map.values().length]).toEqual([500, 500])
  })
})

interface Pair {
  map: HashMap<Value>
  model: ReadonlyMap<string, Value>
}

function checkDifference(one: Pair, other: Pair): void {
  const ids = [...new Set([...one.model.keys(), ...other.model.keys()])].toSorted()
  const expected = ids.flatMap((id) => {
    const [before, after] = [one.model.get(id), other.model.get(id)]
    return before === after ? [] : [{ id, ...(before && { before }), ...(after && { after }) }]
  })
  const found = one.map.diff(other.map).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  expect(found).toStrictEqual(expected)
}

describe('what a map of many values looks at', () => {
  /** A map that counts the keys it reads off values. */
  function counting(hash: (key: string) => number, count: number) {
    const looked = { keys: 0 }
    const map = new HashMap<Value>((value) => {
      looked.keys++
      return value.id
    }, hash)
    for (const id of idsUpTo(count)) map.set(id, valueOf(id))
    return { map, looked }
  }

  test('the difference of forks that share almost all -> as much as stands beside what was written', () => {
    const { map, looked } = counting(hashOf, 20_000)
    const fork = map.fork()
    for (const id of ['r7', 'r8000', 'new']) fork.set(id, valueOf(id))
    looked.keys = 0
    expect(
      map
        .diff(fork)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['new', 'r7', 'r8000'])
    expect(looked.keys).toBeLessThan(3 * 2 * 40 * 3)
  })

  test('100,000 keys of one hash -> no more than a leaf for each', () => {
    const { map, looked } = counting(() => 1, 100_000)
    expect(looked.keys).toBeLessThanOrEqual(100_000 * 40)
    looked.keys = 0
    expect(map.get('r99999')?.id).toBe('r99999')
    expect(looked.keys).toBeLessThanOrEqual(40)
    const fork = map.fork()
    expect(fork.delete('r99999')?.id).toBe('r99999')
    expect([map.size, fork.size, map.diff(fork).map(({ id }) => id)]).toEqual([100_000, 99_999, ['r99999']])
  })
})

describe('the hash of a key', () => {
  test.each([
    ['', 718_249_730],
    ['int_0', 492_832_992],
  ])('of %j -> the same in every run', (key, expected) => {
    expect(hashOf(key)).toBe(expected)
  })

  test('of ids in a row -> spread evenly, whichever bits are looked at', () => {
    for (const shift of [0, 5, 15, 25]) {
      const counts = Array.from({ length: 32 }, () => 0)
      for (const id of idsUpTo(32_000)) {
        const slot = (hashOf(id) >>> shift) & 31
        counts[slot] = (counts[slot] ?? 0) + 1
      }
      expect(Math.min(...counts)).toBeGreaterThan(850)
      expect(Math.max(...counts)).toBeLessThan(1150)
    }
  })
})
