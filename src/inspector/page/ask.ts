// Sends requests of the page to the control plane, with the token where one is needed.
import { stringify } from '../../json/stringify.ts'
import { parseExact } from '../../json/parse-exact.ts'
import { Refused, Unreachable, type ControlRequest, type RefusedDetail } from './source.ts'
import { token } from './token.ts'

/** The address of the control plane: that of the page is `…/_sandbox/ui`. */
export const controlPath = (): string => location.pathname.replace(/\/ui\/?$/, '')

/** A request to the control plane, answered with its Response whatever its status is. */
export async function request(
  method: string,
  path: string,
  requested: ControlRequest = {},
  headers?: HeadersInit,
): Promise<Response> {
  const { workspace, query = {}, body, signal } = requested
  const search = new URLSearchParams()
  if (workspace !== undefined) search.set('workspace', workspace)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  const sent = new Headers(headers)
  const bearer = token.get()
  if (bearer !== undefined) sent.set('authorization', `Bearer ${bearer}`)
  if (body !== undefined) sent.set('content-type', 'application/json')
  try {
    return await fetch(`${controlPath()}${path}${search.size === 0 ? '' : `?${search}`}`, {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body: stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Unreachable('The sandbox does not answer.')
  }
}

/** The body of an answer with a status of 400 or above. */
export async function refusalOf(response: Response): Promise<Refused> {
  const text = await response.text()
  let error: { message?: string; details?: RefusedDetail[] } = {}
  try {
    error = (parseExact(text) as { error?: typeof error }).error ?? {}
  } catch {
    // The answer came from a server that is no sandbox.
  }
  return new Refused(response.status, error.message ?? `It answered ${response.status}.`, error.details)
}
