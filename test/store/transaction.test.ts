import { describe, expect, test } from 'vitest'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { idAt } from '../../src/runtime/ids.ts'
import type { Row } from '../../src/store/rows.ts'
import { State } from '../../src/store/state.ts'
import { Transaction } from '../../src/store/transaction.ts'

const account = { saved_version: { sandbox: '2026-10-13', production: '2025-05-05' } } as const
const otherAccount = { saved_version: { sandbox: '2025-05-05', production: '2025-05-05' } } as const

const newId = (place: number, prefix: string) => idAt(1, place, prefix)

const reward = (id: string, amount: number): Row<'rewards'> => ({
  id,
  amount,
  customer_id: 'cus_1',
  type: 'OFFER',
  status: 'PENDING',
  created_at: '2026-01-01T00:00:00Z',
})

function stateWith(...rows: Row<'rewards'>[]): State {
  const state = State.empty(account, resolveAssumptions())
  for (const row of rows) state.put('rewards', row)
  return state
}

describe('a transaction', () => {
  test('reads its own writes, and so does the state', () => {
    const state = stateWith(reward('a', 1))
    const tx = new Transaction(state, newId)
    tx.put('rewards', reward('b', 2))
    expect(tx.delete('rewards', 'a')).toBe(true)
    expect([tx.get('rewards', 'a'), tx.get('rewards', 'b')?.amount]).toEqual([undefined, 2])
    expect(tx.scan('rewards', 'by_customer', 'cus_1').map(({ id }) => id)).toEqual(['b'])
    expect([...state.all('rewards')].map(({ id }) => id)).toEqual(['b'])
  })

  test('gives every change in order: before is missing for a new row, after for a deleted one', () => {
    const state = stateWith(reward('a', 1))
    const tx = new Transaction(state, newId)
    tx.put('rewards', reward('b', 2))
    tx.put('rewards', reward('b', 3))
    tx.delete('rewards', 'a')
    tx.putAccount(otherAccount)
    expect(tx.changes).toEqual([
      { collection: 'rewards', id: 'b', after: reward('b', 2) },
      { collection: 'rewards', id: 'b', before: reward('b', 2), after: reward('b', 3) },
      { collection: 'rewards', id: 'a', before: reward('a', 1) },
      { collection: 'account', id: 'account', before: account, after: otherAccount },
    ])
    expect(Object.keys(tx.changes[0] ?? {})).toEqual(['collection', 'id', 'after'])
    expect(Object.keys(tx.changes[2] ?? {})).toEqual(['collection', 'id', 'before'])
  })

  test('a deletion of nothing -> false, and no change', () => {
    const tx = new Transaction(stateWith(), newId)
    expect([tx.delete('rewards', 'a'), tx.changes]).toEqual([false, []])
  })

  test('rolled back -> no trace is left: rows, account, ids and changes', () => {
    const state = stateWith(reward('a', 1), reward('c', 9))
    const tx = new Transaction(state, newId)
    tx.put('rewards', reward('a', 2))
    tx.put('rewards', reward('b', 2))
    tx.delete('rewards', 'a')
    tx.put('rewards', reward('a', 3))
    tx.delete('rewards', 'c')
    tx.putAccount(otherAccount)
    const id = tx.nextId('rewards', 'rwd')
    tx.rollback()
    expect([...state.all('rewards')]).toEqual([reward('a', 1), reward('c', 9)])
    expect(state.scan('rewards', 'by_customer', 'cus_1')).toEqual([reward('a', 1), reward('c', 9)])
    expect([state.account, state.ids, tx.changes]).toEqual([account, 0, []])
    expect(new Transaction(state, newId).nextId('rewards', 'rwd')).toBe(id)
  })

  test('rolled back twice -> the second time nothing happens', () => {
    const state = stateWith(reward('a', 1))
    const tx = new Transaction(state, newId)
    tx.delete('rewards', 'a')
    tx.rollback()
    state.put('rewards', reward('a', 5))
    tx.rollback()
    expect(state.get('rewards', 'a')?.amount).toBe(5)
  })

  test('new ids -> those of the sequence, without those that a row has already', () => {
    const taken = [0, 1, 3].map((place) => reward(newId(place, 'rwd'), 1))
    const tx = new Transaction(stateWith(...taken), newId)
    expect([tx.nextId('rewards', 'rwd'), tx.nextId('rewards', 'rwd')]).toEqual([
      newId(2, 'rwd'),
      newId(4, 'rwd'),
    ])
  })

  test('new tokens -> longer than ids, each its own', () => {
    const tx = new Transaction(stateWith(), newId)
    const tokens = Array.from({ length: 100 }, () => tx.nextToken('sk'))
    for (const token of tokens) expect(token).toMatch(/^sk_[0-9a-z]{24}$/)
    expect(new Set(tokens).size).toBe(100)
  })
})
