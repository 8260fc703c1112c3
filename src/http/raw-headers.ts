// The headers of a request as the client sent them, names and values alternating. A web `Headers` joins and reorders
// them.
import type { Bindings } from './context.ts'

export function rawHeadersOf(request: Request, { incoming }: Bindings): string[] {
  if (incoming) return incoming.rawHeaders
  const raw: string[] = []
  for (const [name, value] of request.headers) raw.push(name, value)
  // The journal holds the list, and a list that grew by `push` has spare capacity: copy it.
  return raw.slice()
}
