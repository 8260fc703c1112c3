// Reads the body of a control-plane request as JSON, with its size limits.
import { isUtf8 } from 'node:buffer'
import { isJsonObject } from '../contract/formats.ts'
import { bodyOf, hasBody, readBody } from '../http/body/read-body.ts'
import { sourceFromText, type Source } from '../input/source-file.ts'
import type { AppContext } from '../http/context.ts'
import { requireHeld } from './held-token.ts'
import { Refusal } from './refusal.ts'

const mebibyte = 2 ** 20

/** Maximum sizes of bodies: for a row or a scenario, and for whole state documents. */
export const bodyLimits = { small: mebibyte, documents: 64 * mebibyte } as const

/** How problems of a body name it. */
export const bodyName = 'body'

/**
 * Reads a body as JSON, strictly: it refuses invalid JSON, duplicate keys, and nesting beyond 100 levels, with line and
 * column.
 *
 * @throws {Refusal} @throws {DocumentError} @throws {ApiError} for a body that cannot be used.
 */
export async function readDocument(c: AppContext, most: number = bodyLimits.small): Promise<Source> {
  const source = await readIfSent(c, most)
  if (!source) throw new Refusal('INVALID', 'The body is empty: send JSON.')
  return source
}

/** The value of a JSON body; see `readDocument`. */
export async function readJson(c: AppContext, most?: number): Promise<unknown> {
  return (await readDocument(c, most)).value
}

/** Like `readDocument`, but undefined if no body was sent. */
export async function readIfSent(c: AppContext, most: number): Promise<Source | undefined> {
  const bytes = await bytesOf(c, most)
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw new Refusal('INVALID', 'The body must be text in UTF-8.')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  return sourceFromText(text, bodyName, '.json')
}

/** Some clients send `{}` if no body is needed; any other body was meant for another path. */
export async function readNothing(c: AppContext): Promise<void> {
  const source = await readIfSent(c, bodyLimits.small)
  const isEmpty =
    source === undefined || (isJsonObject(source.value) && Object.keys(source.value).length === 0)
  if (!isEmpty) throw new Refusal('INVALID', 'This request must have no body.')
}

/** A body is read once: before its workspace is in use, so that a slow client does not keep it open. */
const bodies = new WeakMap<AppContext, Promise<Uint8Array>>()

function bytesOf(c: AppContext, most: number): Promise<Uint8Array> {
  const reading = bodies.get(c) ?? readBytes(c, most).finally(() => requireHeld(c))
  bodies.set(c, reading)
  return reading
}

/** Reads the body. The handler reports its problems. */
export async function receiveBody(c: AppContext, most: number = bodyLimits.small): Promise<void> {
  if (['POST', 'PUT', 'PATCH'].includes(c.req.raw.method)) await bytesOf(c, most).catch(() => undefined)
}

async function readBytes(c: AppContext, most: number): Promise<Uint8Array> {
  const source = bodyOf(c.req.raw, c.env ?? {})
  return hasBody(source) ? readBody(source, most) : new Uint8Array()
}
