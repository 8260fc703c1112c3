// Searches by partner identifier: exact, with swapped case, and an unknown one.
import { searchCustomers } from '../../endpoints/customers.ts'
import type { Step } from '../probe.ts'
import { found, type Target } from '../target.ts'

const search = (name: string, requested: (target: Target) => string | undefined): Step<'holds'> => ({
  name,
  risk: 'read',
  method: 'GET',
  path: ({ target }) =>
    `${searchCustomers.path}?partner_customer_id=${encodeURIComponent(requested(target) ?? '')}`,
  request: ({ target }) => (requested(target) === undefined ? undefined : {}),
})

/** An identifier that no customer has. */
export const unknownIdentifier = 'cannot_exist_prs'
const partnerIdOf = (target: Target): string | undefined => found(target, 'ids.partner_customer_id')

/** Returns the same identifier with swapped case; undefined if it has no letters. */
export function otherCase(target: Target): string | undefined {
  const id = partnerIdOf(target)
  const swapped = id?.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  return swapped === id ? undefined : swapped
}

/** The search for the customer that the target names by its partner identifier. */
export const exactSearch = search('exact', partnerIdOf)

/** A search without a result. */
export const emptySearch = search('unknown identifier', () => unknownIdentifier)

export const searches: readonly Step<'holds'>[] = [exactSearch, search('other case', otherCase), emptySearch]
