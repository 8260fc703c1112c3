// The newest transactions, each as a line of steps with a form for each step that can follow.
import { RowLink } from '../row-links.tsx'
import { maxRead } from '../simulation-choices.ts'
import { maxLines, moneyText, type TransactionLine } from '../transaction-lines.ts'
import { Field, SimulationForm } from './simulation-form.tsx'

export function TransactionList({ lines }: { lines: readonly TransactionLine[] }) {
  return (
    <section aria-label="Transactions">
      <h2>Transactions</h2>
      <p class="faint">
        The newest {maxLines}, among the first {maxRead} rows that this page reads of each collection.
      </p>
      {lines.map((line) => (
        <Line key={line.transaction.id} line={line} />
      ))}
    </section>
  )
}

function Line({ line: { transaction, steps, next } }: { line: TransactionLine }) {
  const { id, merchant_name: merchant, customer_id: customer, intent_id: intent, currency } = transaction
  return (
    <section class="card" aria-label={`Transaction ${id}`}>
      <h3>
        {merchant} <RowLink collection="transactions" id={id} />
      </h3>
      <p>
        <RowLink collection="customers" id={customer} />{' '}
        {intent && <RowLink collection="transaction_intents" id={intent} />}
      </p>
      <ol class="steps">
        {steps.map(({ event, name, earned, reward }) => (
          <li key={event.id}>
            <span class="badge">{name}</span>
            <br />
            {moneyText(event.amount, currency)} <RowLink collection="transaction_events" id={event.id} />
            <br />
            <time>{event.posted_at}</time>
            <br />
            {earned} {event.reward_id && <RowLink collection="rewards" id={event.reward_id} />}{' '}
            {reward?.status}
          </li>
        ))}
      </ol>
      {next.map(({ name, amount, body }) => (
        <SimulationForm key={name} name={name} path="transaction" button={name} step={body}>
          {amount && <Field name="amount" label="Amount (minor units)" value={amount} />}
        </SimulationForm>
      ))}
    </section>
  )
}
