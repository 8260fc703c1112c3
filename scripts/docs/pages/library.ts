import { anchor } from '../markdown.ts'
import { interfaceSection } from './declared.ts'
import { testKits } from './test-kits.ts'

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
  ['operations/events.ts', 'WebhookEvent'],
  ['operations/events.ts', 'EventDelivery'],
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

/** test/docs/mounting.docs.test.ts runs each of these code blocks. */
const mounting = `## Mount it below a path

\`sandbox.fetch\` is a handler of \`Request\` and \`Response\`, so any server that accepts one can serve a sandbox next to its own
pages, without a second port. Set \`baseUrl\` to the URL of the sandbox for clients: its path is removed from theirs, and links in answers
begin with it. Other arguments that a framework passes to its handlers are ignored.

Below another Hono app:

\`\`\`js
import { Hono } from 'hono'
import { createSandbox } from 'partner-rewards-sandbox'

const sandbox = await createSandbox({ baseUrl: 'http://localhost:3000/sandbox' })
export const app = new Hono()
app.get('/', (c) => c.text('Your own page.'))
app.mount('/sandbox', sandbox.fetch, { replaceRequest: false })
\`\`\`

Below a Vite dev server, in \`vite.config.js\`, with \`npm install --save-dev @hono/node-server\`:

\`\`\`js
import { getRequestListener } from '@hono/node-server'
import { createSandbox } from 'partner-rewards-sandbox'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    {
      name: 'sandbox',
      async configureServer({ middlewares }) {
        const sandbox = await createSandbox({ baseUrl: 'http://localhost:5173/sandbox' })
        middlewares.use('/sandbox', getRequestListener(sandbox.fetch, { overrideGlobalObjects: false }))
      },
    },
  ],
})
\`\`\`

As a route handler of Next, in \`app/sandbox/[...path]/route.js\`:

\`\`\`js
import { createSandbox } from 'partner-rewards-sandbox'

const sandbox = await createSandbox({ baseUrl: 'http://localhost:3000/sandbox' })
export const { fetch: GET, fetch: HEAD, fetch: POST, fetch: PATCH, fetch: DELETE, fetch: OPTIONS } = sandbox
\`\`\`

These calls are calls in process: if a scenario drops an answer, the handler rejects.

`

/** Generates the page of the library: the members of its interfaces, with their docstrings. */
export function libraryPage(): string {
  return `# Library

\`\`\`ts
import { createSandbox } from 'partner-rewards-sandbox'

await using sandbox = await createSandbox({ fixtures: { customers: [{ id: 'cus_1' }] }, clock: '2026-01-01T00:00:00Z' })
const answer = await sandbox.fetch('/v2/customers', { headers: { authorization: 'Bearer sk_sandbox_full' } })
const server = await sandbox.listen() // for clients that need a port: server.url
\`\`\`

A process may have any number of sandboxes: they change nothing global. Public types are plain data,
\`Request\` and \`Response\`. \`conform(target, options)\` and \`calibrate(target, options)\` of
\`partner-rewards-sandbox/probe\` take a target (type \`GivenTarget\`, see
[Is it true?](is-it-true.md#in-the-library)) and [ProbeOptions](#probeoptions).

- [Mount it below a path](#mount-it-below-a-path)
${shown.map(([, name]) => `- [${name}](#${anchor(name)})`).join('\n')}
- [Test kits](#test-kits)

${mounting}
${shown.map(([module, name]) => interfaceSection(module, name)).join('\n')}
${testKits()}`
}
