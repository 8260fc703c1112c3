// A port for a program that needs one as an argument.
import { createServer } from 'node:net'

/**
 * A port that nothing listens on, and neither on the one 10,000 above, over which nodes of a cluster speak to each
 * other. It is below those that the system hands out for connections and for port 0: one of these, let go of, is taken
 * by whatever else runs here before the program that it was for has started, or between two starts of it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 10_000)
    if ((await isFree(port)) && (await isFree(port + 10_000))) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.once('listening', () => server.close(() => resolve(true)))
  })
}
