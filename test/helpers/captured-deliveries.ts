// Deliveries of a provider as files: raw HTTP and HAR, with the headers that proxies add.
import type { Delivery } from '../../src/events/delivery.ts'

const transport = { host: 'receiver.example', 'user-agent': 'provider/2.1', 'x-forwarded-for': '192.0.2.7' }

/** A delivery as raw HTTP. */
export function rawHttp({ headers, body }: Delivery, { line = '\n', end = '' } = {}): string {
  const lines = Object.entries({ ...transport, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return `${['POST /webhooks HTTP/1.1', ...lines, '', ''].join(line)}${body}${end}`
}

/** Deliveries as HAR, after a request that is none. */
export function harText(...deliveries: readonly Delivery[]): string {
  const request = (method: string, more: object): object => ({
    request: { method, url: 'https://receiver.example/webhooks', headers: [], ...more },
  })
  const posts = deliveries.map(({ headers, body }) =>
    request('POST', {
      headers: Object.entries({ ...transport, ...headers }).map(([name, value]) => ({ name, value })),
      postData: { mimeType: 'application/json', text: body },
    }),
  )
  const entries = [request('GET', {}), ...posts]
  return JSON.stringify({ log: { version: '1.2', entries } })
}
