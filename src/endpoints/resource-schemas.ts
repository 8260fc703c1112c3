// The schema of the rows of each collection as answers and events show them.
import { customer } from '../contract/resources/customer.ts'
import { paymentMethod } from '../contract/resources/payment-method.ts'
import { reward } from '../contract/resources/reward.ts'
import { statement } from '../contract/resources/statement.ts'
import { transactionIntent } from '../contract/resources/transaction-intent.ts'

export const resourceSchemas = {
  customers: customer,
  payment_methods: paymentMethod,
  rewards: reward,
  transaction_intents: transactionIntent,
  statements: statement,
} as const
