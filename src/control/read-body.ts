// Reads the body of a control-plane request as JSON, with its size limits.
import { isUtf8 } from 'node:buffer'
import { isJsonObject } from '../contract/formats.ts'
import { bodyOf, hasBody, readBody } from '../http/body/read-body.ts'
import { sourceFromText, type Source } from '../input/source-file.ts'
import type { AppContext } from '../http/context.ts'
import { requireHeld } from './held-token.ts'
import { Refusal } from './refusal.ts'

const mebibyte = 2 ** 20

/** How large a body may be: what holds a row or a scenario, and what holds whole state documents. */
export const bodyLimits = { small: mebibyte, documents: 64 * mebibyte } as const

/** How problems of a body name it. */
export const bodyName = 'body'

/**
 * Reads a body as JSON, strictly: what is not JSON, a key that stands twice, and nesting beyond 100 levels are refused
 * with line and column.
 *
 * @throws {Refusal} @throws {DocumentError} @throws {ApiError} for a body that cannot be used.
 */
export async function readDocument(c: AppContext, most: number = bodyLimits.small): Promise<Source> {
  const source = await readIfSent(c, most)
  if (!source) throw new Refusal('INVALID', 'A body is needed: send JSON.')
  return source
}

/** The value of a JSON body; see `readDocument`. */
export async function readJson(c: AppContext, most?: number): Promise<unknown> {
  return (await readDocument(c, most)).value
}

/** As `readDocument`, but undefined where no body was sent. */
export async function readIfSent(c: AppContext, most: number): Promise<Source | undefined> {
  const bytes = await bytesOf(c, most)
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw new Refusal('INVALID', 'The body must be text in UTF-8.')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  return sourceFromText(text, bodyName, '.json')
}

/** Some clients send `{}` where nothing is needed; anything in it was meant for another path. */
export async function readNothing(c: AppContext): Promise<void> {
  const source = await readIfSent(c, bodyLimits.small)
  const isEmpty =
    source === undefined || (isJsonObject(source.value) && Object.keys(source.value).length === 0)
  if (!isEmpty) throw new Refusal('INVALID', 'This takes no body.')
}

/** A body is read once, whoever asks for it again: a handler whose changes came too late is asked again. */
const bodies = new WeakMap<AppContext, Promise<Uint8Array>>()

function bytesOf(c: AppContext, most: number): Promise<Uint8Array> {
  const reading = bodies.get(c) ?? readBytes(c, most).finally(() => requireHeld(c))
  bodies.set(c, reading)
  return reading
}

/** Has a body come before something is done alone, which others wait for. Who reads it is told what is wrong with it. */
export async function receiveBody(c: AppContext, most: number = bodyLimits.small): Promise<void> {
  if (['POST', 'PUT', 'PATCH'].includes(c.req.raw.method)) await bytesOf(c, most).catch(() => undefined)
}

async function readBytes(c: AppContext, most: number): Promise<Uint8Array> {
  const source = bodyOf(c.req.raw, c.env ?? {})
  return hasBody(source) ? readBody(source, most) : new Uint8Array()
}
