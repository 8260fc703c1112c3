// Calls that change something: on expendable rows, named after the run.
import { pathTo } from '../path-to.ts'
import type { OperationId } from '../../contract/declared.generated.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import type { Step } from '../probe.ts'
import { need, type Expendable, type Need } from '../target.ts'
import { plain } from './calls.ts'
import type { Check } from './check.ts'

/** The status to which every service allows to update a pending reward. */
export const updatedStatus = 'AVAILABLE'

/** A successful call, with the rows it needs. */
export interface Changing {
  needs: readonly Need[]
  uses: Check['uses']
  step: Step<'holds'>
}

/** The row that an operation uses up, and the body. */
const using: Partial<Record<OperationId, { kind: Expendable; json?(run: string): object }>> = {
  linkCustomer: { kind: 'customers', json: (run) => ({ partner_customer_id: run }) },
  updateReward: { kind: 'pending_rewards', json: () => ({ status: updatedStatus, amount: 1 }) },
  deleteOrderEvent: { kind: 'order_events' },
}

const made = new Map<Endpoint, Changing>()

/** The same for all points of an operation, so that one row serves all. */
export function changing(endpoint: Endpoint): Changing {
  const known = made.get(endpoint) ?? make(endpoint)
  made.set(endpoint, known)
  return known
}

function make(endpoint: Endpoint): Changing {
  const use = using[endpoint.id]
  if (use) return { needs: [], uses: { [use.kind]: 1 }, step: useUp(endpoint, use) }
  if (endpoint.id === 'createTransactionIntent') {
    const needs = ['ids.customer', 'ids.payment_method'] as const
    return { needs, uses: undefined, step: { ...newIntent(endpoint), once: true } }
  }
  return { needs: [], uses: undefined, step: plain(endpoint) }
}

const useUp = (
  { method, path, params }: Endpoint,
  { kind, json }: NonNullable<(typeof using)[OperationId]>,
): Step<'holds'> => ({
  name: 'change',
  risk: 'irreversible',
  once: true,
  method,
  path: ({ rows }) =>
    pathTo({ path }, Object.fromEntries(Object.keys(params).map((name) => [name, rows[kind][0]]))),
  request: ({ run }) => (json ? { json: json(run) } : {}),
})

/** A call that creates an intent, or would if its payment method existed. */
export const newIntent = ({ method, path }: Endpoint, paymentMethod?: string): Step<'holds'> => ({
  name: 'create',
  risk: 'write',
  method,
  path: () => path,
  request: ({ target, run }) => ({
    json: {
      customer_id: need(target, 'ids.customer'),
      amount: 100,
      currency: 'USD',
      payment_method_id: paymentMethod ?? need(target, 'ids.payment_method'),
      network_transaction_id: run,
      metadata: { run },
    },
  }),
})
