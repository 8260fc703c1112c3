// Bodies of requests, and a sandbox to send them to.
import { gzipSync, brotliCompressSync } from 'node:zlib'
import { expect } from 'vitest'
import type { UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import { startSandbox, type Answered } from '../helpers/sandbox.ts'

export const intents = '/v2/transaction_intents'

export const MiB = 1024 * 1024

export const good = {
  customer_id: 'cus_ada',
  amount: 4599,
  currency: 'USD',
  payment_method_id: 'pm_ada_card',
  network_transaction_id: '016153570198200',
}

export const json = { 'content-type': 'application/json' }

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

export const errorB = (type: string, message: string) => ({ error: { type, message } })

export const malformed = (what: string) => errorB('BAD_REQUEST_ERROR', `The request body ${what}.`)

export const compressed = errorB('UNSUPPORTED_MEDIA_TYPE_ERROR', 'The request body must not be compressed.')

export const tooLarge = (most: number) =>
  errorB('PAYLOAD_TOO_LARGE_ERROR', `The request body is larger than ${most} bytes.`)

interface Sending {
  path?: string
  method?: string
  headers?: Record<string, string>
}

/** A sandbox, and ways to send it a body. */
export async function start(assume: UnvalidatedSettings = {}, options: { maxBody?: number } = {}) {
  const sandbox = await startSandbox({ assume, ...options })
  const document = (): string => JSON.stringify(sandbox.state.document())
  const send = (
    body: string | Uint8Array<ArrayBuffer> | ReadableStream,
    { path = intents, method = 'POST', headers = json }: Sending = {},
  ): Promise<Answered> => {
    const bytes = typeof body === 'string' ? utf8(body) : body
    return sandbox.call(method, path, { body: bytes, headers })
  }
  return {
    sandbox,
    state: sandbox.state,
    call: sandbox.call,
    document,
    /** Sends bytes as they are; text is sent in UTF-8. */
    send,
    /** Sends what must be refused, and fails when that changes anything. */
    refuse: async (...sending: Parameters<typeof send>): Promise<Answered> => {
      const before = document()
      const answer = await send(...sending)
      expect(document()).toBe(before)
      return answer
    },
  }
}

/** A body of so many bytes that is JSON, in chunks of 64 KiB at most. */
export function* ofSize(size: number): Generator<Uint8Array> {
  const [before, after] = [utf8('{"merchant_name":"'), utf8('"}')]
  yield before
  const piece = Buffer.alloc(64 * 1024, 'x')
  for (let left = size - before.length - after.length; left > 0; left -= piece.length) {
    yield piece.subarray(0, Math.min(left, piece.length))
  }
  yield after
}

// Ten million zeroes, which are 10 KB when they are compressed.
const bomb = Buffer.alloc(10_000_000, '0')

export const bodies: [string, Uint8Array<ArrayBuffer>][] = [
  ['gzip', new Uint8Array(gzipSync(JSON.stringify(good)))],
  ['br', new Uint8Array(brotliCompressSync(JSON.stringify(good)))],
  ['gzip', new Uint8Array(gzipSync(bomb))],
  ['GZIP', utf8(JSON.stringify(good))],
  ['deflate', utf8(JSON.stringify(good))],
  ['zstd', utf8(JSON.stringify(good))],
  ['identity, gzip', utf8(JSON.stringify(good))],
  ['unknown', utf8(JSON.stringify(good))],
]

export const sequences: [string, number[]][] = [
  ['a stray byte', [0xff]],
  ['a sequence cut off', [0xc3]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['Latin-1', [0xe9]],
]

export const withBytes = (bytes: readonly number[]): Uint8Array<ArrayBuffer> => {
  const [before = '', after = ''] = JSON.stringify({ ...good, metadata: { name: '|' } }).split('|')
  return Uint8Array.from([...utf8(before), ...bytes, ...utf8(after)])
}
