import { describe, expect, it } from 'vitest'
import { cli, folderWith, serve, withKey } from '../../helpers/fake-io.ts'

describe('init', () => {
  it('what it writes is valid, and what start begins with', async () => {
    const cwd = await folderWith()
    await cli(['init'], { cwd })
    expect(await cli(['validate'], { cwd })).toEqual({ code: 0, stdout: '', stderr: 'No problems.\n' })
    await serve(['--scenario', 'scenarios/busy-once.yaml'], { cwd }, async ({ fetch }) => {
      expect(await (await fetch('/v2/rewards/rwd_1', withKey())).json()).toMatchObject({ amount: 500 })
      // The built-in rows stay as the pages show them.
      const balance = await fetch('/v2/customers/cus_ada/rewards_balance', withKey())
      expect(await balance.json()).toMatchObject({ reward_balance: 29590 })
      const update = { ...withKey(), method: 'PATCH' }
      expect((await fetch('/v2/rewards/rwd_1', update)).status).toBe(429)
    })
  })
})
