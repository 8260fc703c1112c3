// Checks of the customer search for a service that refuses one without partner_customer_id, which an assumption
// decides.
import { searchCustomers } from '../../endpoints/customers.ts'
import { isViolation } from '../answers.ts'
import { cannotTell, type ProbeContext } from '../probe.ts'
import { plain } from './calls.ts'
import type { Check } from './check.ts'
import { detailsOf, namesField } from './seen.ts'

const unfiltered = plain(searchCustomers)

/** The same check, which reports nothing broken if the service refuses its searches without a filter. */
export function orWithoutFilter(check: Check): Check {
  if (check.operation !== searchCustomers.id || isFiltered(check)) return check
  return {
    ...check,
    steps: check.steps.includes(unfiltered) ? check.steps : [unfiltered, ...check.steps],
    read(context) {
      const reading = check.read(context)
      return reading.is === 'other' && refusesUnfiltered(context)
        ? cannotTell('customers_without_filter decides it: a search without partner_customer_id is refused')
        : reading
    },
  }
}

/** Whether all searches of a check have the filter. */
const isFiltered = ({ id }: Check): boolean => /\/(partner_customer_id|match)(\/|$)/.test(id)

function refusesUnfiltered({ answer }: ProbeContext): boolean {
  const refused = answer(unfiltered.name)
  return (
    refused !== undefined &&
    isViolation(refused) &&
    detailsOf(refused).some((detail) => namesField(detail, 'partner_customer_id'))
  )
}
