// The guard of the control plane: admin mode, token, Host, Origin (DNS rebinding, CSRF), media type.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { controlError } from '../http/control-error.ts'
import { isAllowed, isLoopback } from '../http/cors.ts'
import { isJson } from '../http/stages/check-headers.ts'
import type { IsolationPolicy } from '../workspaces/isolation-policy.ts'

/**
 * Who may use the control plane: programs on this machine, clients with the token, and the sandbox's own page. Other
 * web pages may not, not even pages on this machine, whether by a plain form, by DNS rebinding or through an address
 * like 0.0.0.0.
 */
export interface GuardOptions {
  /** The decision for a sandbox that listens off loopback. */
  admin: 'token' | 'open' | 'off' | undefined
  token: string | undefined
  policy: IsolationPolicy
  /** Allowed host names in addition to loopback ones. */
  allowedHosts: readonly string[]
  /** Origins of browsers that may call, in addition to loopback ones. */
  corsOrigins: readonly string[]
  /** The URL by which clients reach the sandbox, if it differs from the address of requests. */
  baseUrl: URL | undefined
  /** Whether the sandbox listens on loopback only; an in-process sandbox does. */
  onLoopback: () => boolean
}

/** The properties of the requested path that the guard needs. */
interface RequestedResource {
  /** Pages of allowed origins may read it. */
  forPages?: boolean
  /** A file of the sandbox's own page: it has no data, so any client that may reach the sandbox may read it. */
  isPage?: boolean
  /** The request has the token of a partner. */
  isPartner?: boolean
}

/** Returns the refusal of a control-plane request, or undefined if it may continue. */
export function guard(
  request: Request,
  incoming: IncomingMessage | undefined,
  options: GuardOptions,
  { forPages = false, isPage = false, isPartner = false }: RequestedResource = {},
): Response | undefined {
  const { admin, token, corsOrigins, allowedHosts, baseUrl } = options
  const { headers } = request
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isPageFile = isPage && isRead
  const trusted = isPartner || isOperator(headers, token)
  if (token !== undefined && !trusted && !isPageFile) {
    const which = options.policy.hasWorkspaceTokens
      ? 'a token: that of --admin-token, or the current one of your workspace: a rotation revokes earlier ones'
      : 'the token of --admin-token'
    const message = `Send Authorization: Bearer with ${which}.`
    return controlError('UNAUTHORIZED', message, {
      headers: { 'www-authenticate': 'Bearer' },
    })
  }
  const closed = whyClosed(options)
  if (closed !== undefined) return controlError('FORBIDDEN', closed)
  // No request of the page is answered without the token, so its files are useless under a foreign host name.
  const ownHosts = isPageFile && token !== undefined && baseUrl ? [baseUrl.host] : []
  if (!trusted && admin !== 'open' && !isKnownHost(request, incoming, [...allowedHosts, ...ownHosts])) {
    return controlError(
      'MISDIRECTED',
      'Unknown Host: use localhost or an IP address, or name it in --allowed-hosts.',
    )
  }
  const origin = headers.get('origin')
  const isWelcome =
    isRead &&
    ((forPages && isAllowed(origin ?? undefined, corsOrigins)) || (isPageFile && isNavigation(headers)))
  if (isWelcome) return undefined
  const site = headers.get('sec-fetch-site')
  const isOfPage = !trusted && (origin !== null || site !== null)
  const refused = !isOfPage
    ? undefined
    : isRead
      ? refuseForeignOrigin(origin)
      : refuseOtherPage(request, incoming, options)
  if (refused) return refused
  if (site?.includes('cross-site')) {
    return controlError('FORBIDDEN', 'The control plane takes no cross-site requests.')
  }
  return refuseMediaType(request, incoming, isOfPage)
}

/** Returns why the control plane is closed for all callers; undefined if it is open. */
export function whyClosed({ admin, token, onLoopback }: GuardOptions): string | undefined {
  if (admin === 'off') return 'The control plane is switched off by --admin off.'
  if (admin !== undefined || token !== undefined || onLoopback()) return undefined
  return 'Off loopback the control plane is closed by default: start with --admin-token TOKEN, or with --admin open.'
}

/** A user followed a link or typed the address: the answer is shown in a tab, and no page can read it. */
function isNavigation(headers: Headers): boolean {
  return headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
}

