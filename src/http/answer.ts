import type { TransportFault } from '../scenarios/consequences.ts'

/** A finished answer, before it becomes a Response or bytes on a socket. Header names are lower case. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | null
  /** What happens on the way instead of a whole answer. */
  fault?: TransportFault
}

/** An answer with a JSON body. */
export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return textAnswer(status, JSON.stringify(body), headers)
}

/** An answer whose body is JSON text already. */
export function textAnswer(status: number, text: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: text }
}
