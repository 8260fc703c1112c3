// Simulates what no API call causes: the steps of a purchase, the close of a statement, the settlement of rewards; see
// holdings.ts for cards and accounts.
import { z } from 'zod'
import type { Assumptions } from '../contract/assumptions.ts'
import { transactionFields, type NetworkTransaction } from '../simulation/network-transaction.ts'
import type { SimulatedRewards, SimulatedStatement, SimulatedTransaction } from '../simulation/results.ts'
import { closeStatement, closing } from '../simulation/close-statement.ts'
import { simulateTransaction } from '../simulation/arrive-transaction.ts'
import { settling, simulateRewards } from '../simulation/settle-rewards.ts'
import type { StateRows } from '../fixtures/document-shape.ts'
import type { PaymentMethodChange } from '../simulation/change-payment-method.ts'
import type { Transaction } from '../store/transaction.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { operation } from './declare.ts'
import { holdingsOperations, holdingsSimulation } from './holdings.ts'
import { rowCopy } from './state.ts'
import type { RecordAction } from './timeline.ts'

/** Events that no API call causes, for tests that wait for their effects. */
export interface SandboxSimulation {
  /**
   * Plays a step in the life of a transaction. The first one is matched to the intent that announced it. A capture
   * earns a reward, in the category that lists its merchant, and a refund takes its share back.
   *
   * @returns the transaction and its step, and the intent and the reward as the API shows them, or null for each that
   * there is not.
   * @throws {DocumentError} for an invalid input, with every problem of it.
   * @throws {NotFoundError} for an unknown intent, customer, payment method or transaction.
   * @throws {ConflictError} for an intent that was already matched, or is canceled, and for a step that cannot follow.
   * @example
   * const { transaction } = sandbox.simulate.transaction({ intent_id: 'int_ada_1', status: 'APPROVED' })
   * const { reward } = sandbox.simulate.transaction({ transaction_id: transaction.id, status: 'CAPTURED' })
   * sandbox.simulate.transaction({ transaction_id: transaction.id, status: 'REFUNDED', amount: 500 })
   */
  transaction(input: NetworkTransaction): SimulatedTransaction
  /**
   * Settles the rewards of a customer that wait, without a statement: pending ones become AVAILABLE, pending deductions
   * DEDUCTED.
   *
   * @returns the settled rewards, oldest first, as the API shows them.
   * @throws {DocumentError} for a type that the product of the customer does not have.
   * @throws {NotFoundError} for an unknown customer.
   * @example sandbox.simulate.reward({ customer_id: 'cus_ada', reward_type: 'STATEMENT' }).rewards.length
   */
  reward(input: { customer_id: string; reward_type: 'STATEMENT' | 'DELAYED' }): SimulatedRewards
  /**
   * Closes the cycle of an account now. It becomes the newest statement, with all that was posted and is on no statement
   * yet, and the rewards that wait for it are settled.
   *
   * @returns the statement as stored in the state; reads add `as_of` and `pdf_url`.
   * @throws {NotFoundError} for an unknown account.
   * @throws {ConflictError} if its cycle has not begun by the clock.
   * @example sandbox.simulate.statement({ account_id: 'acct_ada' }).statement.purchases
   */
  statement(input: { account_id: string }): SimulatedStatement
  /**
   * Changes a payment method as no API call does. `{id, status}` changes its status; CANCELED is final. `{id, reissue:
   * true}` gives a card the next well-known test number that no payment method has, a later expiry and new tokens, and
   * makes it ACTIVE. `{customer_id, type: 'CARD'}` adds a virtual card, on the account of the customer if there is only
   * one.
   *
   * @returns the payment method as stored in the state, with its card number.
   * @throws {DocumentError} for an invalid input, and for fields that do not go together.
   * @throws {NotFoundError} for an unknown payment method or customer.
   * @throws {ConflictError} if its status or type allows no such change, and if no test number is free.
   * @example
   * sandbox.simulate.paymentMethod({ id: 'pm_ada_card', status: 'INACTIVE' })
   * sandbox.simulate.paymentMethod({ id: 'pm_ada_card', reissue: true }).payment_method.card?.last4
   * sandbox.simulate.paymentMethod({ customer_id: 'cus_ada', type: 'CARD' })
   */
  paymentMethod(input: PaymentMethodChange): { payment_method: StateRows['payment_methods'] }
  /**
   * Closes an account. Its payment methods, statements and rewards stay as they are.
   *
   * @throws {NotFoundError} for an unknown account. @throws {ConflictError} if it is closed already.
   * @example sandbox.simulate.account({ id: 'acct_ada', status: 'CLOSED' })
   */
  account(input: { id: string; status: 'CLOSED' }): { account: StateRows['accounts'] }
}

