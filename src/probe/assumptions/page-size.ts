// Finds the name of the page-size parameter of a list: no row is needed for it.
import { valuesOf, type AssumptionValue } from '../../contract/assumptions.ts'
import { isViolation, isSuccess, unlike } from '../answers.ts'
import { briefly } from '../error-shape.ts'
import { other, value, type ProbeContext, type Reading, type Step } from '../probe.ts'

/** An assumption whose values are names of a page size. */
type PageSizeName = 'customers_page_size_parameter' | 'statements_page_size_parameter'

/**
 * Requests a page of 1 and a page of 0 under each name. Only under the right one is the first accepted and the second a
 * violation (contract: at least 1): any other is unknown, and ignored or refused whatever its value.
 */
export function namingSteps(id: PageSizeName, list: Step['path']): Step[] {
  return valuesOf(id).flatMap((name) =>
    [1, 0].map((size): Step => ({
      name: `${name}=${size}`,
      risk: size === 0 ? 'refusal' : 'read',
      method: 'GET',
      path: (context) => withParameter(list(context), `${name}=${size}`),
      request: () => ({}),
    })),
  )
}

const withParameter = (path: string, parameter: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${parameter}`

/** Returns the name that the answers to `namingSteps` show. */
export function nameOfPageSize<Id extends PageSizeName>(
  id: Id,
  context: ProbeContext,
): Reading<AssumptionValue<Id>> {
  const names = valuesOf(id)
  const requested = names.map((name) => ({
    name,
    one: context.answer(`${name}=1`),
    none: context.answer(`${name}=0`),
  }))
  const right = requested.filter(({ one, none }) => isSuccess(one) && isViolation(none))
  const [found, another] = right
  if (another) return other(`${right.map(({ name }) => name).join(' and ')} are all read as a page size`)
  if (found) return value(found.name)
  const unclear = requested.find(
    ({ one, none }) => !(isSuccess(one) && isSuccess(none)) && !(isViolation(one) && isViolation(none)),
  )
  if (!unclear) return other(`none of ${names.join(', ')} is read as a page size`)
  const { one, none } = unclear
  if (!isSuccess(one)) return unlike(one)
  return none && none.status < 500 ? other(`a page size of 0 is answered ${briefly(none)}`) : unlike(none)
}