/** Browsers send no Origin when a page reads from its own origin. */
function refuseForeignOrigin(origin: string | null): Response | undefined {
  if (origin === null) return undefined
  return controlError('FORBIDDEN', 'The control plane takes no requests from web pages (Origin was sent).')
}

/** Only the sandbox's own page may send requests that change something. */
function refuseOtherPage(
  request: Request,
  incoming: IncomingMessage | undefined,
  options: GuardOptions,
): Response | undefined {
  const origin = request.headers.get('origin')
  if (origin === null) {
    return controlError('FORBIDDEN', 'The control plane takes this from a web page only with its Origin.')
  }
  if (!isOwnOrigin(origin, request, incoming, options)) {
    return controlError(
      'FORBIDDEN',
      "The control plane takes this from no web page but the sandbox's own: open it at localhost or an IP address, or " +
        'at the address of --base-url with its host in --allowed-hosts.',
    )
  }
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin') return undefined
  return controlError(
    'FORBIDDEN',
    site === null
      ? 'Over plain http off loopback a browser does not say which page asks (Sec-Fetch-Site), so that a page can only ' +
          'read: open it at localhost or over https, or start with --admin-token TOKEN and send the token.'
      : "The control plane takes this from the sandbox's own page only (Sec-Fetch-Site: same-origin).",
  )
}

/** Whether a page of this origin is the sandbox's own: not under a name that a foreign page could point here by DNS. */
function isOwnOrigin(
  origin: string,
  request: Request,
  incoming: IncomingMessage | undefined,
  { allowedHosts, baseUrl }: GuardOptions,
): boolean {
  if (origin === new URL(request.url).origin) return isKnownHost(request, incoming, allowedHosts)
  return origin === baseUrl?.origin && isKnownName(baseUrl, allowedHosts)
}

/** A name that a foreign page could point at this machine by DNS is unknown, unless it was allowed. */
function isKnownHost(
  request: Request,
  incoming: IncomingMessage | undefined,
  allowed: readonly string[],
): boolean {
  const url = new URL(request.url)
  const { host } = url
  const sent = incoming?.headers.host
  // An absolute request target has a host of its own, which must equal the header's.
  if (sent !== undefined && sent.toLowerCase() !== host && sent.toLowerCase() !== `${host}:80`) return false
  return isKnownName(url, allowed)
}

function isKnownName({ host, hostname }: URL, allowed: readonly string[]): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  const isAddress = isIP(bare) !== 0 && !unspecified.has(hostname)
  return isLoopback(hostname) || isAddress || allowed.includes(hostname) || allowed.includes(host)
}

/**
 * Unspecified addresses, which lead to this machine. Browsers do not treat them as loopback: a page's GET to them has
 * neither Origin nor Sec-Fetch-Site, and looks like that of a program.
 */
const unspecified: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]'])

/**
 * A body must be declared as JSON, which a page cannot do across origins without a preflight.
 * @param isOfPage then it must be plain JSON, with every method.
 */
function refuseMediaType(
  request: Request,
  incoming: IncomingMessage | undefined,
  isOfPage: boolean,
): Response | undefined {
  const { method, headers } = request
  if (method === 'GET' || method === 'HEAD') return undefined
  const length = headers.get('content-length')
  const sent = incoming
    ? headers.has('transfer-encoding') || (length !== null && length !== '0')
    : request.body !== null
  if (!sent) return undefined
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return controlError('UNSUPPORTED_MEDIA_TYPE', 'A body must not be compressed.')
  }
  const type = headers.get('content-type') ?? undefined
  if (isJson(type)) return undefined
  if (method === 'PATCH' && !isOfPage && isJson(type, 'application/merge-patch+json')) return undefined
  return controlError('UNSUPPORTED_MEDIA_TYPE', 'A body must be sent as Content-Type: application/json.')
}

/** Whether a request has the token of --admin-token. */
export function isOperator(headers: Headers, token: string | undefined): boolean {
  // Hashes have equal lengths, which timingSafeEqual needs, and do not reveal the length of the token.
  return token !== undefined && timingSafeEqual(digest(bearerOf(headers.get('authorization'))), digest(token))
}

/** Returns the text after `Bearer`; empty if there is none. */
export function bearerOf(authorization: string | null): string {
  const [, sent = ''] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return sent
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
