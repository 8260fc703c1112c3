// A fetch that trusts one more authority: Node's own takes others only when its process begins (NODE_EXTRA_CA_CERTS).
import { request } from 'node:https'
import { rootCertificates } from 'node:tls'

/** A request of the client of the control plane. */
interface Sent {
  method: string
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
}

/** @param ca the certificates of the authority, as PEM. */
export function trustingFetch(ca: string, url: string, { body, ...sent }: Sent): Promise<Response> {
  return new Promise((resolve, reject) => {
    const call = request(url, { ...sent, ca: [...rootCertificates, ca], agent: false }, (answer) => {
      const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      )
      const { statusCode: status = 200 } = answer
      const isEmpty = status === 204 || status === 304
      resolve(new Response(isEmpty ? null : answer, { status, headers }))
    })
    // Callers read the code of the cause, as that of Node's fetch.
    call.on('error', (cause) => reject(new TypeError('fetch failed', { cause })))
    call.end(body)
  })
}
