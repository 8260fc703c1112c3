// What makes an endpoint answer with an error that it declares, for sample requests.
import { errorRow, type ErrorType } from '../../contract/errors.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import type { Recipe } from '../points/point.ts'
import type { Samples } from './samples.ts'

/** What brings an error about that names no parameter, where that is not an unknown id. */
const ownCauses: Readonly<Record<string, (samples: Samples) => Recipe>> = {
  updateReward: () => ({ scenario: 'reward-settled-before-update' }),
  linkCustomer: (samples) => ({ fields: { partner_customer_id: partnerIdOfAnother(samples) } }),
}

/** What makes an endpoint answer with an error that it declares. */
export function causeOf(endpoint: Endpoint, type: ErrorType, samples: Samples): Recipe {
  const { param } = errorRow(type)
  if (param !== undefined) return { unknown: param }
  const last = Object.keys(endpoint.params).at(-1)
  return ownCauses[endpoint.id]?.(samples) ?? (last === undefined ? {} : { unknown: last })
}

/** The first customer is the one that calls are about. */
function partnerIdOfAnother(samples: Samples): unknown {
  const [, ...others] = samples.rows('customers')
  return others.find(({ partner_customer_id: id }) => id !== undefined)?.['partner_customer_id']
}
