// The first pages of the customer search, without a page size.
import { searchCustomers } from '../../endpoints/customers.ts'
import { pageIn } from '../answers.ts'
import type { ProbeContext, Step } from '../probe.ts'

type Row = Readonly<Record<string, unknown>>

/** A search without a match. A service answers it even if it refuses a search without a filter. */
export const emptySearch = `${searchCustomers.path}?partner_customer_id=cannot_exist`

const stepOf = (page: number): string => `page ${page}`

/**
 * Reads so many pages, unless fewer are enough. Probes that read them share the requests.
 *
 * @param enough whether the rows of all pages so far are enough.
 */
export function customerPageSteps(
  pages: number,
  enough: (rows: Row[], context: ProbeContext) => boolean,
): Step[] {
  return Array.from({ length: pages }, (_, before): Step => {
    const page = before + 1
    return {
      name: stepOf(page),
      risk: 'read',
      method: 'GET',
      path: () => searchCustomers.path + (before === 0 ? '' : '?starting_after=<customer>'),
      request(context) {
        if (before === 0) return {}
        const { items = [], more } = pageIn(context.answer(stepOf(before))) ?? {}
        const id = items.at(-1)?.['id']
        if (!more || typeof id !== 'string' || enough(rowsOfCustomerPages(context), context)) return undefined
        return { path: `${searchCustomers.path}?starting_after=${encodeURIComponent(id)}` }
      },
    }
  })
}

/** The customers of the pages, in their order. */
export function rowsOfCustomerPages(context: ProbeContext): Row[] {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const found = pageIn(context.answer(stepOf(page)))
    if (!found) return rows
    rows.push(...found.items)
  }
}
