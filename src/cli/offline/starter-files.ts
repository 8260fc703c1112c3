// The files that init writes: a fixture, a scenario, a config, and a test for the runner of the project.
import type { Project, StarterRunner } from './project.ts'

/** A file that `init` writes. */
export interface StarterFile {
  path: string
  text: string
}

const schemas = '../node_modules/partner-rewards-sandbox/dist/schemas'

const fixture: StarterFile = {
  path: 'fixtures/starter.yaml',
  text: `# yaml-language-server: $schema=${schemas}/fixtures.json
# Rows that the sandbox starts with, in addition to the built-in rows. Missing fields are filled in.
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
# A failure to test your client with. More are built in: npx partner-rewards-sandbox scenarios
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
  text: `# Options of \`npx partner-rewards-sandbox start\`; \`start --help\` lists them all.
# The built-in rows, and yours.
fixtures: [default, fixtures/starter.yaml]
# The folder of your scenarios. Use each by its name.
scenarioLibrary: scenarios
# scenario: busy-once
`,
}

const options = `{ fixtures: ['default', 'fixtures/starter.yaml'], scenarioLibrary: 'scenarios' }`

/** The differences between the languages of tests. */
interface Language {
  /** The declared type of a parameter, or nothing. */
  typed: (type: string) => string
  /** Imports names, and in TypeScript a type. */
  from: (module: string, names: string, type?: string) => string
}

const typeScript: Language = {
  typed: (type) => `: ${type}`,
  from: (module, names, type) => imported(module, type === undefined ? names : `${names}, type ${type}`),
}
const modules: Language = { typed: () => '', from: imported }
const commonJs: Language = {
  typed: () => '',
  from: (module, names) => `const { ${names} } = require('${module}')`,
}

function imported(module: string, names: string): string {
  return `import { ${names} } from '${module}'`
}

/** The call that every test makes. */
const settle = ({ typed }: Language): string =>
  `// Replace this by your own client. It needs workspace.fetch, or a URL (server.url) and a key (workspace.apiKey).
const settle = (workspace${typed('SandboxWorkspace')}) =>
  workspace.fetch('/v2/rewards/rwd_1', {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      // The product. A key of only one need not name it here, but the contract does not promise that.
      'x-service-merchant-key': 'mk_summit',
    },
    body: JSON.stringify({ status: 'AVAILABLE' }),
  })
`

/** For runners with fixtures and `expect`. */
const withFixtures = (head: string, language: Language): string => `${head}
${settle(language)}
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
`

const tests: Readonly<Record<StarterRunner, (language: Language, project: Project) => string>> = {
  vitest: (language) =>
    withFixtures(
      `${language.from('partner-rewards-sandbox/vitest', 'expect, test as base', 'SandboxWorkspace')}

const test = base.extend({
  sandboxOptions: ${options},
})
`,
      language,
    ),
  playwright: (language) =>
    withFixtures(
      `${language.from('partner-rewards-sandbox/playwright', 'expect, test', 'SandboxWorkspace')}

test.use({
  sandboxOptions: ${options},
})
`,
      language,
    ),
  'old vitest': (
    language,
  ) => `${language.from('partner-rewards-sandbox', 'createSandbox', 'Sandbox, type SandboxWorkspace')}
${language.from('vitest', 'afterAll, beforeAll, expect, test')}

// With vitest 4.1 or newer, partner-rewards-sandbox/vitest gives each test its workspace.
let sandbox${language.typed('Sandbox')}
beforeAll(async () => {
  sandbox = await createSandbox(${options})
})
afterAll(() => sandbox.close())

${settle(language)}
test('a pending reward is settled', async () => {
  const workspace = await sandbox.workspaces.create()
  expect((await settle(workspace)).status).toBe(200)
  expect(workspace.state.get('rewards', 'rwd_1')).toMatchObject({ status: 'AVAILABLE', amount: 500 })
})

test('a call that is refused for its rate works when it is made again', async () => {
  const workspace = await sandbox.workspaces.create({ scenarios: ['busy-once'] })
  expect((await settle(workspace)).status).toBe(429)
  expect((await settle(workspace)).status).toBe(200)
  expect(workspace.requests.verify({ operation: 'updateReward', count: 2 })).toMatchObject({ holds: true })
})
`,
  jest: (language, { typescript, globalTypes }) => `${
    typescript && !globalTypes ? `${imported('@jest/globals', 'expect, test')}\n` : ''
  }${language.from('partner-rewards-sandbox/jest', 'matchers, withSandbox', 'SandboxWorkspace')}

expect.extend(matchers)

const withWorkspace = withSandbox(${options})

${settle(language)}
test(
  'a pending reward is settled',
  withWorkspace(async ({ workspace }) => {
    expect((await settle(workspace)).status).toBe(200)
    expect(workspace.state.get('rewards', 'rwd_1')).toMatchObject({ status: 'AVAILABLE', amount: 500 })
  }),
)

test(
  'a call that is refused for its rate works when it is made again',
  withWorkspace(async ({ workspace }) => {
    await workspace.scenarios.activate('busy-once')
    expect((await settle(workspace)).status).toBe(429)
    expect((await settle(workspace)).status).toBe(200)
    expect(workspace).toHaveReceived({ operation: 'updateReward', count: 2 })
  }),
)
`,
  'node:test': (language) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertReceived, withSandbox } from 'partner-rewards-sandbox/node-test'

const withWorkspace = withSandbox(${options})

${settle(language)}
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

/** The script `npm test` for each runner. */
const scripts: Readonly<Record<StarterRunner, string>> = {
  vitest: 'vitest run',
  'old vitest': 'vitest run',
  playwright: 'playwright test',
  jest: 'jest',
  'node:test': 'node --test',
}

/** Returns the files of `init`, the command that runs the test, and the script `npm test` of such a project. */
export function starterFiles(project: Project): { files: StarterFile[]; command: string; script: string } {
  const { runner, typescript, modules: isModule, folder } = project
  const isCommonJs = runner === 'jest' && !isModule
  const language = typescript ? typeScript : isCommonJs ? commonJs : modules
  const ending = typescript ? 'ts' : runner === 'jest' ? 'js' : 'mjs'
  const name = `partner-rewards.${runner === 'playwright' ? 'spec' : 'test'}.${ending}`
  const test = { path: `${folder}/${name}`, text: tests[runner](language, project) }
  const script = scripts[runner]
  // Jest with ES modules depends on the project's own script.
  const program =
    runner === 'jest' && isModule ? 'npm test --' : runner === 'node:test' ? script : `npx ${script}`
  return { files: [fixture, scenario, starterConfig, test], command: `${program} ${test.path}`, script }
}
