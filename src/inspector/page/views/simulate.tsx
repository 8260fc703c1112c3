// Money that partners cannot move: a purchase, a closing cycle.
import { useState } from 'hono/jsx/dom'
import type { Child } from 'hono/jsx'
import { stringify } from '../../../json/stringify.ts'
import type { SimulatedStatement, SimulatedTransaction } from '../../../simulation/results.ts'
import { textsOf } from '../form-texts.ts'
import { Heading } from '../heading.tsx'
import { outcomesOf, purchaseOf } from '../purchase.ts'
import { RowLink } from '../row-links.tsx'
import { messageOf, useAnswer, useCanChange, useSession } from '../session.ts'
import { Refused } from '../source.ts'

type Result = SimulatedTransaction | SimulatedStatement

/** Maximum number of ids that are offered; others can be typed. */
const maxOffered = 200

export function Simulate() {
  return (
    <>
      <Heading>Simulate</Heading>
      <p>
        Events that no API call causes: the card network reports a purchase, or a billing cycle closes. Fields
        are required unless marked optional.
      </p>
      <Simulation
        name="A purchase that an intent announced"
        path="/simulate/transaction"
        button="Simulate the announced purchase"
      >
        <Field name="intent_id" label="Intent" from="transaction_intents" isRequired />
      </Simulation>
      <Simulation name="Any purchase" path="/simulate/transaction" button="Simulate the purchase">
        <Field name="customer_id" label="Customer" from="customers" isRequired />
        <Field name="amount" label="Amount (minor units)" value="1250" isRequired />
        <Field name="currency" label="Currency" value="USD" isRequired />
        <Field name="merchant_name" label="Merchant" value="Corner Bistro" isRequired />
        <Field name="payment_method_id" label="Payment method" from="payment_methods" />
      </Simulation>
      <Simulation name="A closing cycle" path="/simulate/statement" button="Close the cycle">
        <Field name="account_id" label="Account" from="accounts" isRequired />
      </Simulation>
    </>
  )
}

function Simulation(props: { name: string; path: string; button: string; children: Child }) {
  const { name, path, button, children } = props
  const { source, route, say } = useSession()
  const canChange = useCanChange()
  const [result, setResult] = useState<Result | undefined>(undefined)
  const [problems, setProblems] = useState<readonly string[]>([])
  const simulate = async (event: Event): Promise<void> => {
    event.preventDefault()
    const body = purchaseOf(textsOf(event.target))
    try {
      setResult(await source.ask<Result>('POST', path, { workspace: route.workspace, body }))
      setProblems([])
      say(`${name}: done.`)
    } catch (error) {
      const details = error instanceof Refused ? error.details : []
      setResult(undefined)
      setProblems(
        details.length > 0
          ? details.map(({ path: field = '', message }) => `${field} ${message}`)
          : [messageOf(error)],
      )
      say(`${name}: refused, and nothing was changed.`)
    }
  }
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <form onSubmit={(event: Event) => void simulate(event)}>
        <div class="fields">{children}</div>
        <button disabled={!canChange}>{button}</button>
      </form>
      {problems.map((problem) => (
        <p key={problem} class="problem">
          {problem}
        </p>
      ))}
      {result ? <Outcomes result={result} /> : null}
    </section>
  )
}

function Outcomes({ result }: { result: Result }) {
  return (
    <>
      {outcomesOf(result).map(({ what, collection, id, row }) => (
        <details key={`${collection} ${id}`}>
          <summary>
            {what} <RowLink collection={collection} id={id} />
          </summary>
          <pre tabindex={0}>{stringify(row, 2)}</pre>
        </details>
      ))}
      {'reward' in result && !result.reward ? <p>It earned nothing.</p> : null}
    </>
  )
}

function Field(props: { name: string; label: string; value?: string; from?: string; isRequired?: true }) {
  const { name, label, value, from, isRequired } = props
  return (
    <label>
      {label} {isRequired ? '' : '(optional)'}
      <input
        name={name}
        required={isRequired}
        autocomplete="off"
        {...(value === undefined ? {} : { value })}
        {...(from === undefined ? {} : { list: `${name}-offered` })}
      />
      {from === undefined ? null : <Offered id={`${name}-offered`} collection={from} />}
    </label>
  )
}

/** The ids of a collection to choose from. */
function Offered({ id, collection }: { id: string; collection: string }) {
  const { value } = useAnswer<Record<string, { id: string }[]>>(`/state/${collection}`, {
    limit: maxOffered,
  })
  return (
    <datalist id={id}>
      {(value?.[collection] ?? []).map((row) => (
        <option key={row.id} value={row.id} />
      ))}
    </datalist>
  )
}
