// The contract points of every endpoint, derived on first use.
import { endpoints } from '../../endpoints/index.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { pointOf, pointsOf, type EndpointPoints } from './index.ts'
import type { ContractPoint, PointContext } from './point.ts'

export class PointCatalogue {
  readonly context: PointContext
  readonly #byEndpoint = new Map<Endpoint, EndpointPoints>()

  constructor(context: PointContext) {
    this.context = context
  }

  of(endpoint: Endpoint): EndpointPoints {
    let points = this.#byEndpoint.get(endpoint)
    if (!points) this.#byEndpoint.set(endpoint, (points = pointsOf(endpoint, this.context)))
    return points
  }

  /** Every point of the contract, in the order of the endpoints. */
  list(): ContractPoint[] {
    return endpoints.flatMap((endpoint) => this.of(endpoint).drafts.map((draft) => pointOf(endpoint, draft)))
  }
}
