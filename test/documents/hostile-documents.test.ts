import { describe, expect, it } from 'vitest'
import { resolveAssumptions } from '../../src/reading/resolve-assumptions.ts'
import { dumpState } from '../../src/documents/dump.ts'
import { load, messageOf, writeFiles } from '../helpers/documents.ts'

const json = (text: string): Promise<string> => messageOf(load([writeFiles({ 'x.json': text })]))

describe('names that mean something to JavaScript', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s as a collection', async (name) => {
    expect(await json(`{"${name}": [{"id": "a"}]}`)).toContain(`x.json:1:2 ${name}: unknown collection`)
  })

  it.each(['__proto__', 'constructor', 'valueOf'])('%s as a field', async (name) => {
    expect(await json(`{"customers": [{"id": "cus_1", "${name}": {"admin": true}}]}`)).toContain(
      `customers[0].${name}: unknown field`,
    )
    expect(Reflect.get({}, 'admin')).toBeUndefined()
  })

  it('__proto__ in a map is refused, not lost', async () => {
    expect(
      await json('{"customers": [{"id": "cus_1", "statuses": {"a": "b", "__proto__": "ACTIVE"}}]}'),
    ).toContain('customers[0].statuses.__proto__: must have another name')
  })

  it.each(['__proto__', 'constructor', 'toString'])(
    '%s as an id and a reference is a name like any other',
    async (id) => {
      const text = `{"customers": [{"id": "${id}"}], "rewards": [{"id": "${id}", "customer_id": "${id}"}]}`
      const { state } = await load([writeFiles({ 'x.json': text })])
      expect(state.get('rewards', id)?.customer_id).toBe(id)
      expect(await json(`{"rewards": [{"id": "a", "customer_id": "${id}"}]}`)).toContain(
        'no customer has the id',
      )
    },
  )

  it('metadata keeps them as they are, over merging, dumping and loading again', async () => {
    const metadata = '{"__proto__":{"x":1},"constructor":"c","deep":{"__proto__":null}}'
    const path = writeFiles({ 'x.json': `{"customers": [{"id": "cus_1", "metadata": ${metadata}}]}` })
    const { state } = await load([path, { customers: [{ id: 'cus_1', first_name: 'Ada' }] }])
    expect(JSON.stringify(state.get('customers', 'cus_1')?.metadata)).toBe(metadata)
    const text = JSON.stringify(dumpState(state, { seed: 1 }))
    const again = await load([writeFiles({ 'x.json': text })])
    expect(JSON.stringify(again.state.get('customers', 'cus_1')?.metadata)).toBe(metadata)
    expect(Reflect.get({}, 'x')).toBeUndefined()
  })
})

describe('too much of something', () => {
  const metadata = (value: unknown): string =>
    JSON.stringify({ customers: [{ id: 'cus_1', metadata: value }] })
  const nested = (levels: number): unknown => {
    let value: unknown = {}
    for (let level = 1; level < levels; level++) value = { a: value }
    return value
  }

  it('metadata of 32 levels and 16 KiB passes, one more does not', async () => {
    await expect(load([writeFiles({ 'x.json': metadata(nested(32)) })])).resolves.toBeDefined()
    expect(await json(metadata(nested(33)))).toContain('metadata: must not be nested deeper than 32 levels')
    await expect(load([writeFiles({ 'x.json': metadata({ a: 'x'.repeat(16_376) }) })])).resolves.toBeDefined()
    expect(await json(metadata({ a: 'x'.repeat(16_377) }))).toContain(
      'metadata: must not be larger than 16384 bytes',
    )
  })

  it('the limits of metadata are assumptions', async () => {
    const assumptions = resolveAssumptions({ metadata_max_depth: 2 })
    const path = writeFiles({ 'x.json': metadata(nested(3)) })
    expect(await messageOf(load([path], { assumptions }))).toContain(
      'must not be nested deeper than 2 levels',
    )
  })

  it.each([
    [
      'a number beyond all',
      '{"customers": [{"id": "cus_1", "opening_balance": 1e400}]}',
      'must be at most 9007199254740991',
    ],
    [
      'an integer that lost digits',
      '{"customers": [{"id": "cus_1", "opening_balance": 9007199254740993}]}',
      'must be at most 9007199254740991',
    ],
    [
      'case 127: a fraction that JavaScript rounds away',
      '{"customers": [{"id": "cus_1", "opening_balance": 4503599627370497.3}]}',
      'must be an integer',
    ],
    [
      'case 127: the least integer, and one less',
      '{"customers": [{"id": "cus_1", "opening_balance": -9007199254740992}]}',
      'must be at least -9007199254740991',
    ],
    ['a huge id', `{"customers": [{"id": "${'x'.repeat(1_000_000)}"}]}`, 'must be 1 to 200 characters'],
    ['a huge unknown name', `{"${'x'.repeat(1_000_000)}": 1}`, 'unknown collection'],
    [
      'a huge value of an enum',
      `{"rewards": [{"id": "a", "customer_id": "b", "status": "${'x'.repeat(1_000_000)}"}]}`,
      'must be one of',
    ],
    [
      'a huge reference',
      `{"rewards": [{"id": "a", "customer_id": "${'x'.repeat(1_000_000)}"}]}`,
      'no customer has the id',
    ],
  ])('%s gives a short message', async (_title, text, message) => {
    const shown = await json(text)
    expect(shown).toContain(message)
    expect(shown.length).toBeLessThan(1000)
  })

  it('deep values in every place are problems', async () => {
    const deep = JSON.stringify(nested(60))
    for (const text of [
      `{"customers": ${deep}}`,
      `{"customers": [${deep}]}`,
      `{"customers": [{"id": "cus_1", "address": ${deep}}]}`,
      `{"account": ${deep}}`,
      `{"sandbox": ${deep}}`,
      deep,
    ]) {
      expect(await json(text)).toMatch(/^x\.json:1:/)
    }
  })
})

describe('dates at the edges of time', () => {
  const statement = (fields: object): string =>
    JSON.stringify({
      customers: [{ id: 'c', created_at: '9999-12-31T23:59:59Z' }],
      accounts: [{ id: 'a', customer_id: 'c' }],
      rewards: [{ id: 'r', customer_id: 'c' }],
      statements: [{ statement_id: 's', customer_id: 'c', account_id: 'a', ...fields }],
    })

  it.each([
    { period_start_date: '0000-01-01T00:00:00Z' },
    { period_end_date: '9999-12-31T23:59:59Z' },
    { period_start_date: '2026-01-01t00:00:00.123456789z' },
  ])('%j is filled', async (fields) => {
    const { state } = await load([writeFiles({ 'x.json': statement(fields) })])
    expect(state.get('statements', 's')).toMatchObject(fields)
    expect(state.get('rewards', 'r')?.created_at).toBe('9999-12-31T23:59:59Z')
  })

  it.each(['+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z', '9999', 'Tue', '2016-12-31T23:59:60Z'])(
    '%s is a problem',
    async (date) => {
      expect(await json(statement({ period_end_date: date }))).toContain(
        'period_end_date: must be an RFC 3339',
      )
      expect(await json(statement({ period_start_date: date }))).toContain(
        'period_start_date: must be an RFC 3339',
      )
    },
  )
})
