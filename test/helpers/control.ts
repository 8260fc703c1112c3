import type { Sandbox } from '../../src/index.ts'

/** An answer of the control plane, read to its end. */
export interface ControlAnswer {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  json: any
  text: string
  headers: Headers
}

/** Calls `/_sandbox` + path; a body that is no string is sent as JSON. */
export async function askControl(
  sandbox: Pick<Sandbox, 'fetch'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<ControlAnswer> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const init: RequestInit = sent === undefined ? { method } : { method, headers, body: sent }
  const response = await sandbox.fetch(`/_sandbox${path}`, init)
  const text = await response.text()
  // Reports, documents and metrics are texts.
  const isJson = text !== '' && response.headers.get('content-type')?.startsWith('text/') !== true
  return {
    status: response.status,
    json: isJson ? JSON.parse(text) : undefined,
    text,
    headers: response.headers,
  }
}

/** An error of the control plane, without details. */
export function controlErrorBody(type: string, message: string): object {
  return { error: { type, message } }
}
