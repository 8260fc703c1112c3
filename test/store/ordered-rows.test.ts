import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageOf, type Page } from '../../src/store/ordered-rows.ts'

const rows = ['a', 'a1', 'a2', 'b', 'b1', 'ba', 'c']
const idOf = (id: string): string => id

describe('a page of rows by ascending id', () => {
  it.each<[Page, string[]]>([
    [{}, rows],
    [{ limit: 2 }, ['a', 'a1']],
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
    expect([...pageOf(rows, idOf, page)]).toEqual(expected)
  })

  it('is what looking at every row gives', () => {
    const id = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 })
    const some = fc.option(id, { nil: undefined })
    fc.assert(
      fc.property(fc.uniqueArray(id), some, some, fc.nat(8), (ids, after, prefix, limit) => {
        const all = ids.toSorted()
        const expected = all.filter(
          (one) => (after === undefined || one > after) && one.startsWith(prefix ?? ''),
        )
        expect([...pageOf(all, idOf, { after, prefix, limit })]).toEqual(expected.slice(0, limit))
      }),
    )
  })

  it('looks at few of many rows', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `row_${String(at).padStart(6, '0')}`)
    let looks = 0
    const counting = (row: string): string => {
      looks++
      return row
    }
    const page = { after: 'row_050000', prefix: 'row_05', limit: 10 }
    expect([...pageOf(many, counting, page)]).toEqual(many.slice(50_001, 50_011))
    expect(looks).toBeLessThan(40)
  })
})
