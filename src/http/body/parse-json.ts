// Reads a request body as JSON: UTF-8, byte order mark, depth limit, duplicate keys.
import { isUtf8 } from 'node:buffer'
import { depthOf } from '../../contract/formats.ts'
import { valuesOf, type Assume, type Assumptions } from '../../contract/assumptions.ts'
import { hasDuplicateKey } from '../../json/json-text.ts'
import { parseExact } from '../../json/parse-exact.ts'

/**
 * A body that the service does not accept as JSON. The message completes the sentence "The request body …", and
 * never quotes the body.
 */
export class MalformedJsonError extends Error {}

/** A body that is JSON but nested too deeply. */
export class DeepJsonError extends MalformedJsonError {}

/** The message of `DeepJsonError`. */
export const tooDeep = ({ body_max_depth: most }: Assumptions): string =>
  `is nested deeper than ${most} levels`

/** The message for most bodies that are not JSON. */
export const notValid = 'is not valid JSON'

/**
 * Reads a body as JSON (contract: Conventions): only UTF-8, with or without a byte order mark, no deeper than
 * `body_max_depth`. A duplicate key has its last value, as in JSON.parse. `parseExact` reads the numbers that
 * JavaScript would change.
 *
 * @throws {MalformedJsonError} with the problem, without any of the body's text.
 * @throws {DeepJsonError} for a body that is JSON but nested too deeply.
 */
export function parseJson(body: string | Uint8Array, assume: Assume, values: Assumptions): unknown {
  if (body.length === 0) throw new MalformedJsonError('is empty; expected a JSON object')
  let text = typeof body === 'string' ? body : decoded(body)
  if (text.charCodeAt(0) === 0xfeff) {
    if (assume('json_byte_order_mark') === 'refused') {
      throw new MalformedJsonError('starts with a byte order mark')
    }
    text = text.slice(1)
  }
  const value = parsed(text)
  const depth = depthOf(value, values.body_max_depth + 1)
  if (depth > Math.min(minDepth, values.body_max_depth)) assume('body_max_depth')
  if (depth > values.body_max_depth) {
    throw new DeepJsonError(tooDeep(values))
  }
  if (hasDuplicateKey(text, value) && assume('duplicate_json_keys') === 'refused') {
    throw new MalformedJsonError('has a key twice in one object')
  }
  return value
}

function decoded(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new MalformedJsonError('is not valid UTF-8')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

const minDepth = Math.min(...valuesOf('body_max_depth'))

function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    // V8's own message quotes the input, which may contain a card number.
    throw new MalformedJsonError(notValid)
  }
}
