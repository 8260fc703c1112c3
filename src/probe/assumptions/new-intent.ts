// Transaction intents that are really created, for questions that no refusal answers: small, and named after the run.
import { createTransactionIntent } from '../../endpoints/transaction-intents.ts'
import type { Answer } from '../read-answer.ts'
import { briefly } from '../error-shape.ts'
import { cannotTell, type ProbeContext, type Reading, type Step } from '../probe.ts'
import { need, type Need } from '../target.ts'
import { isSuccess } from '../answers.ts'
import { answerTo } from './readings.ts'

/** The fields of an intent. */
export const idsOfIntent: readonly Need[] = ['ids.customer', 'ids.payment_method']

/** The properties of one intent. */
export interface Particular {
  /** Distinguishes its network id from those of the other intents of the run. */
  networkId: string
  body?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
}

/** Returns a request that creates one; undefined omits it. */
export const newIntent = (
  name: string,
  particular: (context: ProbeContext) => Particular | undefined,
): Step => ({
  name,
  risk: 'write',
  method: 'POST',
  path: () => createTransactionIntent.path,
  request(context) {
    const requested = particular(context)
    if (!requested) return undefined
    const { target, run } = context
    const { networkId, body, headers } = requested
    return {
      ...(headers ? { headers } : {}),
      json: {
        customer_id: need(target, 'ids.customer'),
        amount: 1,
        currency: 'USD',
        payment_method_id: need(target, 'ids.payment_method'),
        network_transaction_id: `${run}-${networkId}`,
        metadata: { made_by: run },
        ...body,
      },
    }
  },
})

/** Returns why nothing can be observed if a valid intent is not created. */
export function unlessMade(context: ProbeContext, name: string): Reading<never> | undefined {
  const answer: Answer = answerTo(context, name)
  if (isSuccess(answer)) return undefined
  return cannotTell(
    `an intent is answered ${briefly(answer)}`,
    'ids.payment_method that is an active card of ids.customer',
  )
}
