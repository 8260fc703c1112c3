import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packedPackage } from '../helpers/consumer.ts'
import { httpReceiver } from '../helpers/receiver.ts'
import { launch, started } from '../helpers/processes.ts'

const user = packedPackage()

/**
 * The environment of a network with a proxy, and the number of requests that it got. Node 22 and newer heed it by a
 * variable; 22 warns that this is experimental.
 */
async function behindProxy(): Promise<{ env: Record<string, string>; requests: () => number }> {
  const { url, connections } = await httpReceiver((_request, answer) => answer.writeHead(502).end())
  const { origin } = new URL(url)
  const env = {
    NODE_USE_ENV_PROXY: '1',
    NODE_NO_WARNINGS: '1',
    HTTP_PROXY: origin,
    http_proxy: origin,
    NO_PROXY: 'a.example',
  }
  return { env, requests: connections }
}

const binOf = async (): Promise<string> =>
  join(await user.project(), 'node_modules/partner-rewards-sandbox/dist/bin.cjs')

it('a verb reaches a sandbox on loopback, and not the proxy', { timeout: 60_000 }, async () => {
  const { env, requests } = await behindProxy()
  const bin = await binOf()
  const sandbox = await started()
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    const child = launch([bin, 'health', '--url', `http://${host}:${sandbox.port}`], { env })
    expect([host, await child.ended, child.err()]).toEqual([host, 0, ''])
  }
  expect(requests()).toBe(0)
})

it('a program of exec reaches the sandbox, and not the proxy', { timeout: 60_000 }, async () => {
  const { env, requests } = await behindProxy()
  const program = `
    const { NO_PROXY, no_proxy, SANDBOX_URL } = process.env
    fetch(SANDBOX_URL + '/_sandbox/health').then(({ status }) => console.log(NO_PROXY, no_proxy, status))`
  const child = launch([await binOf(), 'exec', '--quiet', '--', process.execPath, '-e', program], { env })
  expect(await child.ended).toBe(0)
  const names = 'a.example,localhost,127.0.0.1,::1,[::1]'
  expect(child.out()).toBe(`${names} ${names} 200\n`)
  expect(requests()).toBe(0)
})
