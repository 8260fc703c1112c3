// The list of the endpoints, in the order of the contract. A fixed path comes before a path with a parameter in the same
// position: `/v2/rewards/rewards_categories` is never a reward id.
import type { Assumptions } from '../contract/assumptions.ts'
import {
  listAccounts,
  listCustomerPaymentMethods,
  listCustomerRewards,
  listCustomerTransactionIntents,
  listCustomerTransactions,
} from './customer-lists.ts'
import { createCustomerSession, retrieveCustomerSession } from './customer-sessions.ts'
import { linkCustomer } from './customer-links.ts'
import { retrieveCustomer, searchCustomers, searchCustomersByBody } from './customers.ts'
import type { Endpoint } from './define.ts'
import { listTransactionIntents, updateTransactionIntent } from './intent-updates.ts'
import { createApiKey, deleteApiKey } from './keys.ts'
import { retrieveOffer } from './offers.ts'
import { createOrderEvent, deleteOrderEvent, listOrderEvents } from './order-events.ts'
import { createOrder, deleteOrder, listOrders, replaceOrder } from './orders.ts'
import { listPaymentMethods, listPaymentMethodsByQuery, retrievePaymentMethod } from './payment-methods.ts'
import { listRewardCategories } from './reward-categories.ts'
import { listRewards } from './reward-list.ts'
import { retrieveReward, retrieveRewardsBalance, updateReward } from './rewards.ts'
import { simulateReward, simulateTransactionEvent } from './simulations.ts'
import { listStatements } from './statements.ts'
import { createTransactionIntent, retrieveTransactionIntent } from './transaction-intents.ts'
import { retrieveTransaction } from './transactions.ts'

/** Every operation that the sandbox can serve: those of the contract, and those outside it. */
export const allEndpoints: readonly Endpoint[] = [
  createTransactionIntent,
  retrieveTransactionIntent,
  listPaymentMethods,
  retrievePaymentMethod,
  searchCustomers,
  linkCustomer,
  listStatements,
  retrieveRewardsBalance,
  listRewardCategories,
  retrieveReward,
  updateReward,
  deleteOrderEvent,
  createApiKey,
  searchCustomersByBody,
  retrieveCustomer,
  listAccounts,
  listCustomerPaymentMethods,
  listCustomerTransactionIntents,
  listCustomerTransactions,
  listCustomerRewards,
  listPaymentMethodsByQuery,
  listTransactionIntents,
  updateTransactionIntent,
  retrieveTransaction,
  listRewards,
  listOrderEvents,
  createOrderEvent,
  listOrders,
  createOrder,
  replaceOrder,
  deleteOrder,
  retrieveOffer,
  createCustomerSession,
  retrieveCustomerSession,
  deleteApiKey,
  simulateTransactionEvent,
  simulateReward,
]

/** The operations of the contract, in its order. */
export const endpoints = allEndpoints.filter(({ listed }) => listed)

/** Returns the operations that the sandbox serves under the current assumptions. */
export function servedEndpoints({ unlisted_operations: unlisted }: Pick<Assumptions, 'unlisted_operations'>) {
  return unlisted === 'documented' ? allEndpoints : endpoints
}
