import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { fullKey } from '../helpers/sandbox.ts'
import { rawCaller } from '../helpers/wire.ts'

const reward = '/v2/rewards/rwd_ada_pending'

describe('credentials that are none', () => {
  it('two Authorization headers on a socket', async () => {
    await using sandbox = await createSandbox()
    const call = await rawCaller(sandbox)
    await call('GET', reward, [`Authorization: Bearer ${fullKey}`, `Authorization: Bearer ${fullKey}`])
    expect(sandbox.requests.explain('req_default_1')?.summary).toBe(
      'Authorization was sent more than once, so none of them is used.',
    )
  })
})

describe('versions that are refused', () => {
  const has = 'is not supported in environment sandbox, which has 2025-05-05, 2026-10-13 and latest'

  it('sent twice on a socket', async () => {
    await using sandbox = await createSandbox()
    const call = await rawCaller(sandbox)
    const line = 'x-service-version: 2026-10-13'
    await call('GET', reward, [`Authorization: Bearer ${fullKey}`, line, line])
    expect(sandbox.requests.explain('req_default_1')?.summary).toBe(
      `x-service-version '2026-10-13, 2026-10-13' ${has}; it was sent more than once.`,
    )
  })
})
