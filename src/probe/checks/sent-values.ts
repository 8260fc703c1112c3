// Checks of sent values: each that the contract lists is accepted.
import { cannotTell } from '../probe.ts'
import { found } from '../target.ts'
import { call, needsOf, onlyReads, needByParameter } from './calls.ts'
import { changing, updatedStatus } from './changing.ts'
import { broken, holds, type Facet } from './check.ts'
import { isSuccess } from '../answers.ts'
import { inWords, isMissingRow, isRefusedKey, readAnswer } from './seen.ts'
import { decidedBy } from './undecided.ts'

export const sentValues: Facet = (endpoint, { recipe }) => {
  const [[field, value] = ['', '']] = Object.entries(recipe.fields ?? {})
  if (!onlyReads(endpoint)) {
    // Which other statuses a reward may be updated to is an assumption.
    if (value !== updatedStatus) return decidedBy('reward_target_statuses')
    const { needs, uses, step } = changing(endpoint)
    return {
      needs,
      ...(uses ? { uses } : {}),
      steps: [step],
      read: (context) =>
        readAnswer(context, step.name, (answer) =>
          isSuccess(answer)
            ? holds
            : cannotTell(`the row cannot be used: ${inWords(answer)}`, 'another row under expendable'),
        ),
    }
  }
  const sent = call(endpoint, 'filtered')
  const step: typeof sent = {
    ...sent,
    request: ({ target }) => ({
      json: { customer_id: found(target, needByParameter.customer_id), [field]: value },
    }),
  }
  return {
    needs: needsOf(endpoint),
    steps: [step],
    read: (context) =>
      readAnswer(context, step.name, (answer) => {
        if (isRefusedKey(answer)) return cannotTell(`the key is refused: ${inWords(answer)}`)
        if (isMissingRow(answer)) return cannotTell(`a row of the target is missing: ${inWords(answer)}`)
        return isSuccess(answer) ? holds : broken(inWords(answer), 'a success')
      }),
  }
}
