import { connect } from 'node:net'
import type { Sandbox, SandboxOptions } from '../../src/index.ts'
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
  const { url } = await sandbox.listen()
  const checker = await checkerFor(options)
  return async (method, path, lines = [], body = '') => {
    const { host } = new URL(url)
    const head = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...lines, 'Connection: close', '', body]
    const answer = await sendRaw(url, head.join('\r\n'))
    checker.check({ method, path }, { status: answer.status, headers: answer.headers, body: answer.text })
    return answer
  }
}

/** Sends text as Latin-1 bytes and reads what comes back until the server closes the connection. */
export async function sendRaw(url: string, text: string): Promise<Answered> {
  const { hostname, port } = new URL(url)
  const received = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text, 'latin1'))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => resolve(Buffer.concat(chunks).toString()))
    socket.on('error', reject)
  })
  const end = received.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  const body = received.slice(end + 4)
  const status = Number(statusLine.split(' ')[1])
  return answered(new Response(body === '' ? null : body, { status, headers }), body)
}
