// Probes of the assumptions about customers and pages.
import { searchCustomers } from '../../endpoints/customers.ts'
import { assumptionCatalogue, valuesOf } from '../../contract/assumptions.ts'
import { isViolation, pageIn, unlike, type ListedPage } from '../answers.ts'
import type { Answer } from '../read-answer.ts'
import { cannotTell, other, value, type ProbeContext, type Reading, type Step } from '../probe.ts'
import { found, type Target } from '../target.ts'
import { statementsPath } from './about-statements.ts'
import { step } from './common-steps.ts'
import { customerPageSteps, rowsOfCustomerPages, emptySearch } from './customer-pages.ts'
import type { ProbesOf } from './probes-of.ts'
import { namingSteps, nameOfPageSize } from './page-size.ts'
import { orderOf, ordersThatFit } from './row-order.ts'

type CustomerAssumptionId =
  | 'customers_without_filter'
  | 'customers_page_size_parameter'
  | 'customers_page_size_cap'
  | 'default_page_size'
  | 'customers_order'
  | 'unknown_cursor'

const customersPath = (): string => searchCustomers.path
const naming = namingSteps('customers_page_size_parameter', () => emptySearch)

/** Number of pages after which a service with one customer per page has shown its order. */
const pagesForOrder = 8
/** Number of rows that show an order rather than a coincidence. */
const rowsForOrder = 8

/** A page of customers whose size depends on earlier answers. */
function sizedPage(name: string, sizeOf: (context: ProbeContext) => number | undefined): Step {
  return {
    name,
    risk: 'read',
    method: 'GET',
    path: () => `${customersPath()}?<page size>=<size>`,
    request(context) {
      const parameter = nameOfPageSize('customers_page_size_parameter', context)
      const size = sizeOf(context)
      if (parameter.is !== 'value' || size === undefined) return undefined
      return { path: `${customersPath()}?${parameter.value}=${size}` }
    },
  }
}

/** The steps to omit if the target names no account. */
const statements: Step = {
  name: 'statements',
  risk: 'read',
  method: 'GET',
  path: (context) => (hasAccount(context.target) ? statementsPath(context) : '<statements>'),
  request: ({ target }) => (hasAccount(target) ? {} : undefined),
}

const customers: Step = {
  name: 'customers',
  risk: 'read',
  method: 'GET',
  path: customersPath,
  request: () => ({}),
}

function hasAccount(target: Target): boolean {
  return found(target, 'ids.customer') !== undefined && found(target, 'ids.account') !== undefined
}

/** Of the 5 MB that are read of an answer, as customers differ in size. */
const readableBytes = 4_000_000

/** Sizes above each cap in the catalogue; the last is as much as an answer can hold. */
const sizesForCap = [...valuesOf('customers_page_size_cap')].toSorted((a, b) => a - b).map((cap) => cap + 1)
const [minCap, maxCap] = assumptionCatalogue.customers_page_size_cap.range ?? [1, Infinity]
const sizes = [...sizesForCap, maxCap + 1]
const capSteps = sizes.map((_, place) => sizedPage(`size ${place}`, (context) => sizeAt(context, place)))

interface SizedPage extends ListedPage {
  size: number
  bytes: number
}

/** Returns the next size to request; undefined if earlier answers show the cap, or a larger page could not be read. */
function sizeAt(context: ProbeContext, place: number): number | undefined {
  const wanted = sizes[place]
  if (place === 0 || wanted === undefined) return wanted
  const before = sizedAt(context, place - 1)
  if (!before?.more || before.items.length !== before.size) return undefined
  const readable = Math.floor((readableBytes * before.size) / before.bytes)
  return readable > before.size ? Math.min(wanted, readable) : undefined
}

function sizedAt(context: ProbeContext, place: number): SizedPage | undefined {
  const size = sizeAt(context, place)
  const answer = context.answer(`size ${place}`)
  const page = pageIn(answer)
  return size !== undefined && answer && page ? { ...page, size, bytes: answer.text.length } : undefined
}

