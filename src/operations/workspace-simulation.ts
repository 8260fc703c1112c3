// Money that partners cannot move through the API: a network transaction arrives, a statement closes.
import type { Assumptions } from '../contract/assumptions.ts'
import type { NetworkTransaction } from '../simulation/network-transaction.ts'
import type { SimulatedStatement, SimulatedTransaction } from '../simulation/results.ts'
import { closeStatement } from '../simulation/close-statement.ts'
import { simulateTransaction } from '../simulation/arrive-transaction.ts'
import { plainCopy } from '../json/copy.ts'
import type { Transaction } from '../store/transaction.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { RecordAction } from './workspace-timeline.ts'

/** Money that partners cannot move through the API, for tests that wait for what it brings about. */
export interface SandboxSimulation {
  /**
   * A network transaction arrives. It is matched to the intent that announced it and earns a pending reward, by the
   * category that lists its merchant. A negative amount is credited back and earns nothing.
   *
   * @returns the transaction, and the intent and the reward as the API shows them, or null where there is none.
   * @throws {DocumentError} for an input that is no transaction, with every problem of it.
   * @throws {NotFoundError} for an intent, customer or payment method that is not there.
   * @throws {ConflictError} for an intent that was matched before, or was canceled.
   * @example
   * const { reward } = sandbox.simulate.transaction({ intent_id: 'int_ada_1' })
   * sandbox.simulate.transaction({ customer_id: 'cus_ada', amount: 1250, currency: 'USD', merchant_name: 'Corner Bistro' })
   */
  transaction(input: NetworkTransaction): SimulatedTransaction
  /**
   * The cycle of an account closes now and becomes its newest statement, of all transactions that stand on none yet.
   *
   * @returns the statement as it stands in the state; reads add `as_of` and `pdf_url`.
   * @throws {NotFoundError} for an account that is not there.
   * @throws {ConflictError} when its cycle has not begun by the clock.
   * @example sandbox.simulate.statement({ account_id: 'acct_ada' }).statement.purchases
   */
  statement(input: { account_id: string }): SimulatedStatement
}

/** Takes unread input: what a test gives and what comes over HTTP is read by the same schema. */
export function workspaceSimulation(workspace: Workspace, assumptions: Assumptions, record: RecordAction) {
  /** All that a simulation writes stands, or nothing of it. */
  const simulate = <T extends object>(
    run: (tx: Transaction, now: number) => T,
    summary: (result: T) => string,
  ): T => {
    const result = workspace.write((tx) => run(tx, workspace.clock.now()))
    record('simulation', summary(result))
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
  // Rows are shared, so nobody outside gets hold of one.
  return {
    own,
    transaction: (input: unknown) => plainCopy(own.transaction(input)),
    statement: (input: unknown) => plainCopy(own.statement(input)),
  } satisfies SandboxSimulation & Record<string, unknown>
}
