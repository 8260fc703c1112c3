import { once } from 'node:events'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

/** What a server that is no sandbox answers. */
export interface Reply {
  status: number
  body: string
}

/** The address of a server that answers every request like this; gone when the test ends. */
export async function answering(reply: (method: string, path: string) => Reply): Promise<string> {
  const server = createServer(({ method = '', url = '' }, answer) => {
    const { status, body } = reply(method, url)
    answer.writeHead(status, { location: '/elsewhere' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it has no port')
  return `http://127.0.0.1:${address.port}`
}
