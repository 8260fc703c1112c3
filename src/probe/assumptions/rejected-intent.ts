// A transaction intent for a customer that cannot exist: rules of the body are checked before rows, so the answer shows
// whether the body broke one, and nothing is ever created.
import { createTransactionIntent } from '../../endpoints/transaction-intents.ts'
import type { Answer } from '../read-answer.ts'
import type { ProbeRequest } from '../prepare.ts'
import { briefly, errorIn } from '../error-shape.ts'
import { cannotTell, other, value, type ProbeContext, type Probe, type Reading, type Step } from '../probe.ts'
import { step } from './common-steps.ts'
import { answerTo } from './readings.ts'

/** Breaks no rule of a body, and refers to nothing that exists. */
export const rejectedIntent = {
  customer_id: 'cus_cannot_exist',
  amount: 1,
  currency: 'USD',
  payment_method_id: 'pm_cannot_exist',
  network_transaction_id: 'cannot_exist',
} as const

/** The same without the closing brace, so that it can be extended. */
export const openRejectedIntent = JSON.stringify(rejectedIntent).slice(0, -1)

export const rejectedIntentStep = (name: string, requested: Omit<ProbeRequest, 'method' | 'path'>): Step =>
  step(name, 'refusal', 'POST', createTransactionIntent.path, requested)

/** Sends a text unchanged, as JSON. */
export const asJson = (body: string): Omit<ProbeRequest, 'method' | 'path'> => ({
  body,
  headers: { 'content-type': 'application/json' },
})

/** The valid body. */
export const faultless = rejectedIntentStep('faultless', { json: rejectedIntent })

/**
 * Returns the result of a body: `passed` if the customer was looked up and not found (shape C); otherwise the shape of
 * its refusal; undefined for any other answer.
 */
export function fateOf(answer: Answer): 'passed' | 'A' | 'B' | undefined {
  const shape = errorIn(answer)?.shape
  if (shape === 'C') return 'passed'
  return answer.status === 400 ? shape : undefined
}

/** Returns why bodies cannot be tested, if the valid one did not pass. */
export function unlessFaultless(context: ProbeContext): Reading<never> | undefined {
  const answer = answerTo(context, faultless.name)
  if (fateOf(answer) === 'passed') return undefined
  return cannotTell(
    `an intent for an unknown customer is answered ${briefly(answer)}, and not as a customer that is not found`,
    'keys.full with the scope TRANSACTION_INTENT_WRITE',
  )
}

/** Whether an amount passes in every request that has one. */
export function amountProbe(
  id: 'negative_amount' | 'zero_amount' | 'reward_amount_zero',
  steps: readonly Step[],
): Probe<'accept' | 'refuse'> {
  return {
    id,
    needs: [],
    steps: [faultless, ...steps],
    read(context) {
      const unclear = unlessFaultless(context)
      if (unclear) return unclear
      const answers = steps.map(({ name }) => answerTo(context, name))
      const fates = answers.map(fateOf)
      if (fates.every((fate) => fate === 'passed')) return value('accept')
      return fates.every((fate) => fate === 'A') ? value('refuse') : other(answers.map(briefly).join(' and '))
    },
  }
}

/** A probe of one body in addition to the valid one: it passes, or breaks a rule. */
export function ruleProbe<V extends string>(
  id: string,
  requested: Parameters<typeof rejectedIntentStep>[1],
  { passed, refused }: { passed: V; refused: V },
): Probe<V> {
  return {
    id,
    needs: [],
    steps: [faultless, rejectedIntentStep('asked', requested)],
    read(context) {
      const unclear = unlessFaultless(context)
      if (unclear) return unclear
      const answer = answerTo(context, 'asked')
      const fate = fateOf(answer)
      if (fate === 'passed') return value(passed)
      return fate === 'A' ? value(refused) : other(briefly(answer))
    },
  }
}
