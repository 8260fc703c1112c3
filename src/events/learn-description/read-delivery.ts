// Reads the file of a captured delivery: raw HTTP or HAR, by its content.
import { mebibyte, readBytes, whyUnreadable } from '../../input/source-file.ts'
import { refusal } from '../../input/problems.ts'
import { textOf } from '../../input/utf8.ts'
import type { CapturedRequests } from './captured-request.ts'
import { readHar } from './read-har.ts'
import { readRawHttp } from './read-raw-http.ts'

/** Maximum size of a file: an archive of a browser has much more than one delivery. */
const maxFile = 50 * mebibyte

/**
 * Reads captured requests, of which one is a delivery.
 *
 * @param path absolute.
 * @param name the name of the file in messages.
 * @throws {DocumentError} for a file that is missing, or neither raw HTTP nor HAR.
 */
export async function readDelivery(path: string, name: string): Promise<CapturedRequests> {
  const bytes = await readBytes(path, maxFile).catch((error: unknown) => {
    throw refusal(name, whyUnreadable(error))
  })
  return deliveriesIn(bytes, name)
}

/** Reads captured requests from bytes; see `readDelivery`. */
export async function deliveriesIn(bytes: Buffer, name: string): Promise<CapturedRequests> {
  const text = textOf(bytes, name).replace(/^\ufeff/, '')
  if (text.trim() === '') throw refusal(name, 'is empty; expected a request as raw HTTP or HAR')
  return text.trimStart().startsWith('{') ? readHar(text, name) : [readRawHttp(text, name)]
}
