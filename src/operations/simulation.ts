// Simulates events that no API call causes: a network transaction arrives, a statement closes.
import { z } from 'zod'
import type { Assumptions } from '../contract/assumptions.ts'
import { transactionFields, type NetworkTransaction } from '../simulation/network-transaction.ts'
import type { SimulatedStatement, SimulatedTransaction } from '../simulation/results.ts'
import { closeStatement, closing } from '../simulation/close-statement.ts'
import { simulateTransaction } from '../simulation/arrive-transaction.ts'
import { plainCopy } from '../json/copy.ts'
import type { Transaction } from '../store/transaction.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { operation } from './declare.ts'
import type { RecordAction } from './timeline.ts'

/** Events that no API call causes, for tests that wait for their effects. */
export interface SandboxSimulation {
  /**
   * Lets a network transaction arrive. It is matched to the intent that announced it and earns a pending reward, in the
   * category that lists its merchant. A negative amount is a credit and earns nothing.
   *
   * @returns the transaction, and the intent and the reward as the API shows them, or null if there is none.
   * @throws {DocumentError} for an invalid input, with every problem of it.
   * @throws {NotFoundError} for an unknown intent, customer or payment method.
   * @throws {ConflictError} for an intent that was already matched, or is canceled.
   * @example
   * const { reward } = sandbox.simulate.transaction({ intent_id: 'int_ada_1' })
   * sandbox.simulate.transaction({ customer_id: 'cus_ada', amount: 1250, currency: 'USD', merchant_name: 'Corner Bistro' })
   */
  transaction(input: NetworkTransaction): SimulatedTransaction
  /**
   * Closes the cycle of an account now. It becomes the newest statement, with all transactions that are on no statement
   * yet.
   *
   * @returns the statement as stored in the state; reads add `as_of` and `pdf_url`.
   * @throws {NotFoundError} for an unknown account.
   * @throws {ConflictError} if its cycle has not begun by the clock.
   * @example sandbox.simulate.statement({ account_id: 'acct_ada' }).statement.purchases
   */
  statement(input: { account_id: string }): SimulatedStatement
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
        ({ transaction, reward }) =>
          `Transaction ${transaction.id} of ${transaction.customer_id}${reward ? `, which earned ${reward.id}` : ''}`,
      ),
    statement: (input: unknown) =>
      simulate(
        (tx, now) => closeStatement(tx, input, now),
        ({ statement }) => `Statement ${statement.statement_id}, the newest of its account`,
      ),
  }
  // Rows are shared, so callers outside get copies.
  return {
    own,
    transaction: (input: unknown) => plainCopy(own.transaction(input)),
    statement: (input: unknown) => plainCopy(own.statement(input)),
  } satisfies SandboxSimulation & Record<string, unknown>
}

const money = z.number().or(z.string())
const named = z.looseObject({ id: z.string() })

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
        'no transaction: set --intent-id, or --customer-id with --amount, --currency and --merchant-name',
    },
    about: 'let a network transaction arrive: it is matched to its intent and earns a reward',
    body: transactionFields,
    status: 201,
    result: z.object({
      transaction: named.extend({ amount: money, currency: z.string(), merchant_name: z.string() }),
      intent: named.nullable(),
      reward: named
        .extend({ amount: money, currency: z.string().exactOptional(), status: z.string() })
        .nullable(),
    }),
    printed: {
      text({ transaction, intent, reward }) {
        const { id, amount, currency, merchant_name: merchant } = transaction
        const earned = reward && [reward.id, reward.amount, reward.currency, reward.status]
        return [
          `transaction ${id}: ${amount} ${currency} at ${merchant}\n`,
          `intent ${intent?.id ?? 'none: it matched no intent'}\n`,
          `reward ${earned?.filter((part) => part !== undefined).join(' ') ?? 'none: it earned nothing'}\n`,
        ].join('')
      },
    },
    run: ({ workspace }: SimulationTarget, { body }) => workspace.simulate.own.transaction(body),
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
]
