// Checks of products: selecting one of the key is accepted; a missing selection that is required, or another product,
// is refused.
import { merchantKeyHeader } from '../../contract/credentials.ts'
import type { Answer } from '../read-answer.ts'
import { cannotTell, type Reading, type Step } from '../probe.ts'
import { need } from '../target.ts'
import { call, noRow, onlyReads, plain } from './calls.ts'
import { broken, holds, type Checking, type Facet } from './check.ts'
import { isSuccess } from '../answers.ts'
import { inWords, isMissingRow, isOfEndpoint, readAnswer, saysTheSame } from './seen.ts'
import { decidedBy } from './undecided.ts'

export const products: Facet = (endpoint, { recipe, sentence }) => {
  const own = plain(endpoint)
  if (recipe.product === 'own') {
    const step = call(endpoint, 'product selected', { key: 'multi' })
    const selecting: Step<'holds'> = {
      ...step,
      request: (context) => ({
        ...step.request(context),
        headers: { [merchantKeyHeader]: need(context.target, 'merchant_keys[0]') },
      }),
    }
    return { needs: ['keys.multi', 'merchant_keys[0]'], ...compared(own, selecting, isSelected) }
  }
  // Which calls must select a product is an assumption if the key has only one.
  if (recipe.product === undefined && recipe.key === undefined) return decidedBy('merchant_key_required')
  const [needs, step] =
    recipe.product === 'unknown'
      ? // With one product only, the header may have no effect.
        [
          ['merchant_keys[0]'] as const,
          call(endpoint, 'unknown product', { headers: { [merchantKeyHeader]: noRow } }),
        ]
      : [
          ['keys.multi', 'merchant_keys[1]'] as const,
          call(endpoint, 'no product', { key: 'multi', withoutProduct: true }),
        ]
  const refusedAs = (answer: Answer, plainAnswer: Answer): Reading<'holds'> =>
    isRefused(answer, plainAnswer, onlyReads(endpoint))
  // The status of these refusals is an assumption.
  return { sentence: sentence.replace(/ with \d+\.$/, '.'), needs, ...compared(own, step, refusedAs) }
}

/** The plain call shows an answer that does not depend on the product. */
const compared = (
  own: Step<'holds'>,
  step: Step<'holds'>,
  read: (answer: Answer, plainAnswer: Answer) => Reading<'holds'>,
): Pick<Checking, 'steps' | 'read'> => ({
  steps: [own, step],
  read: (context) =>
    readAnswer(context, own.name, (plainAnswer) =>
      readAnswer(context, step.name, (answer) => read(answer, plainAnswer)),
    ),
})

/** A row of the target may belong to another product: then it is not found. */
function isSelected(answer: Answer, plainAnswer: Answer): Reading<'holds'> {
  if (isOfEndpoint(answer) || saysTheSame(answer, plainAnswer)) return holds
  // If the endpoint's own refusals look like any other, they do not show the product.
  if (!isOfEndpoint(plainAnswer)) return cannotTell(`the plain call is answered ${inWords(plainAnswer)}`)
  const { status } = answer
  if (status === 401 || status === 403) return cannotTell(`keys.multi is refused: ${inWords(answer)}`)
  return broken(inWords(answer), 'an answer for the product that was selected')
}

function isRefused(answer: Answer, plainAnswer: Answer, reads: boolean): Reading<'holds'> {
  if (isSuccess(answer)) return broken(inWords(answer), 'a refusal')
  if (answer.status === 401) return cannotTell(`the key is refused: ${inWords(answer)}`)
  // Rows may be looked up first; then a refusal for a missing row does not show the product.
  if (saysTheSame(answer, plainAnswer) || (isOfEndpoint(answer) && !(reads && isMissingRow(answer)))) {
    return cannotTell(`${inWords(answer)} says nothing of the product`)
  }
  return holds
}
