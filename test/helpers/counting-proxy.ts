import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Passes bytes on to a server, and counts the connections that clients open. */
export async function countingProxy(port: number): Promise<{ url: string; connections: () => number }> {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    connections += 1
    const upstream = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => sockets.delete(from))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
  }
}
