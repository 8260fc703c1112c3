// The text of bytes in UTF-8, or the place where they are none.
import { isUtf8 } from 'node:buffer'
import { DocumentError } from './problems.ts'

/** @param name how messages name the file. @throws {DocumentError} naming the line and the first byte that is no text. */
export function textOf(bytes: Buffer, name: string): string {
  const text = bytes.toString()
  if (isUtf8(bytes)) return text
  const offset = firstInvalid(bytes, text)
  const line = bytes.subarray(0, offset).toString('latin1').split('\n').length
  const message = `must be text in UTF-8, and is not at byte ${offset}`
  throw new DocumentError([{ source: name, line, path: '', message }])
}

/** An invalid sequence is read as U+FFFD, so that the text written again differs from there on, or two bytes later. */
function firstInvalid(bytes: Buffer, text: string): number {
  const again = Buffer.from(text)
  let at = 0
  while (bytes[at] === again[at]) at += 1
  while (!isUtf8(bytes.subarray(0, at))) at -= 1
  return at
}
