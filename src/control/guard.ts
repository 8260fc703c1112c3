// The guard of the control plane: admin mode, token, Host, Origin (DNS rebinding, CSRF), media type.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { controlError } from '../http/control-error.ts'
import { isAllowed, isLoopback } from '../http/cors.ts'
import { isJson } from '../http/stages/check-headers.ts'
import type { IsolationPolicy } from '../workspaces/isolation-policy.ts'

/**
 * Who may use the control plane: programs on this machine, whoever has the token, and the sandbox's own page. Other web
 * pages may not, not even ones on this machine, whether by a plain form, by DNS rebinding or through an address like
 * 0.0.0.0.
 */
export interface GuardOptions {
  /** What was decided for when the sandbox listens off loopback. */
  admin: 'token' | 'open' | 'off' | undefined
  token: string | undefined
  policy: IsolationPolicy
  /** Host names beside loopback ones under which the sandbox is known. */
  allowedHosts: readonly string[]
  /** Origins beside loopback ones that browsers may call from. */
  corsOrigins: readonly string[]
  /** How clients reach the sandbox, where that differs from how requests arrive. */
  baseUrl: URL | undefined
  /** Whether the sandbox listens on loopback only; an in-process sandbox does. */
  onLoopback: () => boolean
}

/** What the guard knows of the path that is asked. */
interface Asked {
  /** Pages of allowed origins may read it. */
  forPages?: boolean
  /** A file of the sandbox's own page: it holds no data, so whoever may know of the sandbox may have it. */
  isPage?: boolean
  /** The token of a partner came with it. */
  isPartner?: boolean
}

/** The refusal of a control-plane request, or undefined when it may go on. */
export function guard(
  request: Request,
  incoming: IncomingMessage | undefined,
  options: GuardOptions,
  { forPages = false, isPage = false, isPartner = false }: Asked = {},
): Response | undefined {
  const { admin, token, corsOrigins, allowedHosts, baseUrl } = options
  const { headers } = request
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isPageFile = isPage && isRead
  const trusted = isPartner || isOperator(headers, token)
  if (token !== undefined && !trusted && !isPageFile) {
    const which = options.policy.hasWorkspaceTokens
      ? 'a token: that of --admin-token, or that of your workspace as it was given last: a rotation ends it'
      : 'the token of --admin-token'
    const message = `Send Authorization: Bearer with ${which}.`
    return controlError('UNAUTHORIZED', message, {
      headers: { 'www-authenticate': 'Bearer' },
    })
  }
  const closed = whyClosed(options)
  if (closed !== undefined) return controlError('FORBIDDEN', closed)
  // Nothing that the page asks for is answered without the token, so its files are no use to a name of somebody else's.
  const ownHosts = isPageFile && token !== undefined && baseUrl ? [baseUrl.host] : []
  if (!trusted && admin !== 'open' && !isKnownHost(request, incoming, [...allowedHosts, ...ownHosts])) {
    return controlError(
      'MISDIRECTED',
      'This Host is not known here: use localhost or an IP address, or name it in --allowed-hosts.',
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

/** Why nobody at all may use the control plane; undefined where somebody may. */
export function whyClosed({ admin, token, onLoopback }: GuardOptions): string | undefined {
  if (admin === 'off') return 'The control plane is switched off by --admin off.'
  if (admin !== undefined || token !== undefined || onLoopback()) return undefined
  return 'Off loopback the control plane needs a decision: start with --admin-token TOKEN, or with --admin open.'
}

/** Somebody followed a link or typed the address: what comes is shown in a tab, and no page reads it. */
function isNavigation(headers: Headers): boolean {
  return headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
}

/** Browsers send no Origin when a page reads from where it is. */
function refuseForeignOrigin(origin: string | null): Response | undefined {
  if (origin === null) return undefined
  return controlError('FORBIDDEN', 'The control plane takes no requests from web pages (Origin was sent).')
}

/** What is to change something is taken from the sandbox's own page, and from no other. */
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

/** Whether a page of this origin is the sandbox's own: no name that a foreign page could point here by DNS will do. */
function isOwnOrigin(
  origin: string,
  request: Request,
  incoming: IncomingMessage | undefined,
  { allowedHosts, baseUrl }: GuardOptions,
): boolean {
  if (origin === new URL(request.url).origin) return isKnownHost(request, incoming, allowedHosts)
  return origin === baseUrl?.origin && isKnownName(baseUrl, allowedHosts)
}

/** A name that a foreign page could point at this machine by DNS is not known, unless it was allowed. */
function isKnownHost(
  request: Request,
  incoming: IncomingMessage | undefined,
  allowed: readonly string[],
): boolean {
  const url = new URL(request.url)
  const { host } = url
  const sent = incoming?.headers.host
  // An absolute request target names a host of its own, which must not differ from the header's.
  if (sent !== undefined && sent.toLowerCase() !== host && sent.toLowerCase() !== `${host}:80`) return false
  return isKnownName(url, allowed)
}

function isKnownName({ host, hostname }: URL, allowed: readonly string[]): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  const isAddress = isIP(bare) !== 0 && !unspecified.has(hostname)
  return isLoopback(hostname) || isAddress || allowed.includes(hostname) || allowed.includes(host)
}

/**
 * Addresses that are nobody's, and lead to this machine nevertheless. Browsers do not take them for loopback: there a
 * page's GET has neither Origin nor Sec-Fetch-Site, and nothing else tells it from a program's.
 */
const unspecified: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]'])

/**
 * A body must be declared as JSON, which a page cannot do across origins without asking first.
 * @param isOfPage then it is plain JSON, with every method.
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

/** Whether the token of --admin-token came with a request. */
export function isOperator(headers: Headers, token: string | undefined): boolean {
  // Hashes have equal length, which timingSafeEqual needs, and disclose nothing about the token's.
  return token !== undefined && timingSafeEqual(digest(bearerOf(headers.get('authorization'))), digest(token))
}

/** What stands behind `Bearer`; empty for nothing. */
export function bearerOf(authorization: string | null): string {
  const [, sent = ''] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return sent
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
