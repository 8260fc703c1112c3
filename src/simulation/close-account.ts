// Closes an account, which no API call does.
import { z } from 'zod'
import { id } from '../contract/formats.ts'
import { readInput } from '../input/read-input.ts'
import { ConflictError } from '../input/refusals.ts'
import type { Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import { findRow } from './find-row.ts'

export const accountChange = z.strictObject({
  id: id.describe('the account'),
  status: z.literal('CLOSED').describe('its new status, which is final'),
})

/**
 * Closes an account. Its payment methods, statements and rewards stay as they are.
 * @param input `{id, status: 'CLOSED'}`; not validated yet.
 * @throws {DocumentError} for an invalid input, with every problem of it.
 * @throws {NotFoundError} for an unknown account. @throws {ConflictError} if it is closed already.
 */
export function closeAccount(tx: Transaction, input: unknown): { account: Row<'accounts'> } {
  const { id: accountId, status } = readInput(accountChange, input, 'account')
  const account = findRow(tx, 'accounts', accountId)
  if (account.status === status) throw new ConflictError(`account '${account.id}' is ${status} already`)
  return { account: tx.put('accounts', { ...account, status }) }
}
