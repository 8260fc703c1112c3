import { once } from 'node:events'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

/** Returns the answer of a server that is no sandbox. */
export interface Reply {
  status: number
  body: string
  /** It has the mark of a sandbox. */
  isSandbox?: boolean
}

/** The address of a server that answers every request like this; gone when the test ends. */
export async function answering(
  reply: (method: string, path: string, sent: string) => Reply | Promise<Reply>,
): Promise<string> {
  const server = createServer(async (request, answer) => {
    const { method = '', url = '' } = request
    const sent = Buffer.concat(await request.toArray()).toString()
    try {
      const { status, body, isSandbox } = await reply(method, url, sent)
      answer
        .writeHead(status, {
          location: '/elsewhere',
          ...(isSandbox && { 'x-sandbox': 'partner-rewards-sandbox' }),
        })
        .end(body)
    } catch {
      // It has nothing to say.
      answer.destroy()
    }
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
