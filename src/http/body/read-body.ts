// Reads a request body from its source: the socket's stream, or the web stream of an in-process call.
// On a socket, reading through a web `Request` would cost more than the rest of the request.
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../contract/errors.ts'
import type { Bindings } from '../context.ts'
import type { Failure } from '../failure.ts'

export type BodySource =
  | { stream: IncomingMessage }
  | { web: ReadableStream<Uint8Array> | null }
  /** A body that is already read; undefined for none. */
  | { bytes: Uint8Array | undefined }

/** The body of a request of the Hono app. A stream of the web `Request` would cost twice as much as the call. */
export function bodyOf(request: Request, { incoming }: Bindings): BodySource {
  return incoming ? { stream: incoming } : { web: request.body }
}

/**
 * How many bytes of a refused body are still read and dropped. If the connection closes while the client is sending,
 * the client sees a reset instead of the answer.
 */
const drainLimit = 32 * 1024 * 1024

/**
 * Reads and drops a body that no stage read.
 * @returns undefined if the call came in process, has no body, or its body is read, lost or beyond `drainLimit`.
 */
export function drainBody(source: BodySource): Promise<void> | undefined {
  if (!('stream' in source) || !hasBody(source)) return undefined
  const { stream } = source
  if (stream.readableEnded || stream.destroyed || Number(stream.headers['content-length']) > drainLimit) {
    return undefined
  }
  return new Promise((resolve) => {
    let size = 0
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > drainLimit) resolve()
    })
    stream.on('end', resolve)
    stream.on('close', resolve)
    stream.resume()
  })
}

/** Whether a body was sent; on a socket the framing headers decide. */
export function hasBody(source: BodySource): boolean {
  if ('web' in source) return source.web !== null
  if ('bytes' in source) return source.bytes !== undefined
  const { 'content-length': length, 'transfer-encoding': encoding } = source.stream.headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}

/**
 * Reads the whole body.
 * @param limit in bytes.
 * @throws {ApiError} PAYLOAD_TOO_LARGE_ERROR beyond the limit, once the rest is read and dropped.
 */
export async function readBody(source: BodySource, limit: number): Promise<Uint8Array> {
  if ('stream' in source) return readStream(source.stream, limit)
  if ('web' in source) return readWeb(source.web, limit)
  const { bytes = nothing } = source
  if (bytes.length > limit) throw tooLarge(limit)
  return bytes
}

const nothing = new Uint8Array()

/** The failure of a body beyond the limit. */
export const largeBody: Failure = {
  type: 'PAYLOAD_TOO_LARGE_ERROR',
  on: 'The body is larger than the sandbox accepts (--max-body).',
}

const tooLarge = (limit: number, connection?: 'close'): ApiError =>
  new ApiError(largeBody.type, {
    message: `The request body is larger than ${limit} bytes.`,
    ...(connection ? { headers: { connection } } : {}),
  })

const cutOff = (): ApiError => new ApiError('BAD_REQUEST_ERROR', { message: 'The body was cut off.' })

function readStream(stream: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // The client left while its call waited: the stream has emitted `close` and will not emit it again.
    if (stream.destroyed && !stream.readableEnded) return reject(cutOff())
    const chunks: Buffer[] = []
    let size = 0
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) return void chunks.push(chunk)
      chunks.length = 0
      if (size <= Math.max(drainLimit, 2 * limit)) return
      stream.pause()
      reject(tooLarge(limit, 'close'))
    })
    stream.on('end', () => {
      if (size > limit) return reject(tooLarge(limit))
      const [first = nothing] = chunks
      resolve(chunks.length > 1 ? Buffer.concat(chunks) : first)
    })
    // No client is left to read the answer; the error only ends the call.
    const lost = (): void => {
      if (!stream.readableEnded) reject(cutOff())
    }
    stream.on('error', lost)
    stream.on('close', lost)
  })
}

async function readWeb(web: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of web ?? []) {
      size += chunk.length
      if (size > limit) throw tooLarge(limit)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    // The caller provided the stream, so a failure of the stream is the caller's.
    throw error instanceof ApiError ? error : cutOff()
  }
}
