// What payment methods, customers, statements, rewards and order events show: every value is found, whatever else is.
import { describe, expect, it } from 'vitest'
import { assumptionCatalogue, valuesOf, type AssumptionId } from '../../../src/contract/assumptions.ts'
import { aboutCustomers } from '../../../src/contract/assumptions/about-customers.ts'
import { aboutOrderEvents } from '../../../src/contract/assumptions/about-order-events.ts'
import { aboutPaymentMethods } from '../../../src/contract/assumptions/about-payment-methods.ts'
import { aboutRewards } from '../../../src/contract/assumptions/about-rewards.ts'
import { aboutStatements } from '../../../src/contract/assumptions/about-statements.ts'
import type { AssumptionEntry } from '../../../src/contract/assumptions/assumption-entry.ts'
import { observe } from '../../helpers/planting.ts'

const entries: Record<string, AssumptionEntry> = {
  ...aboutPaymentMethods,
  ...aboutCustomers,
  ...aboutStatements,
  ...aboutRewards,
  ...aboutOrderEvents,
}
const ids = (Object.keys(entries) as AssumptionId[]).filter((id) => entries[id]?.unobservable === undefined)

/** Beside those of the catalogue: both ends of what the rows can show, and some between. */
const moreNumbers: Partial<Record<AssumptionId, readonly number[]>> = {
  customers_page_size_cap: [1, 2, 99, 101, 437, 1001, 1020],
  default_page_size: [1, 2, 57, 99],
}

const planted = ids.flatMap((id) =>
  [...valuesOf(id), ...(moreNumbers[id] ?? [])].flatMap((value) =>
    [1, 2, 3].map((seed) => ({ id, value, seed })),
  ),
)

describe('what was planted is found', () => {
  it.each(planted)('$id=$value in target $seed', async ({ id, value, seed }) => {
    const { verdict, value: found, why } = await observe(id, { assume: { [id]: value }, seed })
    expect({ verdict, found, why }).toEqual({ verdict: 'observed', found: value })
  })
})
