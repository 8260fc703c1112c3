// The probes of all observable assumptions, one for each.
import { authenticationProbes } from './about-authentication.ts'
import { customerProbes } from './about-customers.ts'
import { intentProbes } from './about-intents.ts'
import { keyProbes } from './about-keys.ts'
import { linkProbes } from './about-links.ts'
import { orderEventProbes } from './about-order-events.ts'
import { paymentMethodProbes } from './about-payment-methods.ts'
import { requestProbes } from './about-requests.ts'
import { rewardProbes } from './about-rewards.ts'
import { routeProbes } from './about-routes.ts'
import { serviceProbes } from './about-service.ts'
import { statementProbes } from './about-statements.ts'
import type { ObservableId, ProbesOf } from './probes-of.ts'

/** In the order of the catalogue. */
export const assumptionProbes: ProbesOf<ObservableId> = {
  ...serviceProbes,
  ...authenticationProbes,
  ...routeProbes,
  ...requestProbes,
  ...intentProbes,
  ...paymentMethodProbes,
  ...customerProbes,
  ...linkProbes,
  ...statementProbes,
  ...rewardProbes,
  ...orderEventProbes,
  ...keyProbes,
}
