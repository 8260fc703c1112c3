// The path by which a request is routed: without the prefix of `--base-url`, and with trailing slashes as assumed.
import { getPath } from 'hono/utils/url'
import type { Service } from './service.ts'

export function pathReader(service: Pick<Service, 'baseUrl' | 'assumptions'>): (request: Request) => string {
  const prefix = service.baseUrl?.pathname.replace(/\/$/, '') ?? ''
  const ignoreSlash = service.assumptions.trailing_slash === 'ignored'
  return (request) => {
    let path = getPath(request)
    if (prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`)))
      path = path.slice(prefix.length) || '/'
    if (ignoreSlash && path.length > 1 && path.endsWith('/')) path = path.slice(0, -1)
    return path
  }
}