/** Takes unvalidated input: the same schema validates input of tests and of HTTP. */
export function workspaceSimulation(workspace: Workspace, assumptions: Assumptions, record: RecordAction) {
  /** All writes of a simulation are committed, or none. */
  const simulate = <T extends object>(
    run: (tx: Transaction, now: number) => T,
    summary: (result: T) => string,
  ): T => {
    const result = workspace.write((tx) => run(tx, workspace.clock.now()), {
      source: 'simulation',
      requestId: null,
    })
    record('simulation', summary(result))
    workspace.outbox?.schedule()
    return result
  }
  /** With rows that are the state's own, for writing them out. */
  const own = {
    transaction: (input: unknown) =>
      simulate(
        (tx, now) => simulateTransaction(tx, input, now, assumptions),
        ({ transaction: { id, status, customer_id: owner }, reward }) =>
          `Transaction ${id} of ${owner}${status === undefined ? '' : ` is ${status}`}${reward ? `, reward ${reward.id}` : ''}`,
      ),
    reward: (input: unknown) =>
      simulate(
        (tx, now) => simulateRewards(tx, input, now),
        ({ rewards }) => `Settled rewards: ${rewards.map(({ id }) => id).join(', ') || 'none waited'}`,
      ),
    statement: (input: unknown) =>
      simulate(
        (tx, now) => closeStatement(tx, input, now),
        ({ statement }) => `Statement ${statement.statement_id}, the newest of its account`,
      ),
    ...holdingsSimulation(simulate),
  }
  // Rows are shared, so callers outside get copies.
  return {
    own,
    transaction(input: unknown) {
      const { transaction, event, intent, reward: earned } = own.transaction(input)
      return {
        transaction: rowCopy('transactions', transaction),
        event: event && rowCopy('transaction_events', event),
        intent: intent && rowCopy('transaction_intents', intent),
        reward: earned && rowCopy('rewards', earned),
      }
    },
    reward: (input: unknown) => ({
      rewards: own.reward(input).rewards.map((row) => rowCopy('rewards', row)),
    }),
    statement: (input: unknown) => ({ statement: rowCopy('statements', own.statement(input).statement) }),
    paymentMethod: (input: unknown) => ({
      payment_method: rowCopy('payment_methods', own.paymentMethod(input).payment_method),
    }),
    account: (input: unknown) => ({ account: rowCopy('accounts', own.account(input).account) }),
  } satisfies SandboxSimulation & Record<string, unknown>
}

const money = z.number().or(z.string())
const named = z.looseObject({ id: z.string() })

const reward = named.extend({ amount: money, currency: z.string().exactOptional(), status: z.string() })

const rewardLine = ({ id, amount, currency, status }: z.output<typeof reward>): string =>
  [id, amount, currency, status].filter((part) => part !== undefined).join(' ')

interface SimulationTarget {
  workspace: { simulate: ReturnType<typeof workspaceSimulation> }
}

export const simulationOperations = [
  operation({
    id: 'simulate.transaction',
    route: 'POST /_sandbox/simulate/transaction',
    verb: {
      name: 'simulate transaction',
      empty:
        'no transaction: set --intent-id, or --customer-id with --amount, --currency and --merchant-name; or --transaction-id with --status for its next step',
    },
    about:
      'play a step in the life of a purchase: authorise, capture, refund; it earns a reward or takes it back',
    body: transactionFields,
    status: 201,
    result: z.object({
      transaction: named.extend({
        status: z.string().exactOptional(),
        amount: money,
        currency: z.string(),
        merchant_name: z.string(),
      }),
      event: named.extend({ n: z.number().exactOptional(), status: z.string(), amount: money }).nullable(),
      intent: named.nullable(),
      reward: reward.nullable(),
    }),
    printed: {
      text({ transaction, event, intent, reward: earned }) {
        const { id, amount, currency, merchant_name: merchant } = transaction
        const none = {
          CAPTURED: 'none: it earned nothing',
          REFUNDED: 'none: it took nothing back',
        }[event?.status ?? 'CAPTURED']
        const isFirst = (event?.n ?? 1) === 1
        const rewarded = earned ? rewardLine(earned) : none
        return [
          `transaction ${id}: ${amount} ${currency} at ${merchant}\n`,
          ...(event ? [`event ${event.id} ${event.status}\n`] : []),
          ...(intent || isFirst ? [`intent ${intent?.id ?? 'none: it matched no intent'}\n`] : []),
          ...(rewarded === undefined ? [] : [`reward ${rewarded}\n`]),
        ].join('')
      },
    },
    run: ({ workspace }: SimulationTarget, { body }) => workspace.simulate.own.transaction(body),
  }),
  operation({
    id: 'simulate.reward',
    route: 'POST /_sandbox/simulate/reward',
    verb: { name: 'simulate reward', args: ['customer_id', 'reward_type'] },
    about: 'settle the rewards of a customer that wait, as the close of a cycle or a delay does',
    body: settling,
    status: 201,
    result: z.object({ rewards: z.array(reward) }),
    printed: {
      text: ({ rewards }) =>
        rewards.length === 0
          ? 'no reward waits\n'
          : rewards.map((one) => `reward ${rewardLine(one)}\n`).join(''),
    },
    run: ({ workspace }: SimulationTarget, { body }) => workspace.simulate.own.reward(body),
  }),
  operation({
    id: 'simulate.statement',
    route: 'POST /_sandbox/simulate/statement',
    verb: { name: 'simulate statement', args: ['account_id'] },
    about: 'close the billing cycle of an account, which becomes its newest statement',
    body: closing,
    status: 201,
    result: z.object({
      statement: z.looseObject({
        statement_id: z.string(),
        period_start_date: z.string(),
        period_end_date: z.string(),
        due_date: z.string(),
        currency: z.string(),
        statement_balance: money,
        minimum_due: money,
      }),
    }),
    run: ({ workspace }: SimulationTarget, { body }) => workspace.simulate.own.statement(body),
  }),
  ...holdingsOperations,
]
