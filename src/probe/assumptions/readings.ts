// What readers of assumptions have in common: an answer that was asked for, and the value that something seen is.
import { valuesOf, type AssumptionId, type AssumptionValue } from '../../contract/assumptions.ts'
import type { Answer } from '../read-answer.ts'
import { cannotTell, other, value, type Given, type Reading } from '../probe.ts'

/** The answer to a step that is always asked. */
export function answerTo(given: Given, step: string): Answer {
  const answer = given.answer(step)
  if (!answer) throw new Error(`a probe reads the answer to '${step}' without asking it`)
  return answer
}

/** The value of an assumption that was seen; `told` says what it is otherwise. */
export function valueSeen<Id extends AssumptionId>(
  id: Id,
  seen: string | number,
  told: string = String(seen),
): Reading<AssumptionValue<Id>> {
  const known = valuesOf(id).find((one) => one === seen)
  return known === undefined ? other(told) : value(known)
}

/** The status of answers that should all have the same. */
export function statusSeen<Id extends AssumptionId>(
  id: Id,
  answers: readonly Answer[],
): Reading<AssumptionValue<Id>> {
  const statuses = [...new Set(answers.map(({ status }) => status))]
  const [status = 0] = statuses
  // A service that is out of order says nothing; 501 is what some have for a method.
  if (statuses.some((one) => one >= 500 && one !== 501))
    return cannotTell(`it was answered ${statuses.join(' and ')}`)
  return statuses.length === 1
    ? valueSeen(id, status, `status ${status}`)
    : other(`statuses ${statuses.join(' and ')}`)
}
