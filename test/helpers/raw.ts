import { connect, type Socket } from 'node:net'
import type { SandboxServer } from '../../src/index.ts'
import type { Answered } from './sandbox.ts'

/** The answer of a connection, parsed by hand, as a client library would tolerate too much. */
export interface RawAnswer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
  json: Answered['json']
}

/** The actions of a test on a connection. */
export interface RawOptions {
  /** Half-closes after writing, as a client does that has no more to send. */
  end?: boolean
  /** Whether the answers are to HEAD, and so have the length of a body that is not there. */
  isHead?: boolean
}

/**
 * Writes bytes on a connection of their own, and reads until the server closes it. Each call must therefore end in
 * something that closes: `Connection: close`, HTTP/1.0, or a refusal.
 */
export async function rawBytes(
  { url, port }: SandboxServer,
  bytes: string | Buffer,
  options: RawOptions = {},
): Promise<string> {
  const { hostname } = new URL(url)
  const socket = connect(port, hostname === '0.0.0.0' ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, ''))
  socket.write(bytes)
  if (options.end) socket.end()
  return readToEnd(socket)
}

/** Everything that arrives until the server has closed its side; a character for each byte. */
export function readToEnd(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}

/** One answer to one piece of bytes. */
export async function raw(
  server: SandboxServer,
  bytes: string | Buffer,
  options?: RawOptions,
): Promise<RawAnswer> {
  const answers = parseAnswers(await rawBytes(server, bytes, options), options?.isHead)
  const [only] = answers
  if (!only || answers.length > 1) throw new Error(`${answers.length} answers came back, not one`)
  return only
}

/** A request as bytes; `Host` and `Connection: close` are there unless given, and `null` leaves one out. */
export function request(
  method: string,
  target: string,
  headers: Record<string, string | null> = {},
  body = '',
): string {
  const sent = { Host: '127.0.0.1', Connection: 'close', ...headers }
  const lines = Object.entries(sent).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  return [`${method} ${target} HTTP/1.1`, ...lines, '', body].join('\r\n')
}

/** Takes apart the answers of one connection, by their Content-Length; a character stands for a byte. */
export function parseAnswers(text: string, isHead = false): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = text
  while (rest !== '') {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd === -1) throw new Error(`not an HTTP answer: ${JSON.stringify(rest.slice(0, 200))}`)
    const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n')
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine) ?? []
    if (status === undefined) throw new Error(`not a status line: ${JSON.stringify(statusLine)}`)
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
      }),
    )
    const length = isHead ? 0 : Number(headers['content-length'] ?? 0)
    const bodyEnd = headEnd + 4 + length
    const body = Buffer.from(rest.slice(headEnd + 4, bodyEnd), 'latin1').toString()
    rest = rest.slice(bodyEnd)
    const isJson = headers['content-type'] === 'application/json' && body !== ''
    answers.push({ status: Number(status), headers, body, json: isJson ? JSON.parse(body) : undefined })
  }
  return answers
}
