import { anchor } from '../markdown.ts'
import type { Regions } from '../regions.ts'
import { exportedEntry, interfaceSection, memberList } from './declared.ts'

/** The public interfaces of the library, by the module that declares them. */
const shown: readonly (readonly [module: string, name: string])[] = [
  ['options/sandbox-options.ts', 'SandboxOptions'],
  ['operations/index.ts', 'Sandbox'],
  ['operations/sandbox-workspace.ts', 'SandboxWorkspace'],
  ['operations/workspaces.ts', 'SandboxWorkspaces'],
  ['operations/index.ts', 'SandboxServer'],
  ['operations/state.ts', 'SandboxState'],
  ['operations/scenarios.ts', 'SandboxScenarios'],
  ['operations/clock.ts', 'SandboxClock'],
  ['operations/simulation.ts', 'SandboxSimulation'],
  ['operations/events.ts', 'WorkspaceEvents'],
  ['operations/webhook-event.ts', 'WebhookEvent'],
  ['operations/webhook-event.ts', 'EventDelivery'],
  ['operations/webhooks.ts', 'WorkspaceWebhooks'],
  ['events/description-type.ts', 'WebhookDescription'],
  ['operations/snapshots.ts', 'SandboxSnapshots'],
  ['operations/requests.ts', 'SandboxRequests'],
  ['operations/coverage.ts', 'SandboxCoverage'],
  ['explain/sandbox-findings.ts', 'SandboxFindings'],
  ['operations/new-workspace.ts', 'WorkspaceOptions'],
  ['journal/verify.ts', 'Verification'],
  ['journal/differences.ts', 'RequestMatcher'],
  ['probe/start-run.ts', 'ProbeOptions'],
]

/** The generated regions of the page of the library: members, exports and their docstrings. */
export const libraryRegions: Regions = {
  contents,
  interfaces: () => shown.map(([module, name]) => interfaceSection(module, name)).join('\n'),
  'test-kit': () => memberList('testing/kit.ts', 'TestKit'),
  vitest: () =>
    [memberList('testing/vitest.ts', 'VitestKit'), exportedEntry('testing/vitest.ts', 'test')].join('\n'),
  matchers: () =>
    memberList('testing/matchers.ts', 'SandboxMatchers') +
    memberList('testing/observed-changes.ts', 'ChangeMatchers'),
  'playwright-worker': () => memberList('testing/playwright.ts', 'PlaywrightWorkerKit'),
  'playwright-test': () =>
    [
      memberList('testing/playwright.ts', 'PlaywrightTestKit'),
      exportedEntry('testing/playwright.ts', 'test'),
      exportedEntry('testing/playwright.ts', 'expect'),
    ].join('\n'),
  jest: () => sharedKit('testing/jest.ts', ['withWorkspace', 'withSandbox']),
  'node-test': () =>
    sharedKit('testing/node-test.ts', [
      'withWorkspace',
      'withSandbox',
      'assertReceived',
      'assertReceivedInOrder',
      'assertNoUnmatchedRequests',
      'assertEmitted',
      'assertEmittedNothingElse',
      'assertChanged',
      'assertChangedNothingElse',
    ]),
}

/** Lists the sections of the page. */
function contents(): string {
  const headings = ['Mount it below a path', ...shown.map(([, name]) => name), 'Test kits']
  return headings.map((heading) => `- [${heading}](#${anchor(heading)})`).join('\n')
}

/** Returns the members of a kit with a shared sandbox, and the exports of its module. */
function sharedKit(module: string, names: readonly string[]): string {
  const exports = names.map((name) => exportedEntry(module, name))
  return [memberList('testing/shared-sandbox.ts', 'SharedTestKit'), ...exports].join('\n')
}
