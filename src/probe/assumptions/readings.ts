// Common functions of readers: the answer to a step, and the value for an observation.
import { valuesOf, type AssumptionId, type AssumptionValue } from '../../contract/assumptions.ts'
import type { Answer } from '../read-answer.ts'
import { cannotTell, other, value, type ProbeContext, type Reading } from '../probe.ts'

/** Returns the answer to a step that is always sent. */
export function answerTo(context: ProbeContext, step: string): Answer {
  const answer = context.answer(step)
  if (!answer) throw new Error(`a probe reads the answer to the unsent '${step}'`)
  return answer
}

/** Returns the observed value of an assumption; `described` describes any other observation. */
export function valueSeen<Id extends AssumptionId>(
  id: Id,
  seen: string | number,
  described: string = String(seen),
): Reading<AssumptionValue<Id>> {
  const known = valuesOf(id).find((one) => one === seen)
  return known === undefined ? other(described) : value(known)
}

/** Returns the status of answers that should all have the same. */
export function statusSeen<Id extends AssumptionId>(
  id: Id,
  answers: readonly Answer[],
): Reading<AssumptionValue<Id>> {
  const statuses = [...new Set(answers.map(({ status }) => status))]
  const [status = 0] = statuses
  // A failing service shows nothing; some services answer 501 for a method.
  if (statuses.some((one) => one >= 500 && one !== 501))
    return cannotTell(`it was answered ${statuses.join(' and ')}`)
  return statuses.length === 1
    ? valueSeen(id, status, `status ${status}`)
    : other(`statuses ${statuses.join(' and ')}`)
}
