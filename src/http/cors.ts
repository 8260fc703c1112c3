import type { Answer } from '../exchange/became.ts'
import type { OpenExchange } from './open-exchange.ts'
import { allMethods } from './routes.ts'

/**
 * Cross-origin calls from browsers (contract: Authentication 3 names them as a reason for Bearer): allowed from
 * loopback origins, and from those given by `--cors-origin`.
 */
const allowedHeaders =
  'authorization, content-type, x-service-version, x-service-merchant-key, x-sandbox-scenario'
const exposedHeaders = 'x-service-version, x-sandbox-request-id, x-sandbox-assumptions'

/** Answers a browser that asks before it calls; this needs no key, as browsers send none with it. */
export function preflight(exchange: OpenExchange): Answer | undefined {
  const { method, headers, allow: own } = exchange.received
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined
  if (headers.origin === undefined) return undefined
  const allow = { allow: own ?? allMethods }
  if (!isAllowed(headers.origin, exchange.service.corsOrigins))
    return { status: 204, headers: allow, body: null }
  return {
    status: 204,
    headers: {
      ...allow,
      'access-control-allow-methods': allMethods,
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': '600',
    },
    body: null,
  }
}

/** Adds what lets a page of an allowed origin read the answer. */
export function addCorsHeaders(answer: Answer, exchange: OpenExchange): void {
  const { origin } = exchange.received.headers
  if (origin === undefined) return
  answer.headers['vary'] = 'Origin'
  if (!isAllowed(origin, exchange.service.corsOrigins)) return
  answer.headers['access-control-allow-origin'] = origin
  answer.headers['access-control-expose-headers'] = exposedHeaders
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
