// The path by which a request is routed: without the prefix of `--base-url`, and with trailing slashes as assumed.
import { getPath } from 'hono/utils/url'
import type { Service } from './service.ts'

type Routed = Pick<Service, 'baseUrl' | 'assumptions'>

export function pathReader(service: Routed): (request: Request) => string {
  return (request) => withoutBasePath(getPath(request), service)
}

/** A path as endpoints have it. @param path as it was sent. */
export function withoutBasePath(path: string, { baseUrl, assumptions }: Routed): string {
  const prefix = baseUrl?.pathname.replace(/\/$/, '') ?? ''
  let own = path
  if (prefix !== '' && (own === prefix || own.startsWith(`${prefix}/`))) own = own.slice(prefix.length) || '/'
  const ignoreSlash = assumptions.trailing_slash === 'ignored'
  return ignoreSlash && own.length > 1 && own.endsWith('/') ? own.slice(0, -1) : own
}
