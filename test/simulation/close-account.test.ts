import { expect, it } from 'vitest'
import { ConflictError, NotFoundError } from '../../src/input/refusals.ts'
import { closeAccount } from '../../src/simulation/close-account.ts'
import type { Row } from '../../src/store/rows.ts'
import { begin, card, worldOf } from '../helpers/simulation.ts'

const open: Row<'accounts'> = { id: 'acct_1', customer_id: 'cus_1', currency: 'USD' }
const payment_methods = [card('pm_1', 'cus_1', 'acct_1')]
const stateOf = (account: Row<'accounts'>) => worldOf({ accounts: [account], payment_methods })

it.each([open, { ...open, status: 'OPEN' as const }])('%j -> CLOSED, and its card stays', (account) => {
  const state = stateOf(account)
  const closed = { ...open, status: 'CLOSED' }
  expect(closeAccount(begin(state), { id: 'acct_1', status: 'CLOSED' })).toEqual({ account: closed })
  expect([...state.all('accounts'), ...state.all('payment_methods')]).toEqual([closed, ...payment_methods])
})

it('a closed one -> a conflict', () => {
  const close = () =>
    closeAccount(begin(stateOf({ ...open, status: 'CLOSED' })), { id: 'acct_1', status: 'CLOSED' })
  expect(close).toThrow(new ConflictError("account 'acct_1' is CLOSED already"))
})

it('an unknown one -> not found, with the nearest id', () => {
  const close = () => closeAccount(begin(stateOf(open)), { id: 'acct_2', status: 'CLOSED' })
  expect(close).toThrow(new NotFoundError("no account has the id 'acct_2', did you mean 'acct_1'?"))
})

it.each<[unknown, string]>([
  [{ id: 'acct_1' }, 'account status: is required'],
  [{ id: 'acct_1', status: 'OPEN' }, 'account status: must be one of CLOSED'],
  [
    { status: 'CLOSED', account_id: 'acct_1' },
    'account id: is required\naccount account_id: unknown field, expected one of: id, status',
  ],
])('%j -> every problem', (input, message) => {
  const close = () => closeAccount(begin(stateOf(open)), input)
  expect(close).toThrow(expect.objectContaining({ name: 'DocumentError', message }))
})
