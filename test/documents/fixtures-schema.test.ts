import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { documentKeys } from '../../src/documents/state-document.ts'
import { dumpState } from '../../src/documents/dump.ts'
import { fixturesSchema } from '../../src/documents/fixtures-schema.ts'
import { load, options } from '../helpers/documents.ts'

const ajv = new Ajv2020({ strict: true, allErrors: true })
addFormats.default(ajv)
const schema = fixturesSchema()
const validate = ajv.compile(schema)

const accepts = (document: unknown): boolean => validate(document)

describe('the schema of fixtures', () => {
  it('is valid in itself, complete, and free of hosts and safe-integer bounds', () => {
    expect(Object.keys(schema['properties'] ?? {})).toEqual(['$schema', ...documentKeys])
    const text = JSON.stringify(schema)
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER))
    expect(text.match(/https?:[^"]*/g)).toEqual(['https://json-schema.org/draft/2020-12/schema'])
    expect(fixturesSchema()).toBe(schema)
  })

  it('accepts the default fixture and every dump', async () => {
    expect(accepts(JSON.parse(readFileSync(options.defaultFixture, 'utf8')))).toBe(true)
    const { state } = await load([], { generate: { customers: 30 } })
    const dump = dumpState(state, { seed: 1, clock: { now: '2026-01-01T00:00:00Z', frozen: true } })
    expect(accepts(JSON.parse(JSON.stringify(dump)))).toBe(true)
  })

  it.each<[string, object]>([
    ['nothing', {}],
    ['a sparse customer', { customers: [{ id: 'cus_1' }] }],
    [
      'a customer with a sparse authorized user',
      { customers: [{ id: 'a', authorized_users: [{ authorized_user_id: 'b' }] }] },
    ],
    [
      'sparse products',
      { products: [{ merchant_key: 'a' }, { merchant_key: 'b', rewards: { categories: [{ name: 'x' }] } }] },
    ],
    [
      'a sparse key and account',
      { api_keys: [{ id: 'a' }], account: { saved_version: { sandbox: '2025-05-05' } } },
    ],
    [
      'sparse payment methods',
      {
        customers: [{ id: 'c' }],
        payment_methods: [
          { id: 'a', customer_id: 'c' },
          { id: 'b', customer_id: 'c', card: {} },
        ],
      },
    ],
  ])('accepts %s, as the loader does', async (_title, document) => {
    expect(accepts(document)).toBe(true)
    await expect(load([document])).resolves.toBeDefined()
  })

  it.each<[string, object]>([
    ['an unknown collection', { customer: [] }],
    ['an unknown field', { customers: [{ id: 'cus_1', mail: 'x' }] }],
    ['a row without an id', { customers: [{ first_name: 'Ada' }] }],
    ['a reference that is missing', { rewards: [{ id: 'a' }] }],
    ['a wrong type', { customers: [{ id: 'cus_1', email: 5 }] }],
    [
      'an unknown value',
      { customers: [{ id: 'c' }], rewards: [{ id: 'a', customer_id: 'c', status: 'DONE' }] },
    ],
    ['a wrong sign', { statements: [{ statement_id: 'a', customer_id: 'b', account_id: 'c', payments: 5 }] }],
  ])('refuses %s, as the loader does', async (_title, document) => {
    expect(accepts(document)).toBe(false)
    await expect(load([document])).rejects.toThrow()
  })
})
