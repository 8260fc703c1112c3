// Transaction intents that are really made, for what shows in no refusal: small, and named after the run.
import { createTransactionIntent } from '../../endpoints/transaction-intents.ts'
import type { Answer } from '../read-answer.ts'
import { briefly } from '../error-shape.ts'
import { cannotTell, type Given, type Reading, type Step } from '../probe.ts'
import { need, type Need } from '../target.ts'
import { isSuccess } from '../answers.ts'
import { answerTo } from './readings.ts'

/** What an intent is made from. */
export const idsOfIntent: readonly Need[] = ['ids.customer', 'ids.payment_method']

/** What is particular about one. */
export interface Particular {
  /** Tells its network id from those of the other intents of the run. */
  networkId: string
  body?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
}

/** A request that makes one; undefined leaves it out. */
export const newIntent = (name: string, particular: (given: Given) => Particular | undefined): Step => ({
  name,
  risk: 'write',
  method: 'POST',
  path: () => createTransactionIntent.path,
  request(given) {
    const asked = particular(given)
    if (!asked) return undefined
    const { target, run } = given
    const { networkId, body, headers } = asked
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

/** Why nothing can be told when an intent without any fault is not made. */
export function unlessMade(given: Given, name: string): Reading<never> | undefined {
  const answer: Answer = answerTo(given, name)
  if (isSuccess(answer)) return undefined
  return cannotTell(
    `an intent is answered ${briefly(answer)}`,
    'ids.payment_method that is an active card of ids.customer',
  )
}
