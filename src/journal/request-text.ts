// The request of a call, as text.
import { routes } from '../endpoints/routes.ts'
import { IncomingRequest, type Arrival } from '../call/incoming-request.ts'
import { sentHeaders } from '../call/sent-headers.ts'
import { readBody, writeBody } from './body-text.ts'
import { beginning, fitting, type Extent } from './extent.ts'

/** Every field of a request: a forgotten field does not compile. */
type Field = keyof Arrival | 'body' | 'bodyBytes'

export function writeRequest({ arrival, body, bodyBytes }: IncomingRequest, { each, rowsOfReads }: Extent) {
  const { method, target, origin, headers, route, routedPath } = arrival
  return {
    method: beginning(method, each),
    target: beginning(target, each),
    origin: beginning(origin, each),
    // A name and its value stay together.
    headers: fitting(headers.raw, each, 2),
    route: route?.path,
    routedPath: routedPath === undefined ? undefined : beginning(routedPath, each),
    body: body === undefined ? undefined : writeBody(body, !rowsOfReads),
    bodyBytes,
  } satisfies Record<Field, unknown>
}

export function readRequest({
  headers,
  route: path,
  body,
  bodyBytes,
  ...others
}: ReturnType<typeof writeRequest>): IncomingRequest {
  const route = path === undefined ? undefined : routes.find((one) => one.path === path)
  const arrival = { ...others, headers: sentHeaders([...headers]), route }
  return new IncomingRequest(arrival, body === undefined ? undefined : readBody(body), bodyBytes)
}
