// An account of a customer, whose statements can be listed. The contract names the operation that lists accounts and
// shows nothing of it (contract: GET /v2/customers/{customer_id}/accounts/{account_id}/statements).
import { z } from 'zod'
import { documented } from '../docs.ts'
import { currencyCode, id } from '../formats.ts'

/** The states of an account, which no answer shows. */
export const accountStatuses = ['OPEN', 'CLOSED'] as const

export const account = documented(z.strictObject({ id, customer_id: id, currency: currencyCode }), {
  id: 'Account',
  description: 'An account of a customer.',
  'x-assumption': 'unlisted_operations',
  examples: [{ id: 'acct_ada', customer_id: 'cus_ada', currency: 'USD' }],
})
