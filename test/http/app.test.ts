// The router of the Hono app.
import { expect, it } from 'vitest'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { createApp } from '../../src/http/app.ts'
import type { Service } from '../../src/http/service.ts'
import { startSandbox } from '../helpers/sandbox.ts'

it.each(['not_served', 'documented'] as const)(
  'with unlisted_operations=%s, Hono serves every path by one regular expression',
  async (unlisted_operations) => {
    const service = {
      assumptions: resolveAssumptions({ unlisted_operations }),
      workspaces: { policy: { hidesOthers: false } },
    } as unknown as Service
    const app = createApp(
      service,
      () => Promise.reject(new Error('not called')),
      () => undefined,
    )
    // The router is chosen by the first call, and falls back silently where a path is ambiguous.
    app.router.match('GET', '/v2/rewards/rewards_categories')
    expect(app.router.name).toBe('SmartRouter + RegExpRouter')
  },
)

it.each([
  ['GET', '/v2/rewards/rewards_categories', 'listRewardCategories'],
  ['GET', '/v2/rewards/rwd_ada_pending', 'retrieveReward'],
  ['PATCH', '/v2/rewards/rwd_ada_pending', 'updateReward'],
])('%s %s -> %s', async (method, path, operation) => {
  const sandbox = await startSandbox()
  const { requestId } = await sandbox.call(method, path, method === 'PATCH' ? { json: { amount: 5 } } : {})
  expect(sandbox.requests.get(requestId ?? '')?.operation).toBe(operation)
})
