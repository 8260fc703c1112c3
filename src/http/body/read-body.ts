// Reads a request body from where it really is: the socket's stream, or the web stream of an in-process call.
// Going through a web `Request` on a socket would cost more than the rest of the request together.
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../contract/errors.ts'
import type { Failure } from '../failure.ts'

export type BodySource =
  | { stream: IncomingMessage }
  | { web: ReadableStream<Uint8Array> | null }
  /** It is here already; undefined for none. */
  | { bytes: Uint8Array | undefined }

/**
 * How much of a refused body is still read. A client that is busy sending sees a reset instead of the answer when
 * the connection is closed under it, so what it sends is taken in and dropped before.
 */
const drainAtMost = 32 * 1024 * 1024

/** Takes in a body that no stage read. */
export function drainBody(stream: IncomingMessage): Promise<void> | undefined {
  if (stream.readableEnded || stream.destroyed || Number(stream.headers['content-length']) > drainAtMost) {
    return undefined
  }
  return new Promise((resolve) => {
    let size = 0
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > drainAtMost) resolve()
    })
    stream.on('end', resolve)
    stream.on('close', resolve)
    stream.resume()
  })
}

/** Whether a body was sent at all, by the headers that frame it. */
export function hasBody(
  source: BodySource,
  headers: { 'content-length'?: string | undefined; 'transfer-encoding'?: string | undefined },
): boolean {
  if ('web' in source) return source.web !== null
  if ('bytes' in source) return source.bytes !== undefined
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Told the whole body, or what went wrong: PAYLOAD_TOO_LARGE_ERROR beyond the limit, once the rest was taken in. */
type BodyRead = (error: unknown, bytes: Uint8Array) => void

/** Reads the whole body, which is at most `most` bytes long. */
export function readBody(source: BodySource, most: number, read: BodyRead): void {
  if ('stream' in source) return readStream(source.stream, most, read)
  if ('bytes' in source) {
    const { bytes = nothing } = source
    return bytes.length > most ? read(tooLarge(most), nothing) : read(undefined, bytes)
  }
  readWeb(source.web, most).then(
    (bytes) => read(undefined, bytes),
    (error: unknown) => read(error, nothing),
  )
}

/** The same as a promise, for bodies that are read seldom. */
export function wholeBody(source: BodySource, most: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    readBody(source, most, (error, bytes) => {
      if (error === undefined) resolve(bytes)
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- it is what reading threw
      else reject(error)
    })
  })
}

const nothing = new Uint8Array()

/** A body beyond the limit. */
export const largeBody = (most: number): Failure => ({
  type: 'PAYLOAD_TOO_LARGE_ERROR',
  on: `The body is larger than ${most} bytes.`,
  restsOn: ['body_max_bytes'],
})

const tooLarge = (most: number, connection?: 'close'): ApiError =>
  new ApiError(largeBody(most).type, {
    message: `The request body is larger than ${most} bytes.`,
    ...(connection ? { headers: { connection } } : {}),
  })

const cutOff = (): ApiError => new ApiError('BAD_REQUEST_ERROR', { message: 'The body was cut off.' })

function readStream(stream: IncomingMessage, most: number, read: BodyRead): void {
  // A client that left while its call was waiting: the stream has closed, and will not say so again.
  if (stream.destroyed && !stream.readableEnded) return read(cutOff(), nothing)
  let first: Buffer | undefined
  let more: Buffer[] | undefined
  let size = 0
  let isDone = false
  const done = (error: unknown, bytes: Uint8Array = nothing): void => {
    if (isDone) return
    isDone = true
    read(error, bytes)
  }
  // Tells Node that somebody reads: else it takes all listeners away again when the answer is sent, which costs 1 µs.
  stream.read(0)
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > most) {
      first = more = undefined
      if (size <= Math.max(drainAtMost, 2 * most)) return
      stream.pause()
      done(tooLarge(most, 'close'))
    } else if (first === undefined) first = chunk
    else (more ??= [first]).push(chunk)
  })
  stream.on('end', () => {
    if (size > most) done(tooLarge(most))
    else done(undefined, more ? Buffer.concat(more) : first)
  })
  // Nobody is left to read the answer; the error only ends the call.
  const lost = (): void => {
    // Every stream closes; making an error for one that ended well would cost more than reading it.
    if (!stream.readableEnded) done(cutOff())
  }
  stream.on('error', lost)
  stream.on('close', lost)
}

async function readWeb(web: ReadableStream<Uint8Array> | null, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of web ?? []) {
      size += chunk.length
      if (size > most) throw tooLarge(most)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    // The stream is the caller's, and so is its failure.
    throw error instanceof ApiError ? error : cutOff()
  }
}
