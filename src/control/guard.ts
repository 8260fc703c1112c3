// The guard of the control plane: admin mode, token, Host, Origin (DNS rebinding, CSRF), media type.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { controlError } from '../http/control-error.ts'
import { isAllowed, isLoopback } from '../http/cors.ts'
import { isJson } from '../http/stages/check-headers.ts'

/**
 * Who may use the control plane: programs on this machine, and whoever has the token. Web pages may not, not even
 * ones on this machine, whether by a plain form, by DNS rebinding or through an address like 0.0.0.0.
 */
export interface GuardOptions {
  /** What was decided for when the sandbox listens off loopback. */
  admin: 'token' | 'open' | 'off' | undefined
  token: string | undefined
  /** Host names beside loopback ones under which the sandbox is known. */
  allowedHosts: readonly string[]
  /** Origins beside loopback ones that browsers may call from. */
  corsOrigins: readonly string[]
  /** Whether the sandbox listens on loopback only; an in-process sandbox does. */
  onLoopback: () => boolean
}

/** Whether a page of an allowed origin asks for something that pages may read. */
function isAllowedPage({ method, headers }: Request, { corsOrigins }: GuardOptions): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && isAllowed(headers.get('origin') ?? undefined, corsOrigins)
}

/**
 * The refusal of a control-plane request, or undefined when it may go on.
 * @param forPages whether pages of allowed origins may read what is asked for.
 */
export function guard(
  request: Request,
  incoming: IncomingMessage | undefined,
  options: GuardOptions,
  forPages = false,
): Response | undefined {
  const { admin, token } = options
  const trusted = token !== undefined && bearsToken(request.headers.get('authorization'), token)
  if (token !== undefined && !trusted) {
    return controlError('UNAUTHORIZED', 'Send Authorization: Bearer with the token of --admin-token.', {
      headers: { 'www-authenticate': 'Bearer' },
    })
  }
  if (admin === 'off') return controlError('FORBIDDEN', 'The control plane is switched off by --admin off.')
  if (admin === undefined && token === undefined && !options.onLoopback()) {
    return controlError(
      'FORBIDDEN',
      'Off loopback the control plane needs a decision: start with --admin-token TOKEN, or with --admin open.',
    )
  }
  const isWelcome = forPages && isAllowedPage(request, options)
  if (!trusted) {
    if (admin !== 'open' && !isKnownHost(request, incoming, options.allowedHosts)) {
      return controlError(
        'MISDIRECTED',
        'This Host is not known here: use localhost or an IP address, or name it in --allowed-hosts.',
      )
    }
    if (!isWelcome && request.headers.has('origin')) {
      return controlError(
        'FORBIDDEN',
        'The control plane takes no requests from web pages (Origin was sent).',
      )
    }
  }
  if (!isWelcome && request.headers.get('sec-fetch-site')?.includes('cross-site')) {
    return controlError('FORBIDDEN', 'The control plane takes no cross-site requests.')
  }
  return refuseMediaType(request, incoming)
}

/** A name that a foreign page could point at this machine by DNS is not known, unless it was allowed. */
function isKnownHost(
  request: Request,
  incoming: IncomingMessage | undefined,
  allowed: readonly string[],
): boolean {
  const { host, hostname } = new URL(request.url)
  const sent = incoming?.headers.host
  // An absolute request target names a host of its own, which must not differ from the header's.
  if (sent !== undefined && sent.toLowerCase() !== host && sent.toLowerCase() !== `${host}:80`) return false
  const bare = hostname.replace(/^\[|\]$/g, '')
  const isAddress = isIP(bare) !== 0 && !unspecified.has(hostname)
  return isLoopback(hostname) || isAddress || allowed.includes(hostname) || allowed.includes(host)
}

/**
 * Addresses that are nobody's, and lead to this machine nevertheless. Browsers do not take them for loopback: there a
 * page's GET has neither Origin nor Sec-Fetch-Site, and nothing else tells it from a program's.
 */
const unspecified: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]'])

/** A body must be declared as JSON, which a page cannot do across origins without asking first. */
function refuseMediaType(request: Request, incoming: IncomingMessage | undefined): Response | undefined {
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
  if (isJson(type) || (method === 'PATCH' && isJson(type, 'application/merge-patch+json'))) return undefined
  return controlError('UNSUPPORTED_MEDIA_TYPE', 'A body must be sent as Content-Type: application/json.')
}

function bearsToken(authorization: string | null, token: string): boolean {
  const [, sent = ''] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  // Hashes have equal length, which timingSafeEqual needs, and disclose nothing about the token's.
  return timingSafeEqual(digest(sent), digest(token))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
