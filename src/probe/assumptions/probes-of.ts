// The assumptions that a probe decides, and the type that requires a table of probes to have all of them.
import type { assumptionCatalogue, AssumptionId, AssumptionValue } from '../../contract/assumptions.ts'
import type { Probe } from '../probe.ts'

/** The assumptions that a probe decides: all whose entry has no reason why none can. */
export type ObservableId = {
  [Id in AssumptionId]: (typeof assumptionCatalogue)[Id] extends { unobservable: string } ? never : Id
}[AssumptionId]

/** The probes of some assumptions. */
export type ProbesOf<Subset extends AssumptionId> = { readonly [Id in Subset]: Probe<AssumptionValue<Id>> }
