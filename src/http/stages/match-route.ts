import { ApiError } from '../../contract/errors.ts'
import type { Answer } from '../../exchange/became.ts'
import type { OpenExchange } from '../open-exchange.ts'

/** Finds the endpoint; a path has the methods that its endpoints declare, and OPTIONS. */
export function matchRoute(exchange: OpenExchange): Answer | undefined {
  const { allow, endpoint, method, path } = exchange.received
  if (allow === undefined) {
    exchange.assume('unlisted_operations')
    const status = exchange.assume('unknown_route_status')
    const slash =
      path.length > 1 && path.endsWith('/') && exchange.assume('trailing_slash') === 'unknown_route'
    const hint = slash ? ' Paths have no slash at their end.' : ''
    throw new ApiError('NOT_FOUND_ERROR', { status, message: `No endpoint has this path.${hint}` })
  }
  if (method === 'OPTIONS') return exchange.became.answer(204, { allow }, null)
  if (!endpoint) {
    throw new ApiError('METHOD_NOT_ALLOWED_ERROR', {
      message: `This path has the methods ${allow}.`,
      headers: { allow },
    })
  }
  exchange.found.matched = true
  return undefined
}
