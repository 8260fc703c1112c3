// Deliveries of a provider as files: raw HTTP and HAR, with the headers that proxies add.
import type { Delivery } from '../../src/events/delivery.ts'

const transport = { host: 'receiver.example', 'user-agent': 'provider/2.1', 'x-forwarded-for': '192.0.2.7' }

/** A delivery as raw HTTP. */
export function rawHttp({ headers, body }: Delivery, { line = '\n', end = '' } = {}): string {
  const lines = Object.entries({ ...transport, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return `${['POST /webhooks HTTP/1.1', ...lines, '', ''].join(line)}${body}${end}`
}

/** A delivery as HAR, among requests that are none. */
export function harText({ headers, body }: Delivery): string {
  const pairs = Object.entries({ ...transport, ...headers }).map(([name, value]) => ({ name, value }))
  const request = (method: string, more: object): object => ({
    request: { method, url: 'https://receiver.example/webhooks', headers: [], ...more },
  })
  const entries = [
    request('GET', {}),
    request('POST', { postData: { mimeType: 'application/json', text: '{}' } }),
    request('POST', { headers: pairs, postData: { mimeType: 'application/json', text: body } }),
  ]
  return JSON.stringify({ log: { version: '1.2', entries } })
}
