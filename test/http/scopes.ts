// A key with chosen scopes, and the answers that it gets.
import { expect } from 'vitest'
import type { Scope } from '../../src/contract/scopes.ts'
import type { Answered } from '../helpers/sandbox.ts'

export const testKey = 'sk_sandbox_test'
export const keyWith = (scopes: readonly Scope[]): object => ({
  secret: 'secret_test',
  api_key: testKey,
  scopes,
  products: ['mk_summit'],
  environment: 'sandbox',
})

export const newIntent = { customer_id: 'cus_ada', amount: 4599, currency: 'USD' }

export function expectForbidden(answer: Answered, scope: Scope, type = 'FORBIDDEN_ERROR'): void {
  expect(answer.json).toEqual({ error: { type, message: `The API key lacks the scope ${scope}.` } })
  expect(answer.status).toBe(403)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.version).toBe('2026-10-13')
  expect(answer.assumptions).toEqual(['forbidden_type'])
}

/** A copy of an answer without some fields, wherever they stand. */
export function without(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, fields))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !fields.includes(name))
      .map(([name, held]) => [name, without(held, fields)]),
  )
}
