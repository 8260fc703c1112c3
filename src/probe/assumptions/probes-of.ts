// Which assumptions a probe decides, and the type that holds a table of probes to that.
import type { assumptionCatalogue, AssumptionId, AssumptionValue } from '../../contract/assumptions.ts'
import type { Probe } from '../probe.ts'

/** The assumptions that a probe decides: all whose entry does not say why none can. */
export type ObservableId = {
  [Id in AssumptionId]: (typeof assumptionCatalogue)[Id] extends { unobservable: string } ? never : Id
}[AssumptionId]

/** The probes of some assumptions. */
export type ProbesOf<Ids extends AssumptionId> = { readonly [Id in Ids]: Probe<AssumptionValue<Id>> }
