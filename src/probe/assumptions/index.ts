// The probes that decide the assumptions: one for each that says it is observable.
import type { assumptionCatalogue, AssumptionId, AssumptionValue } from '../../contract/assumptions.ts'
import type { Probe } from '../probe.ts'
import { customerProbes } from './about-customers.ts'
import { orderEventProbes } from './about-order-events.ts'
import { paymentMethodProbes } from './about-payment-methods.ts'
import { rewardProbes } from './about-rewards.ts'
import { routeProbes } from './about-routes.ts'
import { statementProbes } from './about-statements.ts'

/** The assumptions that a probe decides: all whose entry does not say why none can. */
export type ObservableId = {
  [Id in AssumptionId]: (typeof assumptionCatalogue)[Id] extends { unobservable: string } ? never : Id
}[AssumptionId]

/** The probes of some assumptions. */
export type ProbesOf<Ids extends AssumptionId> = { readonly [Id in Ids]: Probe<AssumptionValue<Id>> }

// TODO of this branch, not to land: Partial goes when each file is there.
export const assumptionProbes: Partial<ProbesOf<ObservableId>> = {
  ...routeProbes,
  ...paymentMethodProbes,
  ...customerProbes,
  ...statementProbes,
  ...rewardProbes,
  ...orderEventProbes,
}
