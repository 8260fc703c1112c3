// What every test gets, in each runner: a shared sandbox and a workspace of its own, which is deleted at its end.
import { shownPath, systemHost } from '../runtime/host.ts'
import { createSandbox } from '../index.ts'
import type { Sandbox, SandboxOptions, SandboxServer, SandboxWorkspace, WorkspaceOptions } from '../index.ts'
import { watchCalls, type Saw } from './what-it-saw.ts'

/** What each test's own workspace begins with; its name is made up. */
export type TestWorkspaceOptions = Omit<WorkspaceOptions, 'name'>

/** What a test gets. */
export interface TestKit {
  /** The sandbox that tests share; rows and clocks of it belong to workspace `default`. */
  sandbox: Sandbox
  /** This test's own workspace: nobody else reads or changes it, and it is gone when the test ends. */
  workspace: SandboxWorkspace
  /** Where the sandbox serves, for clients that need a URL; with `workspace.apiKey` they are in the workspace. */
  server: SandboxServer
}

/** The test that a workspace is for, as its runner names it. */
export interface RunningTest {
  name: string | undefined
  /** An absolute path, or one relative to the working directory. */
  file: string | undefined
}

/** How long names and paths in the journal may be. */
const maxLength = 1000

/** Creates a workspace for one test, and deletes it when the test has ended. Its calls carry the test's name. */
export async function withTestWorkspace(
  sandbox: Sandbox,
  options: TestWorkspaceOptions,
  { name, file }: RunningTest,
  run: (workspace: SandboxWorkspace, saw: Saw) => Promise<void>,
): Promise<void> {
  const path = file === undefined ? null : shownPath(file, systemHost().cwd).slice(0, maxLength)
  const test = name ? { test: { name: name.slice(0, maxLength), file: path } } : {}
  const workspace = await sandbox.workspaces.create({ ...test, ...options })
  try {
    await run(workspace, watchCalls(sandbox, workspace))
  } finally {
    sandbox.workspaces.delete(workspace.name)
  }
}

// Runners that have fixtures read what each needs from the text of its function: its first parameter says so.

/** The fixture `sandbox`, which lasts as long as the worker. */
export async function sandboxFixture(
  { sandboxOptions }: { sandboxOptions: SandboxOptions },
  use: (sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  const sandbox = await createSandbox(sandboxOptions)
  await use(sandbox)
  await sandbox.close()
}

/** The fixture `server`, on which a `sandbox` is served. */
export async function serverFixture(
  { sandbox }: Pick<TestKit, 'sandbox'>,
  use: (server: SandboxServer) => Promise<void>,
): Promise<void> {
  const server = await sandbox.listen()
  await use(server)
  await server.close()
}
