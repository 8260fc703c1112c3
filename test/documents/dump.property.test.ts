import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rewardStatuses } from '../../src/contract/resources/reward.ts'
import { statementComponents } from '../../src/contract/resources/statement.ts'
import { documentText, dumpLazily, dumpState } from '../../src/documents/dump.ts'
import { collectionNames } from '../../src/store/rows.ts'
import { load, writeFiles } from '../helpers/documents.ts'
import { samples } from '../setup/samples.ts'

const id = fc.stringMatching(/^[a-z_]{1,6}$/)
const metadata = fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 4 }), {
  nil: undefined,
})
const amount = fc.integer({ min: -1e9, max: 1e9 })
const text = fc.string({ maxLength: 20 })

/** A customer with what belongs to them; ids are made unique by a prefix. */
const customer = fc.record(
  {
    first_name: text,
    phone: text,
    metadata,
    opening_balance: amount,
    statuses: fc.dictionary(id, text, { maxKeys: 3 }),
  },
  { requiredKeys: [] },
)
const reward = fc.record(
  { amount, status: fc.constantFrom(...rewardStatuses), metadata },
  { requiredKeys: [] },
)
const statement = fc.record(
  Object.fromEntries(
    statementComponents.map((name) => {
      const isCredit = ['payments', 'credits', 'refunds'].includes(name)
      return [name, isCredit ? fc.integer({ min: -1e6, max: 0 }) : fc.integer({ min: 0, max: 1e6 })]
    }),
  ),
  { requiredKeys: [] },
)

const documents = fc
  .array(fc.tuple(customer, fc.array(reward, { maxLength: 3 }), fc.array(statement, { maxLength: 3 })), {
    maxLength: 5,
  })
  .map((list) => ({
    customers: list.map(([fields], index) => ({ id: `cus_${index}`, ...fields })),
    accounts: list.map((_, index) => ({ id: `acct_${index}`, customer_id: `cus_${index}` })),
    rewards: list.flatMap(([, rewards], index) =>
      rewards.map((fields, place) => ({
        id: `rwd_${index}_${place}`,
        customer_id: `cus_${index}`,
        ...fields,
      })),
    ),
    statements: list.flatMap(([, , statements], index) =>
      statements.map((fields, place) => ({
        statement_id: `stm_${index}_${place}`,
        customer_id: `cus_${index}`,
        account_id: `acct_${index}`,
        ...fields,
      })),
    ),
  }))

describe('dumpState', () => {
  it('load(dump(load(x))) dumps to the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.nat(3), async (document, generated) => {
        const given = JSON.parse(JSON.stringify(document))
        // A number made up for metadata now and then passes for a card's.
        const more = { allowAnyPan: true, ...(generated > 0 ? { generate: { customers: generated } } : {}) }
        const first = await load([given], more)
        const dump = JSON.stringify(dumpState(first.state, { seed: 1 }))
        const second = await load([JSON.parse(dump)], { seed: 5, allowAnyPan: true })
        expect(JSON.stringify(dumpState(second.state, { seed: second.seed ?? 0 }))).toBe(dump)
      }),
      { numRuns: samples(100) },
    )
  })

  it('the default fixture and a population too, over JSON and over YAML', async () => {
    const first = await load([], { generate: { customers: 40 } })
    first.state.ids = 17
    const clock = { now: '2026-01-01T00:00:00.000Z', frozen: true }
    const dump = dumpState(first.state, { seed: 3, clock })
    expect(dump.sandbox).toEqual({ seed: 3, ids: 17, clock })
    const written = JSON.stringify(dump)
    for (const name of ['x.json', 'x.yaml']) {
      const second = await load([writeFiles({ [name]: written })])
      expect(
        JSON.stringify(
          dumpState(second.state, { seed: second.seed ?? 0, ...(second.clock && { clock: second.clock }) }),
        ),
      ).toBe(written)
    }
  })

  it('has every part in the order of the format, rows by ascending id', async () => {
    const { state } = await load({ customers: [{ id: 'b' }, { id: 'a' }, { id: 'B' }] })
    const dump = dumpState(state, { seed: 1 })
    expect(Object.keys(dump)).toEqual(['schema_version', 'account', ...collectionNames, 'sandbox'])
    expect(dump.customers.map((row) => row.id)).toEqual(['B', 'a', 'b'])
    expect(dump.sandbox).toEqual({ seed: 1, ids: 0 })
  })
})

describe('dumpLazily', () => {
  it('gives the same text, of the moment at which it was asked for', async () => {
    const { state } = await load([], { generate: { customers: 5 } })
    const options = { seed: 3, clock: { now: '2026-01-01T00:00:00.000Z', frozen: true } }
    const expected = [...documentText(dumpState(state, options))].join('')
    const pieces = documentText(dumpLazily(state, options))
    const started = [pieces.next().value, pieces.next().value].join('')
    state.delete('order_events', 'ord_ada_1')
    state.put('order_events', { id: 'ord_new', customer_id: 'cus_ada' })
    expect(started + [...pieces].join('')).toBe(expected)
  })
})

describe('documentText', () => {
  it.each<Record<string, unknown>>([
    {},
    { a: 1 },
    { a: [], b: [1], c: [{ d: 'x' }, { d: 'y' }], e: { f: 1 } },
  ])('%j is the document as JSON', (document) => {
    expect(JSON.parse([...documentText(document)].join(''))).toEqual(document)
  })

  it('gives one row a line, and leaves out what is undefined', () => {
    const pieces = [...documentText({ a: [{ b: 1 }, { b: 2 }], gone: undefined, c: 1 })]
    expect(pieces.join('')).toBe('{\n  "a": [\n    {"b":1},\n    {"b":2}\n  ],\n  "c": 1\n}\n')
  })
})
