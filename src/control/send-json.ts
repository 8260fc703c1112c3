// Answers with a value as JSON, with numbers as they were sent.
import { stringify } from '../json/stringify.ts'

/** Like `Response.json`, for values with numbers that are stored as their text. */
export function sendJson(value: unknown, status = 200): Response {
  return new Response(stringify(value), { status, headers: { 'content-type': 'application/json' } })
}
