import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'

/**
 * Starts a redis-server on a free port; an acknowledged write is on its disk.
 * @param {string} folder for its files; created.
 */
export async function startEngine(folder) {
  mkdirSync(folder)
  const port = await freePort()
  const appends = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']
  const launch = async () => {
    const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, ...appends]
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    process.on('exit', () => child.kill('SIGKILL'))
    await new Promise((resolve, reject) => {
      let out = ''
      child.stdout.setEncoding('utf8').on('data', (text) => {
        out += text
        if (out.includes('Ready to accept connections')) resolve(undefined)
      })
      child.once('error', reject).once('close', () => reject(new Error(out)))
    })
    return child
  }
  let child = await launch()
  const kill = async () => {
    const ended = once(child, 'close')
    child.kill('SIGKILL')
    await ended
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    /** Kills it and starts it again with its files. */
    restart: async () => {
      await kill()
      child = await launch()
    },
  }
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
