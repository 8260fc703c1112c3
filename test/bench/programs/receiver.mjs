/**
 * A receiver of webhook events that behaves as the path of the request says. Prints its port. `GET /arrivals` returns
 * the ages of the events that `/ok` received since the last `GET /arrivals`.
 */
import { createServer } from 'node:http'

const large = Buffer.alloc(10_000_000, 'x')

/** The age of each event at its arrival (ms). @type {number[]} */
let ages = []

/** @type {Record<string, (response: import('node:http').ServerResponse, request: import('node:http').IncomingMessage) => unknown>} */
const kinds = {
  '/arrivals': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ages }))
    ages = []
  },
  '/ok': (response, request) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      ages.push(Date.now() - Date.parse(JSON.parse(body).timestamp))
      response.writeHead(204).end()
    })
  },
  '/hang': () => undefined,
  '/reset': (response) => response.socket?.resetAndDestroy(),
  '/500': (response) => response.writeHead(500).end(),
  '/410': (response) => response.writeHead(410).end(),
  '/302': (response) => response.writeHead(302, { location: '/500' }).end(),
  '/10mb': (response) => response.writeHead(200).end(large),
  // Before it has read the body.
  '/close': (response) => response.socket?.destroy(),
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': 1000 })
    response.write('x')
    setImmediate(() => response.socket?.destroy())
  },
}

const server = createServer((request, response) => {
  response.on('error', () => undefined)
  kinds[request.url ?? '']?.(response, request)
  request.resume()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : address)
})
