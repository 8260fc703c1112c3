import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSandbox } from '../../../src/sandbox/runs/join-run.ts'
import { runOf, tallyOf } from './join-run.ts'

afterEach(() => void vi.unstubAllEnvs())

const read = '/v2/rewards/rwd_ada_pending'

describe('what a run is told', () => {
  it('each call as it is answered: how it came, what it exercised and rested on, why it was refused', async () => {
    const folder = await runOf()
    const sandbox = await createSandbox()
    const { url } = await sandbox.listen()
    const headers = { authorization: `Bearer ${sandbox.apiKey}` }
    await sandbox.fetch(read, { headers })
    await fetch(url + read, { headers: { authorization: 'Bearer none' } })
    await sandbox.workspace('w').fetch('/v2/rewards/none?locale=es')
    await sandbox.fetch('/v2/reward/none', { headers })
    const tally = await tallyOf(folder)
    expect([tally.http, tally.inProcess, tally.joined]).toEqual([1, 3, 1])
    expect(tally.hits.get('retrieveReward/success')).toBe(1)
    expect(tally.hits.get('retrieveReward/error/REWARD_NOT_FOUND_ERROR')).toBe(1)
    expect([...tally.namedAssumptions].toSorted()).toContain('not_found_status')
    expect([...tally.operations]).toEqual(['retrieveReward'])
    expect(tally.refusals().map(({ status, path }) => [status, path])).toEqual([
      [401, read],
      [404, '/v2/rewards/none'],
    ])
    expect(tally.unmatched.list().map(({ nearest }) => nearest)).toEqual(['GET /v2/rewards/{reward_id}'])
    await sandbox.close()
  })
})
