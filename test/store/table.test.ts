import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Index } from '../../src/store/indexes.ts'
import type { CustomerRow } from '../../src/store/rows.ts'
import { Table, type Page } from '../../src/store/table.ts'
import { samples } from '../setup/samples.ts'

const row = (id: string, product: string, created = '', more: Partial<CustomerRow> = {}): CustomerRow => ({
  id,
  product,
  created_at: created,
  email: '',
  first_name: '',
  last_name: '',
  statuses: {},
  ...more,
})

const byProduct: Index<'customers'> = {
  group: (one) => (one.product === 'unlisted' ? undefined : one.product),
  order: (one) => one.created_at,
  counted: true,
}

const emptyTable = () =>
  Table.empty('customers', {
    by_product: byProduct,
    uncounted: { ...byProduct, counted: false },
    on_demand: { ...byProduct, onDemand: true },
  })

const table = (...rows: CustomerRow[]) => {
  const made = emptyTable()
  for (const one of rows) made.put(one)
  return made
}

const loaded = (...rows: CustomerRow[]) => {
  const made = emptyTable()
  made.load(rows)
  return made
}

const idsOf = (rows: Iterable<CustomerRow>): string[] => [...rows].map(({ id }) => id)

describe('a table', () => {
  test('empty -> nothing is in it', () => {
    const empty = table()
    expect([empty.size, [...empty.all()], empty.get('a')]).toEqual([0, [], undefined])
    expect([empty.scan('by_product', 'p'), empty.count('by_product', 'p')]).toEqual([[], 0])
  })

  test('put -> gives back what was there; the row itself is kept', () => {
    const rows = table()
    const [first, second] = [row('a', 'p'), row('a', 'p', '2')]
    expect(rows.put(first)).toBeUndefined()
    expect(rows.put(second)).toBe(first)
    expect(rows.get('a')).toBe(second)
    expect(rows.size).toBe(1)
  })

  test('delete -> gives back what was there, and nothing the second time', () => {
    const one = row('a', 'p')
    const rows = table(one)
    expect([rows.delete('a'), rows.delete('a')]).toEqual([one, undefined])
    expect([rows.size, rows.count('by_product', 'p'), rows.scan('by_product', 'p')]).toEqual([0, 0, []])
  })

  test.each(['__proto__', 'constructor', 'hasOwnProperty', ''])('the id %j is one like any other', (id) => {
    expect(table().get(id)).toBeUndefined()
    expect(table(row(id, 'p')).get(id)?.id).toBe(id)
  })

  test('all -> by ascending id, capitals first, as bytes have it', () => {
    expect(
      idsOf(table(row('b', 'p'), row('a10', 'p'), row('B', 'p'), row('a9', 'p'), row('é', 'p')).all()),
    ).toEqual(['B', 'a10', 'a9', 'b', 'é'])
  })

  test('idOf -> the field that identifies the rows of the collection', () => {
    const statements = Table.empty('statements', {})
    const products = Table.empty('products', {})
    expect(table().idOf(row('a', 'p'))).toBe('a')
    expect(statements.idOf({ statement_id: 'stm_1' } as never)).toBe('stm_1')
    expect(products.idOf({ merchant_key: 'mk_1' } as never)).toBe('mk_1')
  })
})

