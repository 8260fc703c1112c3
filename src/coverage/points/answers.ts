// Contract points of answers: the success of an operation, and each declared error (contract: Endpoints, Errors).
import { errorRow, typeInForce, type ErrorType } from '../../contract/errors.ts'
import { errorsInForce, type Endpoint } from '../../endpoints/define.ts'
import { isOwnAnswer } from '../what-counts.ts'
import type { Draft, Facet, PointContext } from './point.ts'
import { statusOf } from './success-status.ts'

export const answers: Facet = {
  points(endpoint, context) {
    return [
      {
        name: 'success',
        sentence: `A valid call answers ${statusOf(endpoint, context.values)}.`,
        section: endpoint.section,
        recipe: {},
      },
      ...errorTypes(endpoint, context).map((type) => errorPoint(endpoint, type, context)),
      ...(canBeInvalid(endpoint) ? [invalidPoint(endpoint)] : []),
    ]
  },
  watch(endpoint, placeOf, context) {
    const success = placeOf('success')
    const invalid = placeOf('error/VALIDATION_ERROR')
    const places = new Map(errorTypes(endpoint, context).map((type) => [type, placeOf(`error/${type}`)]))
    return (call, counter) => {
      if (!isOwnAnswer(call)) return
      const { asked } = call.resolution
      const { failure } = call.outcome
      if (failure === undefined) {
        if (asked) counter.hit(success)
      } else if (failure.type === 'VALIDATION_ERROR') counter.hit(invalid)
      // Earlier stages refuse with the same types, such as for a body that is not JSON. These errors are not declared.
      else if (asked) counter.hit(places.get(failure.type))
    }
  },
}

function errorTypes(endpoint: Endpoint, { values }: PointContext): ErrorType[] {
  return [...new Set(errorsInForce(endpoint, values).map(({ type }) => type))]
}

/** One point for each error type, even if an endpoint declares several occasions for it. */
function errorPoint(endpoint: Endpoint, type: ErrorType, context: PointContext): Draft {
  const declared = errorsInForce(endpoint, context.values).filter((error) => error.type === type)
  const row = errorRow(type)
  const statusFrom = declared[0]?.statusFrom ?? row.statusFrom
  const status = statusFrom === undefined ? row.status : Number(context.values[statusFrom])
  const occasions = declared.map(({ on }) => on.replace(/\.$/, '')).join('. Or: ')
  return {
    name: `error/${type}`,
    sentence: `${occasions}: ${status} ${typeInForce(type, status, (id) => context.values[id])}.`,
    section: endpoint.section,
    recipe: { error: type },
  }
}

function invalidPoint(endpoint: Endpoint): Draft {
  const [field] = Object.keys(endpoint.query)
  const limited = Object.entries(endpoint.query).find(([, { schema }]) => !schema.safeParse('').success)
  return {
    name: 'error/VALIDATION_ERROR',
    sentence: `A call that breaks a rule of its parameters or body is answered ${errorRow('VALIDATION_ERROR').status}, with a detail for each violation.`,
    section: 'Errors',
    recipe: endpoint.body
      ? { body: [] }
      : { query: limited ? { [limited[0]]: '' } : { [field ?? '']: ['a', 'b'] } },
  }
}

/** Whether a call can break a documented rule of the OpenAPI document. */
function canBeInvalid({ body, query }: Endpoint): boolean {
  const parameters = Object.values(query)
  return (
    body !== undefined ||
    parameters.some(({ schema }) => !schema.safeParse('').success) ||
    parameters.length > 0
  )
}
