// Decides to which account a transaction is charged.
import type { Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'

type Charge = Pick<Row<'transactions'>, 'customer_id' | 'payment_method_id' | 'amount' | 'currency'>

/**
 * Returns the account whose statement will list a transaction, which the contract does not show: that of the payment
 * method, or the only account of the customer. There is none for a transaction in another currency, as no exchange rate
 * is known, and for a payment from a bank account or loan to another party.
 */
export function chargedAccount(tx: Transaction, charge: Charge): Row<'accounts'> | undefined {
  const { payment_method_id: methodId, customer_id, amount, currency } = charge
  const method = methodId === undefined ? undefined : tx.get('payment_methods', methodId)
  const account = method?.account_id === undefined ? onlyAccount() : tx.get('accounts', method.account_id)
  return account?.currency === currency ? account : undefined

  function onlyAccount(): Row<'accounts'> | undefined {
    const isPayment = method?.type === 'BANK_ACCOUNT' && amount < 0
    if (method !== undefined && method.type !== 'CARD' && !isPayment) return undefined
    const [first, second] = tx.scan('accounts', 'by_customer', customer_id, { limit: 2 })
    return second === undefined ? first : undefined
  }
}
