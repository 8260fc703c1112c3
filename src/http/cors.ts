// CORS: allows cross-origin calls from browsers for loopback origins and those of `--cors-origin`; answers preflight
// requests. The contract names such calls as a reason for Bearer (contract: Authentication 3).
import type { ServedCall } from './served-call.ts'
import { methodsOf, routesOf } from '../endpoints/routes.ts'
import type { Stage } from './stage.ts'

/** The headers that a page may send if its preflight request names none. */
const defaultHeaders =
  'authorization, content-type, x-service-version, x-service-merchant-key, x-sandbox-scenario, x-sandbox-test'

/** Headers that a page may always read, so that it can also see that one is absent. */
const alwaysExposed = ['x-service-version', 'x-sandbox-request-id', 'x-sandbox-assumptions', 'retry-after']

/** Headers that any page may read without exposing, and headers that only the browser uses. */
const needNoExposing =
  /^(?:cache-control|content-(?:language|length|type)|expires|last-modified|pragma|vary|access-control-.*)$/

/** Answers a preflight request. It needs no key, as browsers send none with it. */
export const preflight: Stage = {
  run(call) {
    if (!call.request.isPreflight) return undefined
    const { origin } = call.headers
    const allMethods = methodsOf(routesOf(call.service.assumptions))
    const headers: Record<string, string> = { allow: call.request.allow ?? allMethods }
    if (isAllowed(origin, call.service.corsOrigins)) {
      headers['access-control-allow-methods'] = allMethods
      headers['access-control-allow-headers'] =
        call.headers['access-control-request-headers'] || defaultHeaders
      headers['access-control-max-age'] = '600'
    }
    return call.outcome.answer(204, headers, null)
  },
}

/** Adds the headers that let a page of an allowed origin read the answer. */
export function addCorsHeaders({ service, headers: { origin }, outcome }: ServedCall): void {
  if (origin === undefined) return
  outcome.addHeaders(corsHeaders(origin, service.corsOrigins, Object.keys(outcome.headers)))
}

/** Like `addCorsHeaders`, for the answer to a GET or HEAD that is no call of the API. */
export function letPagesRead(
  response: Response,
  { method, headers: sent }: Request,
  allowed: readonly string[],
): Response {
  const origin = sent.get('origin')
  if (origin === null || (method !== 'GET' && method !== 'HEAD')) return response
  const headers = corsHeaders(origin, allowed, [...response.headers.keys()])
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

/** @param carried the names of the answer's headers. */
function corsHeaders(
  origin: string,
  allowed: readonly string[],
  carried: readonly string[],
): Record<string, string> {
  const vary = { vary: 'Origin' }
  if (!isAllowed(origin, allowed)) return vary
  const exposed = new Set([...alwaysExposed, ...carried.filter((name) => !needNoExposing.test(name))])
  return {
    ...vary,
    // Never *: a browser would then hide the answer from a page that calls with cookies.
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': [...exposed].join(', '),
  }
}

/** Whether pages of this origin may call: loopback origins, and those of `--cors-origin`. */
export function isAllowed(origin: string | undefined, listed: readonly string[]): boolean {
  if (origin === undefined) return false
  if (listed.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return /^https?:$/.test(protocol) && isLoopback(hostname)
}

/** Whether a host name is of the loopback interface. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}
