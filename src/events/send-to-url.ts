// Sends one delivery to a URL: connects only to an allowed address, follows no redirect, and reads little of the answer.
import { lookup as systemLookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions as HttpsOptions } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { hostOf } from '../input/allowed-host.ts'
import { isSystemError } from '../runtime/host.ts'
import { onceAborted } from '../runtime/wait.ts'
import { isOwnHost, type AllowedAddresses, type ResolvedAddress } from './allowed-addresses.ts'
import { requestHeaders, type Delivery } from './delivery.ts'
import type { ReceiverAnswer } from './handler-answer.ts'
import { beginningOf, maxRead } from './response-body.ts'

/** Resolves a host to its addresses, like `dns.lookup` with `all`. */
export type Resolve = (
  host: string,
  done: (error: Error | null, addresses: readonly ResolvedAddress[]) => void,
) => void

/** Resolves a host as the machine does. */
export const systemResolve: Resolve = (host, done) => {
  systemLookup(host, { all: true }, (error, addresses) => done(error, addresses ?? []))
}

/** The rules for one request. */
export interface SendOptions {
  readonly allowed: Pick<AllowedAddresses, 'allows' | 'refusal' | 'refusalOf'>
  readonly resolve: Resolve
  /** Accepts any certificate of a receiver on this machine. */
  readonly insecure?: boolean | undefined
  /** Aborts the request; its reason is the error. */
  readonly signal: AbortSignal
  /** Returns advice that is added when a host refuses the connection. */
  readonly hintFor?: (host: string) => string | undefined
}

/** Thrown before a request leaves for an address that is not allowed. */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError'
}

/** Maximum number of bytes of an answer that are read. */
const maxAnswer = 64 * 1024

/**
 * Sends a delivery, and returns the answer.
 * @throws {AddressRefusedError} @throws the error of the connection, in words for the user.
 */
export async function sendToUrl(
  target: string,
  delivery: Delivery,
  { allowed, resolve, insecure, signal, hintFor }: SendOptions,
): Promise<ReceiverAnswer> {
  const url = new URL(target)
  const refusal = allowed.refusalOf(url)
  if (refusal !== undefined) throw new AddressRefusedError(refusal)
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const options: HttpsOptions = {
    method: 'POST',
    rejectUnauthorized: !(insecure && isOwnHost(hostOf(url))),
    // Each attempt opens a connection, so that its address is checked.
    agent: false,
    lookup: checkedLookup(url, allowed, resolve),
    headers: requestHeaders(delivery),
  }
  let endAbort = (): void => undefined
  return new Promise<ReceiverAnswer>((fulfil, reject) => {
    const fail = (error: unknown): void => reject(inWords(error, url, hintFor))
    const request = send(url, options, (answer) => readAnswer(answer, fulfil, fail))
    endAbort = onceAborted(signal, () => {
      request.destroy()
      reject(signal.reason)
    })
    request.on('error', fail)
    // Without a listener, Node reports the end of this connection as an error of the process.
    request.on('upgrade', ({ statusCode = 101 }: IncomingMessage, socket: Duplex) => {
      socket.destroy()
      fulfil({ status: statusCode })
    })
    request.end(delivery.body)
    // The signal counts until the end: the connection may end without one.
  }).finally(() => endAbort())
}

/** Resolves a host to those of its addresses that are allowed: one of these is connected to, and no other. */
function checkedLookup(url: URL, allowed: SendOptions['allowed'], resolve: Resolve): LookupFunction {
  return (host, { all }, done) => {
    resolve(host, (error, addresses) => {
      if (error) return done(error, [])
      const usable = addresses.filter(({ address }) => allowed.allows(url, address))
      const [first] = usable
      if (first === undefined) {
        return done(new AddressRefusedError(allowed.refusal(url, addresses[0]?.address)), [])
      }
      if (all === true) done(null, [...usable])
      else done(null, first.address, first.family)
    })
  }
}

/** Reads an answer until its end, or as much of it as is read at all. */
function readAnswer(
  answer: IncomingMessage,
  done: (answer: ReceiverAnswer) => void,
  fail: (error: Error) => void,
): void {
  const { statusCode: status = 0, headers } = answer
  const beginning: Buffer[] = []
  let size = 0
  const end = (): void => {
    const location = status >= 300 && status <= 399 ? headers.location : undefined
    const body = beginningOf(Buffer.concat(beginning))
    done({ status, location, body, retryAfter: headers['retry-after'] })
  }
  answer.on('data', (chunk: Buffer) => {
    if (size < maxRead) beginning.push(chunk)
    size += chunk.length
    if (size < maxAnswer) return
    end()
    answer.destroy()
  })
  answer.on('end', end)
  answer.on('error', () => fail(new Error(`closed the connection in its answer ${status}`)))
}

/** Describes the error of a connection; the one of several addresses names none itself. */
function inWords(error: unknown, url: URL, hintFor: SendOptions['hintFor']): unknown {
  if (error instanceof AddressRefusedError || !(error instanceof Error)) return error
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  // Node's own error for an early end has this code, too, and is no error of the system.
  const code = first instanceof Error && 'code' in first ? first.code : undefined
  if (url.protocol === 'https:' && first instanceof Error && isWithoutTls(first)) {
    const { host, href } = url
    return new Error(
      `${host} does not speak https: if the receiver has no TLS, use ${href.replace(/^https/, 'http')}`,
    )
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') return new Error('closed the connection without an answer')
  if (!isSystemError(first)) return first
  const advice = first.code === 'ECONNREFUSED' ? hintFor?.(hostOf(url)) : undefined
  return new Error(advice === undefined ? first.message : `${first.message}: ${advice}`)
}

/** Whether a server answered the first bytes of TLS with others, or closed the connection. */
const isWithoutTls = ({ message }: Error): boolean =>
  /wrong version number|packet length too long|before secure TLS connection was established/.test(message)
