// The probes that decide the assumptions: one for each that says it is observable.
import { authenticationProbes } from './about-authentication.ts'
import { intentProbes } from './about-intents.ts'
import { keyProbes } from './about-keys.ts'
import { requestProbes } from './about-requests.ts'
import { routeProbes } from './about-routes.ts'
import { serviceProbes } from './about-service.ts'
import type { ObservableId, ProbesOf } from './probes-of.ts'

// Partial until each file is there.
export const assumptionProbes: Partial<ProbesOf<ObservableId>> = {
  ...serviceProbes,
  ...authenticationProbes,
  ...routeProbes,
  ...requestProbes,
  ...intentProbes,
  ...keyProbes,
}
