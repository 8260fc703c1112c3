import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../../src/index.ts'
import {
  amountText,
  fieldsOf,
  localTime,
  numberOf,
  timeOf,
  withField,
  type JsonSchema,
  type RowField,
} from '../../../src/inspector/page/row-fields.ts'
import { idFieldOf } from '../../../src/inspector/page/row-references.ts'
import { stringify } from '../../../src/json/stringify.ts'
import { collectionNames } from '../../../src/store/rows.ts'

const sandbox = await createSandbox()
const schema = (await sandbox.schema('fixtures')) as JsonSchema

const fieldOf = (collection: string, row: Record<string, unknown>, name: string): RowField | undefined =>
  fieldsOf(schema, collection, row, idFieldOf(collection)).find(({ path }) => path.join('.') === name)

describe('fieldsOf', () => {
  it.each([
    [
      'rewards',
      {},
      'status',
      { kind: 'choice', choices: ['PENDING', 'AVAILABLE', 'PENDING_DEDUCTION', 'DEDUCTED'] },
    ],
    ['rewards', {}, 'customer_id', { kind: 'reference', collection: 'customers', isRequired: true }],
    ['rewards', { currency: 'USD' }, 'amount', { kind: 'number', isAmount: true, currency: 'USD' }],
    ['rewards', {}, 'created_at', { kind: 'date-time' }],
    ['rewards', {}, 'metadata', { kind: 'json', isRequired: false }],
    ['customers', {}, 'opening_balance', { kind: 'number', isAmount: true, currency: undefined }],
    ['customers', {}, 'address', { kind: 'json', value: undefined }],
    ['customers', { address: { city: 'A' } }, 'address.city', { kind: 'text', value: 'A' }],
    ['customers', { date_of_birth: {} }, 'date_of_birth.year', { kind: 'number', isAmount: false }],
    ['statements', { currency: 'USD' }, 'credits', { isAmount: true, currency: 'USD' }],
    [
      'products',
      { rewards: { currency: 'POINTS' } },
      'rewards.precision',
      { kind: 'number', isAmount: false },
    ],
    ['api_keys', {}, 'scopes', { kind: 'choices' }],
    ['api_keys', {}, 'products', { kind: 'json' }],
    ['account', { saved_version: {} }, 'saved_version.sandbox', { kind: 'choice' }],
  ] as const)('%s %j: %s', (collection, row, name, expected) => {
    expect(fieldOf(collection, row, name)).toMatchObject(expected)
  })

  it.each(collectionNames)('every field of a built-in row of %s has one, but for the id', (collection) => {
    for (const row of sandbox.state.list(collection)) {
      const fields = fieldsOf(schema, collection, { ...row }, idFieldOf(collection))
      const tops = new Set(fields.map(({ path: [first = ''] }) => first))
      expect(Object.keys(row).filter((name) => !tops.has(name))).toEqual([idFieldOf(collection)])
    }
  })
})

it.each([
  ['rewards', { created_at: null }, 'created_at', 'json'],
  ['rewards', { amount: {} }, 'amount', 'json'],
  ['api_keys', { scopes: 'x' }, 'scopes', 'json'],
])('of %s %j the field %s is for the %s', (collection, row, name, kind) => {
  expect(fieldOf(collection, row, name)?.kind).toBe(kind)
})

it.each([
  ['products', { rewards: {} }, 'rewards.special_categories', []],
  ['customers', {}, 'address', {}],
  ['customers', {}, 'opening_balance', 0],
  ['customers', {}, 'email', ''],
  ['rewards', {}, 'status', 'PENDING'],
])('of %s %j the field %s begins with %j', (collection, row, name, blank) => {
  expect(fieldOf(collection, row, name)?.blank).toEqual(blank)
})

it('stubs have no fields', () => {
  expect(fieldsOf(schema, 'stubs', { stubs: [] }, 'id')).toEqual([])
})

describe('withField', () => {
  const row = { id: 'a', address: { city: 'A' } }

  it.each([
    ['is replaced in its place', ['id'], 'b', { id: 'b', address: { city: 'A' } }],
    ['is added at the end', ['email'], 'e', { ...row, email: 'e' }],
    ['is removed', ['address'], undefined, { id: 'a' }],
    ['is replaced within', ['address', 'city'], 'B', { id: 'a', address: { city: 'B' } }],
    ['is removed within', ['address', 'city'], undefined, { id: 'a', address: {} }],
    ['is added within what is not there', ['card', 'last4'], '1', { ...row, card: { last4: '1' } }],
    [
      'may have any name',
      ['__proto__'],
      'x',
      JSON.parse('{"id":"a","address":{"city":"A"},"__proto__":"x"}'),
    ],
  ])('a field %s', (_situation, path, value, expected) => {
    const changed = withField(row, path, value)
    expect(JSON.stringify(changed)).toBe(JSON.stringify(expected))
  })
})

it.each([
  ['12', 12],
  ['-3', -3],
  ['1.5', 1.5],
  ['', ''],
  ['-', '-'],
  ['twelve', 'twelve'],
  ['012', '012'],
  ['-0.5', -0.5],
])('numberOf %j', (text, expected) => {
  expect(numberOf(text)).toBe(expected)
})

it('numberOf keeps a number that JavaScript would change', () => {
  expect(stringify(numberOf('9007199254740993'))).toBe('9007199254740993')
})

it.each([
  [252, 'USD', '= 2.52 USD'],
  [1_250, 'JPY', '= 1,250 JPY'],
  [252, undefined, 'in minimum currency units'],
  ['much', 'USD', 'in minimum currency units'],
])('amountText %j %s', (value, currency, expected) => {
  expect(amountText(value, currency)).toBe(expected)
})

it.each([
  ['2026-10-20T18:05:00Z', '2026-10-20T18:05:00'],
  ['2026-10-20T18:05:00.123Z', '2026-10-20T18:05:00.123'],
  ['2026-10-20T18:05:00+02:00', undefined],
  ['2026-10-20', undefined],
  [7, undefined],
])('localTime %j', (value, expected) => {
  expect(localTime(value)).toBe(expected)
})

it('timeOf leaves what is no time for the sandbox to refuse', () => {
  expect(timeOf('122520-10-20T15:15:05')).toBe('122520-10-20T15:15:05Z')
})

it('timeOf completes what a browser leaves out', () => {
  expect(timeOf('2026-10-21T09:30')).toBe('2026-10-21T09:30:00.000Z')
})
