// The list of the endpoints, in the order of the contract. A fixed path comes before a path with a parameter in the same
// position: `/v2/rewards/rewards_categories` is never a reward id.
import { linkCustomer, searchCustomers } from './customers.ts'
import type { Endpoint } from './define.ts'
import { createApiKey } from './keys.ts'
import { deleteOrderEvent } from './order-events.ts'
import { listPaymentMethods, retrievePaymentMethod } from './payment-methods.ts'
import { listRewardCategories } from './reward-categories.ts'
import { retrieveReward, retrieveRewardsBalance, updateReward } from './rewards.ts'
import { listStatements } from './statements.ts'
import { createTransactionIntent, retrieveTransactionIntent } from './transaction-intents.ts'

export const endpoints: readonly Endpoint[] = [
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
]
