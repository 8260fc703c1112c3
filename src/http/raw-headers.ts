// The headers of a request as they came, names and values in turns; a web `Headers` would join and reorder them.
import type { Bindings } from './context.ts'

export function rawHeadersOf(request: Request, { incoming }: Bindings): string[] {
  if (incoming) return incoming.rawHeaders
  const raw: string[] = []
  for (const [name, value] of request.headers) raw.push(name, value)
  // The journal keeps it: a list that grew has room for many more.
  return raw.slice()
}
