import { describe, expect, test } from 'vitest'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'
import { rawCaller } from '../helpers/wire.ts'
import { expectUnusable } from './identify.ts'

const reward = '/v2/rewards/rwd_ada_pending'

describe('the workspace that a credential names', () => {
  test('over a socket: KEY.w3 -> its workspace; a bad name -> 401', async () => {
    const raw = await rawCaller(await startSandbox())
    const answer = await raw('GET', reward, [`Authorization: Bearer ${fullKey}.w3`])
    expect({ status: answer.status, requestId: answer.requestId }).toEqual({
      status: 200,
      requestId: 'req_w3_1',
    })
    expectUnusable(await raw('GET', reward, [`Authorization: Bearer ${fullKey}.w!3`]))
  })
})
