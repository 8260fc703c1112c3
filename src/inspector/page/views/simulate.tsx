// Money that partners cannot move: the steps of a purchase, a closing cycle, rewards that become available.
import { useState } from 'hono/jsx/dom'
import { firstStatuses } from '../../../simulation/transaction-progress.ts'
import type { CollectionName, Row } from '../../../store/rows.ts'
import { Heading } from '../heading.tsx'
import { rowsReported, useAgainOn } from '../refresh.ts'
import { useAnswer } from '../session.ts'
import { choicesOf, maxRead } from '../simulation-choices.ts'
import { transactionLines } from '../transaction-lines.ts'
import { Field, SimulationForm } from './simulation-form.tsx'
import { TransactionList } from './transaction-list.tsx'

const statuses = firstStatuses.map((status) => [status, status] as const)
const waiting = ['STATEMENT', 'DELAYED'].map((type) => [type, type] as const)

export function Simulate() {
  const customers = choicesOf.customers(useRows('customers'))
  const methods = useRows('payment_methods')
  const accounts = choicesOf.accounts(useRows('accounts'))
  const transactions = useRows('transactions')
  const lines = transactionLines(transactions, useRows('transaction_events'), useRows('rewards'))
  const matched = new Set(transactions.map(({ intent_id: intent }) => intent))
  const intents = choicesOf.intents(useRows('transaction_intents'), matched)
  const [customer, setCustomer] = useState('')
  return (
    <>
      <Heading>Simulate</Heading>
      <p>
        Events that no API call causes: the card network reports a purchase, a billing cycle closes, or
        rewards become available. Fields are required unless marked optional.
      </p>
      <SimulationForm name="A purchase" path="transaction" button="Simulate the purchase">
        <Field name="status" label="Status" choices={statuses} />
        <Field name="amount" label="Amount (minor units, negative for a payment or a credit)" value="1250" />
        <Field name="currency" label="Currency" value="USD" />
        <Field name="merchant_name" label="Merchant" value="Corner Bistro" />
        <Field name="customer_id" label="Customer" choices={customers} blank="choose" onInput={setCustomer} />
        <Field
          key={customer}
          name="payment_method_id"
          label="Payment method"
          choices={choicesOf.methods(methods, customer)}
          blank="none"
        />
      </SimulationForm>
      <SimulationForm name="A purchase that an intent announced" path="transaction" button="Match the intent">
        <Field name="intent_id" label="Intent" choices={intents} blank="choose" />
        <Field name="status" label="Status" choices={statuses.slice(0, 2)} />
      </SimulationForm>
      <SimulationForm name="A closing cycle" path="statement" button="Close the cycle">
        <Field name="account_id" label="Account" choices={accounts} blank="choose" />
      </SimulationForm>
      <SimulationForm name="Waiting rewards" path="reward" button="Settle the rewards">
        <Field name="customer_id" label="Customer" choices={customers} blank="choose" />
        <Field name="reward_type" label="Type" choices={waiting} />
      </SimulationForm>
      <TransactionList lines={lines} />
    </>
  )
}

/** The rows of a collection, read again after each change. */
function useRows<C extends CollectionName>(collection: C): readonly Row<C>[] {
  const { value, again } = useAnswer<Record<string, Row<C>[]>>(`/state/${collection}`, { limit: maxRead })
  useAgainOn((event) => rowsReported(event)?.some((row) => row.collection === collection) ?? true, again)
  return value?.[collection] ?? []
}
