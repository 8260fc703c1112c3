// Answers with a body of JSON.
import type { Answer } from '../exchange/became.ts'

/** An answer with a JSON body. */
export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return textAnswer(status, JSON.stringify(body), headers)
}

/** An answer whose body is JSON text already. */
export function textAnswer(status: number, text: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: text }
}
