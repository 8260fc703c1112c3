import { describe, expect } from 'vitest'
import { test } from '../../src/testing/vitest.ts'

/** The kit in this very run. Failing tests, other runners and HTTP clients are in test/package. */
const pending = '/v2/rewards/rwd_ada_pending'

describe('the kit of vitest', () => {
  test('over HTTP with the key of the workspace', async ({ server, workspace }) => {
    await fetch(new URL(pending, server.url), { headers: { authorization: `Bearer ${workspace.apiKey}` } })
    await fetch(new URL('/v2/custmers', server.url), {
      headers: { authorization: `Bearer ${workspace.apiKey}` },
    })
    expect(workspace).toHaveReceivedInOrder([{ operation: 'retrieveReward' }, { status: 404 }])
    expect(workspace).not.toHaveNoUnmatchedRequests()
  })
})
