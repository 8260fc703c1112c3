// Reads a request body as JSON: UTF-8, byte order mark, depth limit.
import { isUtf8 } from 'node:buffer'
import { depthOf } from '../../contract/formats.ts'
import { maxBodyDepth } from '../../contract/request-limits.ts'
import { parseExact } from '../../json/parse-exact.ts'

/**
 * A body that the service does not accept as JSON. The message completes the sentence "The request body …", and
 * never quotes the body.
 */
export class MalformedJsonError extends Error {}

/** A body that is JSON but nested too deeply. */
export class DeepJsonError extends MalformedJsonError {}

/** The message of `DeepJsonError`. */
export const tooDeep = `is nested deeper than ${maxBodyDepth} levels`

/** The message for most bodies that are not JSON. */
export const notValid = 'is not valid JSON'

/**
 * Reads a body as JSON (contract: Conventions): only UTF-8, with or without a byte order mark, no deeper than
 * `maxBodyDepth`. A duplicate key has its last value, as in JSON.parse. `parseExact` reads the numbers that
 * JavaScript would change.
 *
 * @throws {MalformedJsonError} with the problem, without any of the body's text.
 * @throws {DeepJsonError} for a body that is JSON but nested too deeply.
 */
export function parseJson(body: string | Uint8Array): unknown {
  if (body.length === 0) throw new MalformedJsonError('is empty; expected a JSON object')
  let text = typeof body === 'string' ? body : decoded(body)
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1)
  const value = parsed(text)
  if (depthOf(value, maxBodyDepth + 1) > maxBodyDepth) throw new DeepJsonError(tooDeep)
  return value
}

function decoded(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new MalformedJsonError('is not valid UTF-8')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    // V8's own message quotes the input, which may contain a card number.
    throw new MalformedJsonError(notValid)
  }
}
