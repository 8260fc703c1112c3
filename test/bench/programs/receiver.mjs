/** A receiver of webhook events that misbehaves by the path of the request. Prints its port. */
import { createServer } from 'node:http'

const large = Buffer.alloc(10_000_000, 'x')

/** @type {Record<string, (response: import('node:http').ServerResponse) => unknown>} */
const kinds = {
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
  kinds[request.url ?? '']?.(response)
  request.resume()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : address)
})
