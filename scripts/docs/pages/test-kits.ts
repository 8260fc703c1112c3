import { exportedEntry, memberList } from './declared.ts'

/** Returns the section of the test kits: their exports, with their docstrings. */
export function testKits(): string {
  return `## Test kits

Every test gets its own workspace in a shared sandbox, so tests may run concurrently. In each runner a test gets:

${memberList('testing/kit.ts', 'TestKit')}
Paths in options are relative to the working directory of the runner. The error of a failed test lists every call to its workspace,
the answer and the reason, with secrets hidden. Every test that failed meanwhile also lists HTTP calls that missed their workspace:
a wrong key, or \`sandbox.apiKey\` instead of \`workspace.apiKey\`, which calls workspace \`default\`. Matchers of requests take a
[Verification](#verification) or a list of [RequestMatchers](#requestmatcher).

### partner-rewards-sandbox/vitest

For vitest 4.1 or newer. In addition to the fixtures of every runner, you can replace these:

${memberList('testing/vitest.ts', 'VitestKit')}
${exportedEntry('testing/vitest.ts', 'test')}
The kit exports \`describe\`, \`expect\`, \`vi\`, \`beforeAll\`, \`beforeEach\`, \`afterEach\`, \`afterAll\`, \`onTestFailed\` and
\`onTestFinished\` of vitest, so that one import serves a file. Importing it adds matchers, also with \`.not\`:

${memberList('testing/matchers.ts', 'SandboxMatchers')}${memberList('testing/observed-changes.ts', 'ChangeMatchers')}
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
${[
  'withWorkspace',
  'withSandbox',
  'assertReceived',
  'assertReceivedInOrder',
  'assertNoUnmatchedRequests',
  'assertEmitted',
  'assertEmittedNothingElse',
  'assertChanged',
  'assertChangedNothingElse',
]
  .map((name) => exportedEntry('testing/node-test.ts', name))
  .join('\n')}`
}