describe('an index', () => {
  const rows = table(
    row('c', 'p', '1'),
    row('a', 'p', '2'),
    row('b', 'p', '1'),
    row('d', 'p2', '0'),
    row('e', 'unlisted', '0'),
    row('f', 'p', '10'),
  )

  test.each([
    ['p', ['b', 'c', 'f', 'a']],
    ['p2', ['d']],
    ['unlisted', []],
    ['', []],
    ['p\u0000', []],
  ])('group %j -> its rows in order, rows of equal order by id', (group, ids) => {
    expect(idsOf(rows.scan('by_product', group))).toEqual(ids)
    expect(rows.count('by_product', group)).toBe(ids.length)
  })

  test.each([
    [{ limit: 0 }, []],
    [{ limit: -1 }, []],
    [{ limit: 2 }, ['b', 'c']],
    [{ limit: 99 }, ['b', 'c', 'f', 'a']],
    [{ after: { order: '1', id: 'b' } }, ['c', 'f', 'a']],
    [{ after: { order: '1', id: 'b' }, limit: 1 }, ['c']],
    [{ after: { order: '1', id: 'bb' } }, ['c', 'f', 'a']],
    [{ after: { order: '1', id: '' } }, ['b', 'c', 'f', 'a']],
    [{ after: { order: '1', id: '\uffff' } }, ['f', 'a']],
    [{ after: { order: '2', id: 'a' } }, []],
    [{ after: { order: '9', id: 'z' } }, []],
    [{ backwards: true }, ['a', 'f', 'c', 'b']],
    [{ backwards: true, limit: 0 }, []],
    [{ backwards: true, limit: 3 }, ['a', 'f', 'c']],
    [{ backwards: true, after: { order: '10', id: 'f' } }, ['c', 'b']],
    [{ backwards: true, after: { order: '10', id: '' } }, ['c', 'b']],
    [{ backwards: true, after: { order: '10', id: 'z' } }, ['f', 'c', 'b']],
    [{ backwards: true, after: { order: '10', id: 'z' }, limit: 1 }, ['f']],
    [{ backwards: true, after: { order: '', id: '' } }, []],
    [{ backwards: true, after: { order: '9', id: 'z' } }, ['a', 'f', 'c', 'b']],
  ])('a scan with %j -> %j', (range, ids) => {
    expect(idsOf(rows.scan('by_product', 'p', range))).toEqual(ids)
  })

  test('a row that moves to another group, place or out of the index -> listed once, counted once', () => {
    const moving = table(row('a', 'p', '1'), row('b', 'p', '2'))
    const seen = () => [
      idsOf(moving.scan('by_product', 'p')),
      idsOf(moving.scan('by_product', 'q')),
      [moving.count('by_product', 'p'), moving.count('by_product', 'q')],
    ]
    moving.put(row('a', 'p', '3'))
    expect(seen()).toEqual([['b', 'a'], [], [2, 0]])
    moving.put(row('a', 'q', '3'))
    expect(seen()).toEqual([['b'], ['a'], [1, 1]])
    moving.put(row('a', 'unlisted', '3'))
    expect(seen()).toEqual([['b'], [], [1, 0]])
    moving.put(row('a', 'p', '0'))
    expect(seen()).toEqual([['a', 'b'], [], [2, 0]])
  })

  test('placeOf -> where a scan goes on after the row', () => {
    const place = rows.positionOf('by_product', row('c', 'p', '1'))
    expect(place).toEqual({ order: '1', id: 'c' })
    expect(idsOf(rows.scan('by_product', 'p', { after: place }))).toEqual(['f', 'a'])
  })

  test('one that is not counted -> count gives nothing, scans are the same', () => {
    expect(rows.count('uncounted', 'p')).toBe(0)
    expect(idsOf(rows.scan('uncounted', 'p'))).toEqual(['b', 'c', 'f', 'a'])
  })

  test('find -> the first row of a group, then the next', () => {
    const several = table(row('b', 'p', '1'), row('c', 'p', '1'), row('a', 'p', '1'), row('d', 'q', '0'))
    const first = (): unknown => [several.find('by_product', 'p')?.id, several.count('by_product', 'p')]
    expect(first()).toEqual(['a', 3])
    several.delete('a')
    expect(first()).toEqual(['b', 2])
    several.put(row('b', 'q', '1'))
    expect(first()).toEqual(['c', 1])
    several.delete('c')
    expect(first()).toEqual([undefined, 0])
    expect(idsOf(several.scan('by_product', 'q'))).toEqual(['d', 'b'])
  })

  test('one that does not exist -> a mistake of ours, said at once', () => {
    expect(() => rows.scan('by_nothing', 'p')).toThrow('no index by_nothing')
  })
})

