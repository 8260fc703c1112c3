import { describe, expect, it } from 'vitest'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'

const key = { authorization: `Bearer ${fullKey}` }
const reward = '/v2/rewards/rwd_ada_pending'

describe('a base URL that looks like the API', () => {
  it.each([
    ['/v2/proxy/_sandbox/health', 200],
    [`/v2/proxy${reward}`, 200],
    ['/v2/proxy/', 200],
    [reward, 200],
  ])('%s -> %i, in process and over a socket', async (path, status) => {
    const sandbox = await startSandbox({ baseUrl: 'http://sandbox.example/v2/proxy' })
    const { port } = await sandbox.listen()
    expect((await sandbox.fetch(path, { headers: key })).status).toBe(status)
    expect((await fetch(`http://127.0.0.1:${port}${path}`, { headers: key })).status).toBe(status)
  })
})
