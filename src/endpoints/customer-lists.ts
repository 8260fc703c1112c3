// Lists of what belongs to a customer: accounts, payment methods, transaction intents, transactions, rewards. They are
// outside the contract (assumption `unlisted_operations`).
import type { z } from 'zod'
import { documented, exampleOf } from '../contract/docs.ts'
import { account } from '../contract/resources/account.ts'
import { paymentMethod, paymentMethodIn, sparsePaymentMethod } from '../contract/resources/payment-method.ts'
import { reward } from '../contract/resources/reward.ts'
import { transaction } from '../contract/resources/card-transaction.ts'
import { transactionIntent } from '../contract/resources/transaction-intent.ts'
import type { CustomerRow } from '../store/rows.ts'
import { endpoint, type AnyCall } from './define.ts'
import { describedPage, listOf, pageOfRows, pageParameters } from './page-of-rows.ts'
import { rewardList } from './reward-list.ts'
import { listedMethods, noteMetadata } from './payment-methods.ts'
import { isPurchase, transactionOf } from './transactions.ts'
import { visibleCustomer } from './visible.ts'

const params = { customer_id: 'The id of the customer.' }
const errors = [{ type: 'CUSTOMER_NOT_FOUND_ERROR', on: 'The customer is unknown.' }] as const

type CustomerCall = Pick<AnyCall, 'tx' | 'product'> & {
  params: { customer_id: string }
  fail(type: 'CUSTOMER_NOT_FOUND_ERROR'): never
}

const customerOf = (call: CustomerCall): CustomerRow =>
  visibleCustomer(call, call.params.customer_id) ?? call.fail('CUSTOMER_NOT_FOUND_ERROR')

const listed = <S extends z.ZodType>(item: S, noun: string): ReturnType<typeof listOf<S>> =>
  documented(listOf(item), {
    description: `The ${noun} of the customer.`,
    examples: [{ data: [exampleOf(item)] }],
  })

const outside = { listed: false, method: 'GET', params, errors } as const

export const listAccounts = endpoint({
  ...outside,
  id: 'listAccounts',
  path: '/v2/customers/{customer_id}/accounts',
  summary: "List a customer's accounts",
  scope: 'ACCOUNT_READ',
  result: listed(account, 'accounts'),
  handler: (call) => ({ data: call.tx.scan('accounts', 'by_customer', customerOf(call).id) }),
})

const methods = listed(paymentMethod, 'payment methods')
const sparseMethods = listed(sparsePaymentMethod, 'payment methods')

export const listCustomerPaymentMethods = endpoint({
  ...outside,
  id: 'listCustomerPaymentMethods',
  path: '/v2/customers/{customer_id}/payment_methods',
  summary: "List a customer's payment methods",
  optionalScope: 'PCI_DETAILS_READ',
  result: (values) => (paymentMethodIn(values) === paymentMethod ? methods : sparseMethods),
  handler(call) {
    const data = listedMethods(call, { customer_id: customerOf(call).id })
    noteMetadata(data, call.assume)
    return { data }
  },
})

export const listCustomerTransactionIntents = endpoint({
  ...outside,
  id: 'listCustomerTransactionIntents',
  path: '/v2/customers/{customer_id}/transaction_intents',
  summary: "List a customer's transaction intents",
  scope: 'TRANSACTION_INTENT_READ',
  result: listed(transactionIntent, 'transaction intents'),
  handler: (call) => ({ data: call.tx.scan('transaction_intents', 'by_customer', customerOf(call).id) }),
})

export const listCustomerTransactions = endpoint({
  ...outside,
  id: 'listCustomerTransactions',
  path: '/v2/customers/{customer_id}/transactions',
  summary: "List a customer's transactions",
  query: pageParameters('transactions', 'txn_1'),
  result: describedPage(transaction, 'A page of the transactions of the customer.'),
  pagination: 'id',
  handler(call) {
    const { id } = customerOf(call)
    const rows = () => call.tx.scan('transactions', 'by_customer', id).filter(isPurchase)
    const list = { collection: 'transactions', prefix: 'txn', rows, datedBy: 'created_at' } as const
    const page = pageOfRows(call, list, call.query)
    return { ...page, data: page.data.filter(isPurchase).map(transactionOf) }
  },
})

export const listCustomerRewards = endpoint({
  ...outside,
  id: 'listCustomerRewards',
  path: '/v2/customers/{customer_id}/rewards',
  summary: "List a customer's rewards",
  query: pageParameters('rewards', 'rwd_1'),
  result: describedPage(reward, 'A page of the rewards of the customer, the last changed first.'),
  pagination: 'id',
  handler(call) {
    const { id } = customerOf(call)
    return pageOfRows(
      call,
      rewardList(() => call.tx.scan('rewards', 'by_customer', id)),
      call.query,
    )
  },
})
