// Decodes UTF-8, or finds the position of invalid bytes.
import { isUtf8 } from 'node:buffer'
import { DocumentError } from './problems.ts'

/** @param name the name of the file in messages. @throws {DocumentError} with the line and the first invalid byte. */
export function textOf(bytes: Buffer, name: string): string {
  const text = bytes.toString()
  if (isUtf8(bytes)) return text
  const offset = firstInvalid(bytes, text)
  const line = bytes.subarray(0, offset).toString('latin1').split('\n').length
  const message = `must be text in UTF-8; it has an invalid byte at ${offset}`
  throw new DocumentError([{ source: name, line, path: '', message }])
}

/**
 * An invalid sequence is decoded as U+FFFD, so that the text encoded again differs from there on, or two bytes later.
 */
function firstInvalid(bytes: Buffer, text: string): number {
  const again = Buffer.from(text)
  let at = 0
  while (bytes[at] === again[at]) at += 1
  while (!isUtf8(bytes.subarray(0, at))) at -= 1
  return at
}
