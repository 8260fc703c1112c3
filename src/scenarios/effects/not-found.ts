// The effect `not_found`: a row that does not exist, such as an unknown customer (404).
import { z } from 'zod'
import { errorRow, type ErrorType } from '../../contract/errors.ts'
import { missingParameter, type Endpoint } from '../../endpoints/define.ts'
import { effect } from '../effect.ts'

export const notFound = effect({
  name: 'not_found',
  help: "Ends the call with the operation's own not-found error; name the parameter if it has several.",
  schema: z.union([z.literal(true), z.string()], { error: 'must be the name of a parameter' }),
  bare: true,
  misfit(param, endpoint) {
    const own = notFoundErrors(endpoint).map((error) => error.param)
    if (own.length === 0) return `${endpoint.id} has no not-found error`
    if (param === true ? own.length === 1 : own.includes(param)) return undefined
    return param === true
      ? `${endpoint.id} has several not-found errors: name one of ${own.join(', ')}`
      : `${endpoint.id} has no not-found error for '${param}', expected one of: ${own.join(', ')}`
  },
  apply(param, call, { endpoint }) {
    const found = notFoundErrors(endpoint).find((error) => param === true || error.param === param)
    if (found) call.end({ kind: 'error', type: found.type, missing: found.param })
  },
})

/**
 * Returns the not-found errors that an endpoint declares, by their parameter; not the errors that assumptions put in
 * their place.
 */
function notFoundErrors(endpoint: Endpoint): { type: ErrorType; param: string }[] {
  const byParam = new Map<string, { type: ErrorType; param: string }>()
  for (const error of endpoint.errors) {
    const { type } = error
    const { param } = errorRow(type)
    if (param !== undefined && param === missingParameter(error)) byParam.set(param, { type, param })
  }
  return [...byParam.values()]
}
