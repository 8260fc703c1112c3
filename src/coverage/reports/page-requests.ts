// The sample requests that reach a particular page of a list.
import { isJsonObject } from '../../contract/formats.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import type { Recipe } from '../points/point.ts'
import { tokenVariable } from './sample-request.ts'
import type { Samples } from './samples.ts'

interface Inputs {
  query: Readonly<Record<string, string | readonly string[]>>
  body: unknown
}

export interface PageRequest extends Inputs {
  /** The field of the answer whose value the next request needs. */
  keeps?: string
  scenario?: string
}

/** A page size that exceeds each list of the built-in fixtures, and the maximum that every list allows. */
const whole = 100

export function pageRequests(
  endpoint: Endpoint,
  page: NonNullable<Recipe['page']>,
  inputs: Inputs,
  samples: Samples,
): PageRequest[] {
  const keeps = endpoint.pagination === 'token' ? 'next_page_token' : 'id'
  const start = { ...asking({ limit: 1 }), keeps }
  switch (page) {
    case 'first':
      return [asking({ limit: 1 })]
    case 'middle':
      return [start, asking({ limit: 1, starting_after: tokenVariable })]
    case 'last':
      return [start, asking({ limit: whole, starting_after: tokenVariable })]
    case 'only':
      return [asking({ limit: whole })]
    case 'beyond':
      return [asking({ starting_after: 'nowhere' })]
    case 'empty':
      return endpoint.pagination === undefined
        ? [asking({ customer_id: customerWithoutMethods(samples) })]
        : [{ ...inputs, scenario: 'pagination-empty' }]
  }

  /** Adds page inputs to a request. A list reads them from the query, or from the body if an assumption allows it. */
  function asking(fields: Readonly<Record<string, string | number>>): Inputs {
    if (endpoint.pagination === undefined) {
      return { ...inputs, body: { ...(isJsonObject(inputs.body) ? inputs.body : {}), ...fields } }
    }
    const asText = Object.entries(fields).map(([name, value]) => [name, String(value)])
    return { ...inputs, query: { ...inputs.query, ...Object.fromEntries(asText) } }
  }
}

function customerWithoutMethods(samples: Samples): string {
  const owners = new Set(samples.rows('payment_methods').map(({ customer_id: owner }) => owner))
  return String(samples.rows('customers').find(({ id }) => !owners.has(id))?.['id'])
}
