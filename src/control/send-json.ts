// Answers with a value as JSON, its numbers as they were sent.
import { stringify } from '../json/stringify.ts'

/** As `Response.json`, for what may hold numbers that are kept as their text. */
export function sendJson(value: unknown, status = 200): Response {
  return new Response(stringify(value), { status, headers: { 'content-type': 'application/json' } })
}
