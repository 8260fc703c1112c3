// The files that init writes: a fixture, a scenario, a config and a test for vitest or node:test.

/** The runners for which `init` writes a test. */
export const starterRunners = ['vitest', 'node:test'] as const
export type StarterRunner = (typeof starterRunners)[number]

/** A file that `init` writes. */
export interface StarterFile {
  path: string
  text: string
}

/** The test is of this name for every runner, so that none is written beside that of another. */
export const starterTest = 'test/partner-rewards.test.mjs'

const schemas = '../node_modules/partner-rewards-sandbox/dist/schemas'

const fixture: StarterFile = {
  path: 'fixtures/starter.yaml',
  text: `# yaml-language-server: $schema=${schemas}/fixtures.json
# What the sandbox knows when it starts. What a row leaves out is filled in; products and API keys are built in.
# Check your changes: npx partner-rewards-sandbox validate
customers:
  - id: cus_1
    partner_customer_id: shop-1

payment_methods:
  - id: pm_1
    customer_id: cus_1
    type: CARD

rewards:
  - id: rwd_1
    customer_id: cus_1
    status: PENDING
    amount: 500
`,
}

const scenario: StarterFile = {
  path: 'scenarios/busy-once.yaml',
  text: `# yaml-language-server: $schema=${schemas}/scenario.json
# A failure to try your client with. More are built in: npx partner-rewards-sandbox scenarios
name: busy-once
description: The first update of a reward is refused with 429 and Retry-After; the next one works.
rules:
  - on: updateReward
    calls: '1'
    effect: { error: RATE_LIMIT_ERROR }
`,
}

export const starterConfig: StarterFile = {
  path: 'sandbox.config.yaml',
  text: `# What \`npx partner-rewards-sandbox start\` begins with; \`start --help\` names every option.
fixtures: fixtures/starter.yaml
# Where your scenarios are, which are then known by their names.
scenarioLibrary: scenarios
# scenario: busy-once
`,
}

/** The call that both tests make. */
const settle = `// Put your own client in its place. It takes workspace.fetch, or a URL (server.url) and a key (workspace.apiKey).
const settle = (workspace) =>
  workspace.fetch('/v2/rewards/rwd_1', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'AVAILABLE' }),
  })
`

const tests: Readonly<Record<StarterRunner, string>> = {
  vitest: `import { expect, test as base } from 'partner-rewards-sandbox/vitest'

const test = base.extend({
  sandboxOptions: { fixtures: 'fixtures/starter.yaml', scenarioLibrary: 'scenarios' },
})

${settle}
test('a pending reward is settled', async ({ workspace }) => {
  expect((await settle(workspace)).status).toBe(200)
  expect(workspace.state.get('rewards', 'rwd_1')).toMatchObject({ status: 'AVAILABLE', amount: 500 })
})

test('a call that is refused for its rate works when it is made again', async ({ workspace }) => {
  await workspace.scenarios.activate('busy-once')
  expect((await settle(workspace)).status).toBe(429)
  expect((await settle(workspace)).status).toBe(200)
  expect(workspace).toHaveReceived({ operation: 'updateReward', count: 2 })
})
`,
  'node:test': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertReceived, withSandbox } from 'partner-rewards-sandbox/node-test'

const withWorkspace = withSandbox({ fixtures: 'fixtures/starter.yaml', scenarioLibrary: 'scenarios' })

${settle}
test(
  'a pending reward is settled',
  withWorkspace(async ({ workspace }) => {
    const answer = await settle(workspace)
    assert.equal(answer.status, 200)
    assert.equal((await answer.json()).status, 'AVAILABLE')
  }),
)

test(
  'a call that is refused for its rate works when it is made again',
  withWorkspace(async ({ workspace }) => {
    await workspace.scenarios.activate('busy-once')
    assert.equal((await settle(workspace)).status, 429)
    assert.equal((await settle(workspace)).status, 200)
    assertReceived(workspace, { operation: 'updateReward', count: 2 })
  }),
)
`,
}

/** Everything that `init` writes for a runner. */
export function starterFiles(runner: StarterRunner): StarterFile[] {
  return [fixture, scenario, starterConfig, { path: starterTest, text: tests[runner] }]
}
