// Calls the control plane in process or over a port.
import type { Answered } from '../helpers/sandbox.ts'

/** An answer of the control plane, read to its end. */
export async function get(
  door: { fetch(path: string, init?: RequestInit): Promise<Response> },
  path: string,
  init?: RequestInit,
): Promise<{
  status: number
  type: string | null
  allow: string | null
  text: string
  json: Answered['json']
}> {
  const { status, headers, ...answer } = await door.fetch(path, init).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  }))
  return {
    status,
    type: headers.get('content-type'),
    allow: headers.get('allow'),
    text: answer.text,
    json: answer.text === '' ? undefined : JSON.parse(answer.text),
  }
}
