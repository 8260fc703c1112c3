import { exportedEntry, memberList } from './declared.ts'

/** What the kits for test runners export, with their own words. */
export function testKits(): string {
  return `## Test kits

Every test gets a workspace of its own in a sandbox that tests share, so they may run side by side. In each runner it is
given:

${memberList('testing/kit.ts', 'TestKit')}
Paths in options are relative to where the runner is started. The stack of the error of a test that fails ends with what
its workspace was asked, how it answered, and why; secrets are hidden. Calls over HTTP that reached no workspace, as their
key is wrong, and calls that reached workspace \`default\`, as they carried \`sandbox.apiKey\` in place of \`workspace.apiKey\`, stand
under every test that failed while they came. What is asked of requests is a [Verification](#verification) or a list of
[RequestMatchers](#requestmatcher).

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
