// The routed path of a request: strips the prefix of `--base-url`, and a trailing slash if that is assumed.
import type { HonoRequest } from 'hono'
import { getPath } from 'hono/utils/url'
import type { Service } from './service.ts'

type Routed = Pick<Service, 'baseUrl' | 'assumptions'>

export function pathReader(service: Routed): (request: Request) => string {
  return (request) => withoutBasePath(getPath(request), service)
}

/** The path of `--base-url`, without a slash at its end. */
export function basePath({ baseUrl }: Pick<Service, 'baseUrl'>): string {
  return baseUrl?.pathname.replace(/\/$/, '') ?? ''
}

/** Whether a browser asks for a page; programs accept anything, or JSON. */
export function acceptsHtml({ req }: { req: Pick<HonoRequest, 'header'> }): boolean {
  return req.header('accept')?.toLowerCase().includes('text/html') ?? false
}

/** A path as endpoints declare it. @param path as the client sent it. */
export function withoutBasePath(path: string, service: Routed): string {
  const prefix = basePath(service)
  let own = path
  if (prefix !== '' && (own === prefix || own.startsWith(`${prefix}/`))) own = own.slice(prefix.length) || '/'
  const ignoreSlash = service.assumptions.trailing_slash === 'ignored'
  return ignoreSlash && own.length > 1 && own.endsWith('/') ? own.slice(0, -1) : own
}
