// Builds the requests that exercise a point on the built-in fixtures, in sending order. The list is empty if the
// fixtures have no data for it.
import type { Assumptions } from '../../contract/assumptions.ts'
import { merchantKeyHeader } from '../../contract/credentials.ts'
import { errorRow, type ErrorType } from '../../contract/errors.ts'
import { versionHeader } from '../../contract/versions.ts'
import { isRequired, type Endpoint } from '../../endpoints/define.ts'
import { scenarioHeader } from '../../scenarios/scenario.ts'
import type { ApiKeyRow } from '../../store/rows.ts'
import type { Draft, Recipe, PointContext } from '../points/point.ts'
import { pageRequests, type PageRequest } from './page-requests.ts'
import { tokenVariable, type SampleRequest } from './sample-request.ts'
import { sampleBody } from './sample-body.ts'
import { subjectOf, unknownId } from './sample-row.ts'
import type { Samples } from './samples.ts'

export function exercise(
  endpoint: Endpoint,
  { recipe: requestedRecipe }: Draft,
  samples: Samples,
  { values }: PointContext,
): SampleRequest[] {
  const recipe =
    requestedRecipe.error === undefined
      ? requestedRecipe
      : { ...requestedRecipe, ...causeOf(endpoint, requestedRecipe.error, samples) }
  const chosen = chooseKey(recipe, samples)
  const subject = subjectOf(endpoint, recipe, samples, values)
  if (!chosen || subject === 'none') return []
  const path = pathOf(endpoint, subject, recipe)
  const inputs = {
    query: { ...requiredQuery(endpoint, values), ...recipe.query },
    body: sampleBody(endpoint, recipe, subject, values),
  }
  const pages = recipe.page === undefined ? [inputs] : pageRequests(endpoint, recipe.page, inputs, samples)
  return pages.map(({ query, body, keeps, scenario = chosen.scenario ?? recipe.scenario }: PageRequest) => ({
    method: endpoint.method,
    path: path + queryOf(endpoint, query, values),
    ...credential(recipe, chosen.key),
    headers: {
      ...(recipe.credential === 'bearer' ? { authorization: `Bearer ${chosen.key.api_key}` } : {}),
      ...(recipe.version === undefined ? {} : { [versionHeader]: recipe.version }),
      ...productHeader(recipe, chosen.key),
      ...(scenario === undefined ? {} : { [scenarioHeader]: scenario }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: asciiJson(body) }),
    ...(keeps === undefined ? {} : { keeps }),
  }))
}

/** The query parameters that every call must send, with their examples. */
function requiredQuery({ query }: Endpoint, values: Assumptions): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([field, parameter]) =>
      isRequired(parameter, values) && typeof parameter.example === 'string'
        ? [[field, parameter.example]]
        : [],
    ),
  )
}

/**
 * Returns a suitable key of the fixtures. If there is none, returns the default key with the scenario that removes the
 * scope from it.
 */
function chooseKey(
  { key: requestedKey }: Recipe,
  samples: Samples,
): { key: ApiKeyRow; scenario?: string } | undefined {
  if (requestedKey === undefined || (typeof requestedKey === 'object' && 'has' in requestedKey))
    return { key: samples.key }
  if (typeof requestedKey === 'string') {
    const key = requestedKey === 'of no scopes' ? samples.keyOfNoScopes : samples.keyOfSeveralProducts
    return key && { key }
  }
  const key = samples.keyWithout(requestedKey.lacks)
  const lacking = requestedKey.lacks.toLowerCase().replaceAll('_', '-')
  return key ? { key } : { key: samples.key, scenario: `scope-missing-${lacking}` }
}

/** The user name and password that curl sends as HTTP Basic. */
function credential(
  { credential: form = 'basic_key' }: Recipe,
  { id, secret, api_key: apiKey }: ApiKeyRow,
): Pick<SampleRequest, 'user'> {
  switch (form) {
    case 'none':
    case 'bearer':
      return {}
    case 'unusable':
      return { user: 'sk_nobody:' }
    case 'basic_key':
      return { user: `${apiKey}:` }
    case 'basic_key_pair':
      return { user: `${id}:${secret}` }
  }
}

function productHeader({ product }: Recipe, { products }: ApiKeyRow): Record<string, string> {
  if (product === undefined) return {}
  return { [merchantKeyHeader]: product === 'own' ? (products[0] ?? '') : 'mk_nobody' }
}

function pathOf(
  { path, params }: Endpoint,
  subject: Readonly<Record<string, unknown>> | undefined,
  { unknown }: Recipe,
): string {
  const names = Object.keys(params)
  return names.reduce((filled, name) => {
    const own = name === names.at(-1) ? subject?.['id'] : subject?.[name]
    return filled.replace(`{${name}}`, name === unknown ? unknownId : String(own))
  }, path)
}

function queryOf({ query }: Endpoint, requested: PageRequest['query'], values: Assumptions): string {
  const pairs = Object.entries(requested).flatMap(([field, fieldValues]) => {
    const nameFrom = query[field]?.nameFrom
    const name = nameFrom ? values[nameFrom] : field
    return [fieldValues]
      .flat()
      .map((value) => `${name}=${value === tokenVariable ? tokenVariable : encodeURIComponent(value)}`)
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** JSON that is safe to paste into a terminal, which would treat DEL and other control characters as pressed keys. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Causes of errors whose row names no parameter, for operations where an unknown id does not cause them. */
const ownCauses: Readonly<Record<string, (samples: Samples) => Recipe>> = {
  updateReward: () => ({ scenario: 'reward-settled-before-update' }),
  linkCustomer: (samples) => ({ fields: { partner_customer_id: partnerIdOfAnother(samples) } }),
}

/** Returns the recipe that makes an endpoint answer with a declared error. */
function causeOf(endpoint: Endpoint, type: ErrorType, samples: Samples): Recipe {
  const { param } = errorRow(type)
  if (param !== undefined) return { unknown: param }
  const last = Object.keys(endpoint.params).at(-1)
  return ownCauses[endpoint.id]?.(samples) ?? (last === undefined ? {} : { unknown: last })
}

/** Sample calls use the first customer, so another customer must own the id. */
function partnerIdOfAnother(samples: Samples): unknown {
  const [, ...others] = samples.rows('customers')
  return others.find(({ partner_customer_id: id }) => id !== undefined)?.['partner_customer_id']
}
