// Takes a call of this process straight into the pipeline, where what it is made of means exactly what it says: making a
// Request of it would cost as much as the call.
import { IncomingRequest } from '../call/incoming-request.ts'
import { sentHeaders } from '../call/sent-headers.ts'
import { findRoute } from '../endpoints/routes.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { BodySource } from './body/read-body.ts'
import { ProcessCaller } from './caller.ts'
import { plainTarget } from './direct-calls.ts'
import { ServedCall } from './served-call.ts'
import { withoutBasePath } from './path.ts'
import { answer } from './pipeline.ts'
import type { Ending } from './send.ts'
import type { Service } from './service.ts'

/** A call that needs no Request to be understood. */
interface PlainCall {
  method: string
  target: string
  /** By name, in lower case, as a Request lists them. */
  headers: [name: string, value: string][]
  body: string | undefined
}

/**
 * Answers a call that names a plain path with plain headers and no body or a text; undefined for any other, which is
 * for Request to read or to refuse.
 *
 * @param key the key to add where none was sent.
 */
export function directFetch(
  service: Service,
  origin: string,
  input: unknown,
  init: RequestInit | null | undefined,
  workspace: Workspace | undefined,
  key: (() => string) | undefined,
): Promise<Ending> | undefined {
  const call = plainCall(input, init ?? {})
  if (!call) return undefined
  const { method, target, headers } = call
  if (key && !headers.some(([name]) => name === 'authorization')) {
    headers.push(['authorization', `Bearer ${key()}`])
  }
  headers.sort(([a], [b]) => (a < b ? -1 : 1))
  const body: BodySource = { bytes: call.body === undefined ? undefined : Buffer.from(call.body) }
  const path = target.split('?', 1)[0] ?? ''
  const own = withoutBasePath(path, service)
  if (own !== path && !own.startsWith('/v2/')) return undefined
  const received = new IncomingRequest({
    method,
    target,
    origin,
    headers: sentHeaders(headers.flat()),
    route: findRoute(own),
    routedPath: own === path ? undefined : own,
  })
  return new Promise((resolve) => {
    answer(new ServedCall(service, new ProcessCaller(body, headers, workspace, resolve), received))
  })
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

function plainCall(input: unknown, init: RequestInit): PlainCall | undefined {
  if (typeof input !== 'string' || !plainTarget.test(input)) return undefined
  const { method = 'GET', headers, body, ...others } = init
  if (!methods.includes(method) || Object.keys(others).length > 0) return undefined
  const sent = plainHeaders(headers)
  if (!sent) return undefined
  if (body === undefined || body === null) return { method, target: input, headers: sent, body: undefined }
  if (typeof body !== 'string' || method === 'GET' || method === 'HEAD') return undefined
  // What a Request says of a text whose type nobody names.
  if (!sent.some(([name]) => name === 'content-type')) sent.push(['content-type', 'text/plain;charset=UTF-8'])
  return { method, target: input, headers: sent, body }
}

/** Headers that a Request would take as they are, but for upper case in their names. */
function plainHeaders(headers: RequestInit['headers']): PlainCall['headers'] | undefined {
  if (headers === undefined) return []
  if (headers === null || Object.getPrototypeOf(headers) !== Object.prototype) return undefined
  const sent: PlainCall['headers'] = []
  for (const [name, value] of Object.entries(headers)) {
    if (
      !/^[A-Za-z-]+$/.test(name) ||
      typeof value !== 'string' ||
      !/^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(value)
    ) {
      return undefined
    }
    const lower = name.toLowerCase()
    if (sent.some(([other]) => other === lower)) return undefined
    sent.push([lower, value])
  }
  return sent
}
