import { exportedEntry, memberList } from './declared.ts'

/** What the kits for test runners export, with their own words. */
export function testKits(): string {
  return `## Test kits

Every test gets a workspace of its own in a sandbox that tests share, so they may run side by side. In each runner it is
given:

${memberList('testing/kit.ts', 'TestKit')}
Paths in options are relative to the working directory of the runner. The error of a failed test lists every call to its workspace,
the answer and the reason, with secrets hidden. Every test that failed meanwhile also lists HTTP calls that missed their workspace:
a wrong key, or \`sandbox.apiKey\` instead of \`workspace.apiKey\`, which calls workspace \`default\`. Matchers of requests take a
[Verification](#verification) or a list of [RequestMatchers](#requestmatcher).

### partner-rewards-sandbox/vitest

For vitest 4.1 or newer. Beside what every test gets, these can be replaced:

${memberList('testing/vitest.ts', 'VitestKit')}
${exportedEntry('testing/vitest.ts', 'test')}
The kit exports \`describe\`, \`expect\`, \`vi\`, \`beforeAll\`, \`beforeEach\`, \`afterEach\`, \`afterAll\`, \`onTestFailed\` and
\`onTestFinished\` of vitest, so that one import serves a file. Importing it adds matchers, also with \`.not\`:

${memberList('testing/received-requests.ts', 'SandboxMatchers')}
### partner-rewards-sandbox/playwright

A sandbox for each worker, with options that can be set:

${memberList('testing/playwright.ts', 'PlaywrightWorkerKit')}
and for each test:

${memberList('testing/playwright.ts', 'PlaywrightTestKit')}
${exportedEntry('testing/playwright.ts', 'test')}
${exportedEntry('testing/playwright.ts', 'expect')}
### partner-rewards-sandbox/jest

For Jest 29 or newer, by \`require\` or \`import\`. A sandbox for each file; \`server\` is a promise here:

${memberList('testing/shared-sandbox.ts', 'SharedTestKit')}
${['withWorkspace', 'withSandbox'].map((name) => exportedEntry('testing/jest.ts', name)).join('\n')}
- \`matchers\`: For \`expect.extend(matchers)\`: those of vitest above.

### partner-rewards-sandbox/node-test

A sandbox for each process; \`server\` is a promise here:

${memberList('testing/shared-sandbox.ts', 'SharedTestKit')}
${['withWorkspace', 'withSandbox', 'assertReceived', 'assertReceivedInOrder', 'assertNoUnmatchedRequests']
  .map((name) => exportedEntry('testing/node-test.ts', name))
  .join('\n')}`
}
