import { expect, test } from '@jest/globals'
import { matchers, withWorkspace, type SandboxWorkspace } from 'partner-rewards-sandbox/jest'
import { PartnerClient } from '../partner-client/client.mjs'

expect.extend(matchers)

const clientOf = ({ apiKey, fetch }: SandboxWorkspace): PartnerClient => new PartnerClient({ apiKey, fetch })

test(
  'in TypeScript, with types of the matchers',
  withWorkspace(async ({ workspace }) => {
    await clientOf(workspace).settleReward('rwd_ada_pending')
    expect(workspace).toHaveReceived({ operation: 'updateReward', body: { status: 'AVAILABLE' }, count: 1 })
    expect(workspace).not.toHaveReceived({ status: 400 })
  }),
)

test.each([
  ['rwd_ada_pending', 252],
  ['rwd_ada_pending', 252],
])(
  'and of the row of a table: %s',
  withWorkspace(async ({ workspace }, id: string, amount: number) => {
    expect(await clientOf(workspace).settleReward(id)).toMatchObject({ amount })
  }),
)
