import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject } from '../../src/contract/formats.ts'
import { inFieldOrder } from '../../src/documents/field-order.ts'
import { rowSchemas, type CollectionName } from '../../src/store/rows.ts'
import { load } from '../helpers/documents.ts'
import { samples } from '../setup/samples.ts'

/** The same value, the fields of every object in another order; what is free-form as well. */
function shuffled(value: unknown, order: number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, order))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, shuffled(inner, order)] as const)
  const place = (name: string): number => (name.length * 31 + name.charCodeAt(0) * order) % 17
  return Object.fromEntries(entries.toSorted(([a], [b]) => place(a) - place(b) || (a < b ? 1 : -1)))
}

const withoutFreeForm = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, inner: unknown) => (['metadata', 'statuses'].includes(name) ? 0 : inner)),
  )

describe('inFieldOrder', () => {
  it('a row in any order -> the text of the row as the schema reads it', async () => {
    const { state } = await load([])
    const collections = Object.keys(rowSchemas) as CollectionName[]
    const rows = collections.flatMap((collection) =>
      Array.from(state.all(collection), (row) => ({ schema: rowSchemas[collection], row })),
    )
    fc.assert(
      fc.property(fc.constantFrom(...rows), fc.nat(100), ({ schema, row }, order) => {
        const given = shuffled(withoutFreeForm(row), order)
        const expected = JSON.stringify(withoutFreeForm(inFieldOrder(schema, row)))
        expect(JSON.stringify(inFieldOrder(schema, given))).toBe(expected)
        expect(inFieldOrder(schema, given)).toEqual(given)
      }),
      { numRuns: samples(2000) },
    )
    // What a schema makes of a row is in its order already, and stays the same object.
    for (const { schema, row } of rows) {
      const parsed: unknown = schema.parse(row)
      expect(inFieldOrder(schema, parsed)).toBe(parsed)
    }
  })

  it('free-form parts keep their order, and a field is never lost', () => {
    const metadata = JSON.parse('{"z":1,"__proto__":{"b":1,"a":2},"a":[{"y":1,"x":2}]}')
    const row = { metadata, customer_id: 'c', id: 'o' }
    expect(JSON.stringify(inFieldOrder(rowSchemas.order_events, row))).toBe(
      '{"id":"o","customer_id":"c","metadata":{"z":1,"__proto__":{"b":1,"a":2},"a":[{"y":1,"x":2}]}}',
    )
  })
})