export const customerProbes: ProbesOf<CustomerAssumptionId> = {
  customers_without_filter: {
    id: 'customers_without_filter',
    needs: [],
    steps: [customers, step('empty search', 'read', 'GET', emptySearch)],
    read(context) {
      const [answer, filtered] = [context.answer('customers'), context.answer('empty search')]
      if (pageIn(answer)) return value('all')
      return isViolation(answer) && pageIn(filtered) ? value('bad_request') : unlike(answer)
    },
  },
  customers_page_size_parameter: {
    id: 'customers_page_size_parameter',
    needs: [],
    steps: naming,
    read: (context) => nameOfPageSize('customers_page_size_parameter', context),
  },
  customers_page_size_cap: {
    id: 'customers_page_size_cap',
    needs: [],
    steps: [customers, ...naming, ...capSteps],
    read(context) {
      const widest = sizes.map((_, place) => sizedAt(context, place)).findLast((page) => page !== undefined)
      if (!widest) return isViolation(context.answer('customers')) ? notListed : withoutSize(context)
      const { size, items, more } = widest
      const { length } = items
      if (length > size) return other(`${length} customers on a page of ${size}`)
      if (!more) return hiddenCap(length)
      if (length < minCap) return other('an empty page with more pages after it')
      if (length < size) return value(length)
      return cannotTell(`a page may hold ${size} customers, and a larger one cannot be read to its end`)
    },
  },
  default_page_size: {
    id: 'default_page_size',
    needs: [],
    steps: [
      statements,
      customers,
      ...naming,
      sizedPage('one customer more', (context) => {
        const page = pageIn(context.answer('customers'))
        const isNeeded = page?.more && !pageIn(context.answer('statements'))?.more
        return isNeeded ? page.items.length + 1 : undefined
      }),
    ],
    read(context) {
      const [ofStatements, ofCustomers] = ['statements', 'customers'].map((name) =>
        pageIn(context.answer(name)),
      )
      if (ofStatements?.more) {
        const { length } = ofStatements.items
        // The service may just have fewer customers.
        if (ofCustomers && ofCustomers.items.length > length)
          return other(`${length} statements on a page, and ${ofCustomers.items.length} customers`)
        return pageSize(length)
      }
      if (!ofCustomers) return withoutList(context.answer('customers'))
      const { length } = ofCustomers.items
      if (!ofCustomers.more) {
        const [, most] = assumptionCatalogue.default_page_size.range ?? [1, 100]
        const takes = `${Math.max(1, most + 1 - length)} more customers, or ids.account with ${most + 1} statements`
        return cannotTell('every list read fits on one page', takes)
      }
      const wider = pageIn(context.answer('one customer more'))
      if (wider && wider.items.length > length) return pageSize(length)
      return cannotTell(
        `${length} customers may be the maximum of any page`,
        `ids.account with more than ${length} statements`,
      )
    },
  },
  customers_order: {
    id: 'customers_order',
    needs: [],
    steps: customerPageSteps(
      pagesForOrder,
      (rows) => rows.length >= rowsForOrder && ordersThatFit(valuesOf('customers_order'), rows).length < 2,
    ),
    read(context) {
      const rows = rowsOfCustomerPages(context)
      if (!pageIn(context.answer('page 1'))) return withoutList(context.answer('page 1'))
      return orderOf(
        valuesOf('customers_order'),
        rows,
        'more customers with different created_at, not created in the order of their ids',
      )
    },
  },
  unknown_cursor: {
    id: 'unknown_cursor',
    needs: [],
    steps: [
      customers,
      statements,
      after('unknown customer', customersPath, () => true),
      after('unknown statement', statements.path, hasAccount),
    ],
    read(context) {
      const ofCustomers = isViolation(context.answer('customers'))
        ? notListed
        : leadOf(context, 'customers', 'unknown customer')
      if (!context.answer('unknown statement')) return ofCustomers
      const ofStatements = leadOf(context, 'statements', 'unknown statement')
      if (ofCustomers.is === 'value' && ofStatements.is === 'value') {
        const [one, two] = [ofCustomers.value, ofStatements.value]
        return one === two ? value(one) : other(`${one} for customers, and ${two} for statements`)
      }
      if (ofCustomers.is === 'other') return ofCustomers
      if (ofStatements.is === 'other') return ofStatements
      return ofCustomers.is === 'value' ? ofCustomers : ofStatements
    },
  },
}

/** The reading of a service that lists no customers without a filter. */
const notListed = cannotTell(
  'a search without partner_customer_id is refused',
  'a service that lists all customers',
)

const withoutList = (answer: Answer | undefined): Reading<never> =>
  isViolation(answer) ? notListed : unlike(answer)

function withoutSize(context: ProbeContext): Reading<never> {
  const parameter = nameOfPageSize('customers_page_size_parameter', context)
  if (parameter.is === 'value') return unlike(context.answer('size 0'))
  return cannotTell('the name of the page size is not known', 'what customers_page_size_parameter takes')
}

/** All customers on one page only show that as many fit. */
function hiddenCap(shown: number): Reading<never> {
  const next = sizesForCap.find((size) => size > shown)
  const takes = next === undefined ? 'more customers than one page holds' : `${next - shown} more customers`
  return cannotTell(`all ${shown} customers stand on one page`, takes)
}

function pageSize(length: number): Reading<number> {
  const [least, most] = assumptionCatalogue.default_page_size.range ?? [1, 100]
  return length >= least && length <= most ? value(length) : other(`${length} items on a page`)
}

/** A page after a cursor that no list has. */
function after(name: string, list: Step['path'], isThere: (target: Target) => boolean): Step {
  return {
    name,
    risk: 'read',
    method: 'GET',
    path: (context) => `${list(context)}?starting_after=cannot_exist`,
    request: ({ target }) => (isThere(target) ? {} : undefined),
  }
}

/** The answer to an unknown cursor, compared with the first page of its list. */
function leadOf(context: ProbeContext, list: string, lead: string) {
  const answer = context.answer(lead)
  if (isViolation(answer)) return value('refuse' as const)
  const page = pageIn(answer)
  const first = pageIn(context.answer(list))
  if (!page) return unlike(answer)
  if (!first || first.items.length === 0)
    return cannotTell(`there are no ${list} to be shown`, `a target with ${list}`)
  if (page.items.length === 0) return value('empty_page' as const)
  return idsOf(page) === idsOf(first)
    ? value('first_page' as const)
    : other(`a page of ${list} that is neither the first nor empty`)
}

const idsOf = ({ items }: ListedPage): string =>
  JSON.stringify(items.map(({ id, statement_id: ofStatement }) => id ?? ofStatement))