describe('a fork', () => {
  test('of a table of 5,000 rows -> both go their own way, whichever is written to', () => {
    const original = table(...Array.from({ length: 5000 }, (_, at) => row(`r${at}`, 'p', String(at % 7))))
    const before = [...original.all()]
    const fork = original.fork()
    for (let at = 0; at < 5000; at += 3) fork.delete(`r${at}`)
    for (let at = 1; at < 5000; at += 3) original.put(row(`r${at}`, 'q', 'x'))
    expect([original.size, fork.size]).toEqual([5000, 3333])
    expect(idsOf(original.all())).toEqual(idsOf(before))
    expect([original.count('by_product', 'p'), original.count('by_product', 'q')]).toEqual([3333, 1667])
    expect([fork.count('by_product', 'p'), fork.count('by_product', 'q')]).toEqual([3333, 0])
    expect(fork.scan('by_product', 'p')).toHaveLength(3333)
    expect(fork.get('r1')?.product).toBe('p')
    expect(original.get('r0')?.product).toBe('p')
  })

  test('and its table, which share all they can -> differ by what was written to one of them', () => {
    const original = loaded(
      ...Array.from({ length: 1000 }, (_, at) => row(`r${String(at).padStart(3, '0')}`, 'p')),
    )
    const fork = original.fork()
    expect([original.diff(fork), fork.diff(original)]).toEqual([[], []])
    const [replaced, added] = [row('r500', 'q'), row('s', 'p')]
    fork.put(replaced)
    fork.put(added)
    fork.delete('r001')
    expect(original.diff(fork)).toEqual([
      { id: 'r001', before: original.get('r001') },
      { id: 'r500', before: original.get('r500'), after: replaced },
      { id: 's', after: added },
    ])
    expect(original.fork().diff(fork.fork())).toHaveLength(3)
  })

  test('of a table that was filled at once -> an index on demand of each has its own rows', () => {
    const rows = Array.from({ length: 1000 }, (_, at) => row(`r${at}`, 'p', String(at % 7)))
    const original = loaded(...rows)
    const forks = [original, original.fork(), original.fork()]
    for (const [at, fork] of forks.entries()) fork.put(row(`new${at}`, 'q'))
    const late = original.fork()
    for (const [at, fork] of forks.entries()) {
      expect(idsOf(fork.scan('on_demand', 'q'))).toEqual([`new${at}`])
      expect([fork.scan('on_demand', 'p').length, fork.count('on_demand', 'p')]).toEqual([1000, 1000])
      fork.delete(`r${at}`)
      expect([fork.scan('on_demand', 'p').length, fork.count('on_demand', 'p')]).toEqual([999, 999])
    }
    expect([late.scan('on_demand', 'p').length, idsOf(late.scan('on_demand', 'q'))]).toEqual([1000, ['new0']])
  })

  test.each([
    ['one by one', table],
    ['at once', loaded],
  ])(
    'of a table that was filled %s, written to in any way -> each is like a table of its own',
    (_how, fill) => {
      const write = fc.record({
        at: fc.nat(7),
        fork: fc.boolean(),
        look: fc.boolean(),
        id: fc.nat(300).map((number) => `r${number}`),
        put: fc.option(fc.tuple(fc.constantFrom('p', 'q', 'unlisted'), fc.constantFrom('1', '2', '3'))),
      })
      const check = (writes: readonly (typeof write extends fc.Arbitrary<infer T> ? T : never)[]) => {
        // Enough rows that a tree has several levels, so that writes meet nodes that forks share.
        const first = Array.from({ length: 400 }, (_, at) => row(`r${at}`, 'p', String(at % 3)))
        const forks = [{ rows: fill(...first), model: new Map(first.map((one) => [one.id, one])) }]
        for (const { at, fork, look, id, put } of writes) {
          const chosen = forks[at % forks.length]
          if (!chosen) continue
          if (fork && forks.length < 6) forks.push({ rows: chosen.rows.fork(), model: new Map(chosen.model) })
          // Lookups in between do not make later ones stale.
          if (look) checkAgainst(chosen.rows, [...chosen.model.values()])
          if (put) {
            const one = row(id, ...put)
            expect(chosen.rows.put(one)).toBe(chosen.model.get(id))
            chosen.model.set(id, one)
          } else {
            expect(chosen.rows.delete(id)).toBe(chosen.model.get(id))
            chosen.model.delete(id)
          }
        }
        for (const { rows, model } of forks) checkAgainst(rows, [...model.values()])
      }
      fc.assert(fc.property(fc.array(write, { maxLength: 120, size: 'max' }), check), {
        numRuns: samples(20),
        seed: 20_261_121,
      })
    },
  )

  function checkAgainst(rows: Table<'customers'>, model: CustomerRow[]): void {
    expect(idsOf(rows.all())).toEqual(idsOf(model).toSorted())
    expect(rows.size).toBe(model.length)
    for (const group of ['p', 'q', 'unlisted']) {
      const own = model
        .filter((one) => one.product === group && group !== 'unlisted')
        .toSorted((a, b) => (`${a.created_at} ${a.id}` < `${b.created_at} ${b.id}` ? -1 : 1))
      expect(idsOf(rows.scan('by_product', group))).toEqual(idsOf(own))
      expect(rows.find('by_product', group)).toBe(own[0])
      expect(idsOf(rows.scan('on_demand', group))).toEqual(idsOf(own))
      expect(rows.count('on_demand', group)).toBe(own.length)
      const backwards = own.toReversed()
      expect(idsOf(rows.scan('by_product', group, { backwards: true }))).toEqual(idsOf(backwards))
      const middle = backwards[Math.floor(backwards.length / 2)]
      if (middle) {
        const after = rows.positionOf('by_product', middle)
        const rest = backwards.slice(backwards.indexOf(middle) + 1)
        expect(idsOf(rows.scan('by_product', group, { after, backwards: true }))).toEqual(idsOf(rest))
      }
      expect(rows.count('by_product', group)).toBe(own.length)
    }
  }
})

