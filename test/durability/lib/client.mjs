import { Agent, request } from 'node:http'

/** @typedef {{ status: number, body: string }} Answer */

/** A client that keeps one connection alive, as one thread of a partner's service does. */
export class Client {
  /** @param {string} url @param {string} [key] */
  constructor(url, key = 'sk_sandbox_full') {
    this.url = url
    this.key = key
    this.agent = new Agent({ keepAlive: true, maxSockets: 1 })
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @param {string} [key]
   * @returns {Promise<Answer | undefined>} undefined when no whole answer came.
   */
  call(method, path, body, key = this.key) {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return new Promise((resolve) => {
      const sent = request(
        new URL(path, this.url),
        {
          method,
          agent: this.agent,
          headers: {
            authorization: `Bearer ${key}`,
            ...(text === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        },
        (response) => {
          let answer = ''
          response.setEncoding('utf8')
          response.on('data', (chunk) => (answer += chunk))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: answer }))
          response.on('error', () => resolve(undefined))
        },
      )
      sent.on('error', () => resolve(undefined))
      sent.end(text)
    })
  }

  close() {
    this.agent.destroy()
  }
}

/**
 * Does something with each of a list, some at a time.
 * @template T
 * @param {Iterable<T>} items
 * @param {number} atOnce
 * @param {(item: T) => Promise<void>} work
 */
export async function eachOf(items, atOnce, work) {
  const rest = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
