import { assumptionCatalogue } from '../contract/assumptions.ts'
import type { ExchangeRecord } from '../journal/record.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { fact, type Part } from './explanation.ts'

/** What the answer rests on that the contract does not show, with the question that it leaves open. */
export function explainAssumptions({ assumptions }: ExchangeRecord, context: ExplanationContext): Part {
  if (assumptions.length === 0) return {}
  return {
    section: {
      about: 'assumptions',
      facts: assumptions.map((id) => fact(id, context.assumptions[id], assumptionCatalogue[id].question)),
    },
  }
}
