import { describe, expect, it } from 'vitest'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'

const pending = '/v2/rewards/rwd_ada_pending'

describe('the total', () => {
  it('over one connection that is kept: each call by itself', async () => {
    const sandbox = await startSandbox()
    const { url } = await sandbox.listen()
    const headers = { authorization: `Bearer ${fullKey}`, connection: 'keep-alive' }
    for (let count = 0; count < 5; count++) await (await fetch(url + pending, { headers })).text()
    const { points } = await sandbox.coverage.get()
    expect(points.find(({ id }) => id === 'retrieveReward/success')?.hits).toBe(5)
  })
})
