import type { Sandbox, SandboxOptions, SandboxServer } from '../../src/index.ts'
import { raw } from './raw.ts'
import { answered, checkerFor, type Answered } from './sandbox.ts'

/** A call as bytes: header lines, and what follows them, go out exactly as they are given. */
export type CallRaw = (
  method: string,
  path: string,
  lines?: readonly string[],
  body?: string,
) => Promise<Answered>

/**
 * Serves a sandbox on a port and calls it with bytes of our own making: `fetch` would join, trim and refuse headers
 * before they reach the wire. Answers are checked against the OpenAPI document, as in `startSandbox`.
 */
export async function rawCaller(sandbox: Sandbox, options: SandboxOptions = {}): Promise<CallRaw> {
  const server = await sandbox.listen()
  const checker = checkerFor(options)
  return async (method, path, lines = [], body = '') => {
    const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...lines, 'Connection: close', '', body]
    const answer = await sendRaw(server, head.join('\r\n'))
    checker.check({ method, path }, { status: answer.status, headers: answer.headers, body: answer.text })
    return answer
  }
}

/** Sends text as Latin-1 bytes; there must be one answer, after which the server closes the connection. */
export async function sendRaw(server: SandboxServer, text: string): Promise<Answered> {
  const { status, headers, body } = await raw(server, Buffer.from(text, 'latin1'))
  return answered(new Response(body === '' ? null : body, { status, headers }), body)
}
