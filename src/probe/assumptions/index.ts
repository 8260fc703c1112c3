// The probes that decide the assumptions: one for each that says it is observable.
import { routeProbes } from './about-routes.ts'
import type { ObservableId, ProbesOf } from './probes-of.ts'

// Partial until each file is there.
export const assumptionProbes: Partial<ProbesOf<ObservableId>> = {
  ...routeProbes,
}
