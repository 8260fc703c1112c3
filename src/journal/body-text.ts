// A body as JSON: text unchanged; bytes, and text that JSON escaping would make much longer, as base64.
import { isAscii } from 'node:buffer'

type BodyText = string | { bytes: string } | { text: string }

/** @param isShort whether a text of many control characters is written as base64, which is then shorter. */
export function writeBody(body: string | Uint8Array, isShort: boolean): BodyText {
  if (typeof body !== 'string') {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
    // The bytes of ASCII are its text in any encoding; but an empty text is not the same as a body without bytes.
    return bytes.length > 0 && isAscii(bytes)
      ? writeBody(bytes.toString('latin1'), isShort)
      : { bytes: bytes.toString('base64') }
  }
  if (!isShort || JSON.stringify(body).length <= (4 / 3) * body.length) return body
  return { text: Buffer.from(body).toString('base64') }
}

export function readBody(written: BodyText): string | Uint8Array<ArrayBuffer> {
  if (typeof written === 'string') return written
  if ('text' in written) return Buffer.from(written.text, 'base64').toString()
  return new Uint8Array(Buffer.from(written.bytes, 'base64'))
}
