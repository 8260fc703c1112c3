// CORS: cross-origin calls from browsers (contract: Authentication 3 names them as a reason for Bearer), allowed from
// loopback origins and those of `--cors-origin`; the answer to preflight requests.
import type { OpenExchange } from './open-exchange.ts'
import { allMethods } from '../endpoints/routes.ts'
import type { Stage } from './stage.ts'

const allowedHeaders =
  'authorization, content-type, x-service-version, x-service-merchant-key, x-sandbox-scenario'
const exposedHeaders = 'x-service-version, x-sandbox-request-id, x-sandbox-assumptions'

/** Answers a browser that asks before it calls; this needs no key, as browsers send none with it. */
export const preflight: Stage = {
  run(exchange) {
    const { method, allow: own } = exchange.received
    const { origin, 'access-control-request-method': asked } = exchange.headers
    if (method !== 'OPTIONS' || asked === undefined || origin === undefined) return undefined
    const headers: Record<string, string> = { allow: own ?? allMethods }
    if (isAllowed(origin, exchange.service.corsOrigins)) {
      headers['access-control-allow-methods'] = allMethods
      headers['access-control-allow-headers'] = allowedHeaders
      headers['access-control-max-age'] = '600'
    }
    return exchange.became.answer(204, headers, null)
  },
}

/** Adds what lets a page of an allowed origin read the answer. */
export function addCorsHeaders({ service, headers: sent, became }: OpenExchange): void {
  const { origin } = sent
  if (origin === undefined) return
  const { headers } = became
  headers['vary'] = 'Origin'
  if (!isAllowed(origin, service.corsOrigins)) return
  headers['access-control-allow-origin'] = origin
  headers['access-control-expose-headers'] = exposedHeaders
}

function isAllowed(origin: string, listed: readonly string[]): boolean {
  if (listed.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return /^https?:$/.test(protocol) && isLoopback(hostname)
}

/** Whether a host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}
