// The probes that decide the assumptions: one for each that says it is observable.
import type { assumptionCatalogue, AssumptionId, AssumptionValue } from '../../contract/assumptions.ts'
import type { Probe } from '../probe.ts'
import { authenticationProbes } from './about-authentication.ts'
import { intentProbes } from './about-intents.ts'
import { keyProbes } from './about-keys.ts'
import { requestProbes } from './about-requests.ts'
import { routeProbes } from './about-routes.ts'
import { serviceProbes } from './about-service.ts'

/** The assumptions that a probe decides: all whose entry does not say why none can. */
export type ObservableId = {
  [Id in AssumptionId]: (typeof assumptionCatalogue)[Id] extends { unobservable: string } ? never : Id
}[AssumptionId]

/** The probes of some assumptions. */
export type ProbesOf<Ids extends AssumptionId> = { readonly [Id in Ids]: Probe<AssumptionValue<Id>> }

// TODO of this branch, not to land: Partial goes when each file is there.
export const assumptionProbes: Partial<ProbesOf<ObservableId>> = {
  ...serviceProbes,
  ...authenticationProbes,
  ...routeProbes,
  ...requestProbes,
  ...intentProbes,
  ...keyProbes,
}
