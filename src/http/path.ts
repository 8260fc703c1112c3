// The routed path of a request: strips the prefix of `--base-url`.
import type { HonoRequest } from 'hono'
import { getPath } from 'hono/utils/url'
import type { Service } from './service.ts'

type Routed = Pick<Service, 'baseUrl'>

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
  const isInside = prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`))
  return isInside ? path.slice(prefix.length) || '/' : path
}