describe('a page of rows by ascending id', () => {
  const rows = ['a', 'a1', 'a2', 'b', 'b1', 'ba', 'c']
  const paged = (ids: readonly string[], page: Page): string[] =>
    idsOf(loaded(...ids.map((id) => row(id, 'p'))).page(page))

  test.each<[Page, string[]]>([
    [{}, rows],
    [{ limit: 2 }, ['a', 'a1']],
    [{ limit: 0 }, []],
    [{ after: 'a2' }, ['b', 'b1', 'ba', 'c']],
    [{ after: 'a2', limit: 1 }, ['b']],
    [{ after: 'a11' }, ['a2', 'b', 'b1', 'ba', 'c']],
    [{ after: 'c' }, []],
    [{ after: 'z' }, []],
    [{ prefix: 'b' }, ['b', 'b1', 'ba']],
    [{ prefix: 'b', limit: 2 }, ['b', 'b1']],
    [{ prefix: 'b', after: 'b' }, ['b1', 'ba']],
    [{ prefix: 'b', after: 'a' }, ['b', 'b1', 'ba']],
    [{ prefix: 'b', after: 'ba' }, []],
    [{ prefix: 'b', after: 'c' }, []],
    [{ prefix: 'bb' }, []],
    [{ prefix: 'zz' }, []],
  ])('%j -> %j', (page, expected) => {
    expect(paged(rows, page)).toEqual(expected)
  })

  test('is what looking at every row gives', () => {
    const id = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 })
    const some = fc.option(id, { nil: undefined })
    fc.assert(
      fc.property(fc.uniqueArray(id), some, some, fc.nat(8), (ids, after, prefix, limit) => {
        const expected = ids
          .toSorted()
          .filter((one) => (after === undefined || one > after) && one.startsWith(prefix ?? ''))
        expect(paged(ids, { after, prefix, limit })).toEqual(expected.slice(0, limit))
      }),
    )
  })

  test('and all rows -> stay as they are, whatever is written while they are read', () => {
    const ids = Array.from({ length: 500 }, (_, at) => `r${at}`).toSorted()
    const changing = loaded(...ids.map((id) => row(id, 'p')))
    const [all, page] = [changing.all(), changing.page({ after: 'r1' })]
    const read = [all.next().value?.id, page.next().value?.id]
    for (const id of ids) changing.delete(id)
    expect(read).toEqual(['r0', 'r10'])
    expect(idsOf(all)).toEqual(ids.slice(1))
    expect(idsOf(page)).toEqual(ids.filter((id) => id > 'r10'))
  })
})

describe('diff', () => {
  test('nothing is different -> nothing, and equal rows that are other objects are told', () => {
    const rows = table(row('a', 'p'), row('b', 'p'))
    const fork = rows.fork()
    expect(rows.diff(fork)).toEqual([])
    const [before, after] = [rows.get('a'), row('a', 'p')]
    fork.put(after)
    expect(rows.diff(fork)).toEqual([{ id: 'a', before, after }])
    expect(table().diff(table())).toEqual([])
    expect(rows.diff(table()).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(
      table()
        .diff(rows)
        .map(({ id }) => id),
    ).toEqual(['a', 'b'])
  })

  test('any writes to a fork -> what a comparison of all rows finds, by ascending id', () => {
    const write = fc.record({ id: fc.nat(2500).map((number) => `r${number}`), put: fc.boolean() })
    fc.assert(
      fc.property(fc.array(write, { maxLength: 80, size: 'max' }), fc.boolean(), (writes, swapped) => {
        const rows = table(...Array.from({ length: 2000 }, (_, at) => row(`r${at}`, 'p')))
        const fork = rows.fork()
        for (const { id, put } of writes) {
          if (put) fork.put(row(id, 'q'))
          else fork.delete(id)
        }
        const [earlier, later] = swapped ? [fork, rows] : [rows, fork]
        const ids = [...new Set([...idsOf(earlier.all()), ...idsOf(later.all())])].toSorted()
        const expected = ids.flatMap((id) => {
          const [before, after] = [earlier.get(id), later.get(id)]
          return before === after ? [] : [{ id, before, after }]
        })
        expect(earlier.diff(later)).toEqual(expected)
      }),
      { numRuns: samples(60) },
    )
  })
})
