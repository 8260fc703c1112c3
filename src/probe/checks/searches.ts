// The searches by partner identifier: as it is, with its letters in the other case, and one that nobody has.
import { searchCustomers } from '../../endpoints/customers.ts'
import type { Step } from '../probe.ts'
import { found, type Target } from '../target.ts'

const search = (name: string, asked: (target: Target) => string | undefined): Step<'holds'> => ({
  name,
  risk: 'read',
  method: 'GET',
  path: ({ target }) =>
    `${searchCustomers.path}?partner_customer_id=${encodeURIComponent(asked(target) ?? '')}`,
  request: ({ target }) => (asked(target) === undefined ? undefined : {}),
})

/** An identifier that no customer has. */
export const nobody = 'cannot_exist_prs'
const partnerIdOf = (target: Target): string | undefined => found(target, 'ids.partner_customer_id')

/** The same identifier with its letters in the other case; undefined for one without letters. */
export function otherCase(target: Target): string | undefined {
  const id = partnerIdOf(target)
  const swapped = id?.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  return swapped === id ? undefined : swapped
}

/** The search for the one customer whom the target names by their partner identifier. */
export const exactSearch = search('exact', partnerIdOf)

/** One that finds nobody. */
export const nobodySearch = search('nobody', () => nobody)

export const searches: readonly Step<'holds'>[] = [exactSearch, search('other case', otherCase), nobodySearch]
