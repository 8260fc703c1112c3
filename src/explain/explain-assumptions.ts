// What the answer rests on that the contract does not show, with the question that it leaves open.
import { assumptionCatalogue } from '../contract/assumptions.ts'
import type { Exchange } from '../exchange/index.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { fact, type Part } from './explanation.ts'

export function explainAssumptions({ found }: Exchange, context: ExplanationContext): Part {
  const { restsOn } = found
  if (restsOn.length === 0) return {}
  return {
    section: {
      about: 'assumptions',
      facts: restsOn.map((id) => fact(id, context.assumptions[id], assumptionCatalogue[id].question)),
    },
  }
}
