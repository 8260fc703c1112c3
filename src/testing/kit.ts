// What every test gets, in each runner: a shared sandbox and a workspace of its own, which is deleted at its end.
import type { Sandbox, SandboxServer, SandboxWorkspace, WorkspaceOptions } from '../index.ts'

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

/** Makes a workspace for one test, and forgets it when the test is through. */
export async function withTestWorkspace(
  sandbox: Sandbox,
  options: TestWorkspaceOptions,
  run: (workspace: SandboxWorkspace) => Promise<void>,
): Promise<void> {
  const workspace = await sandbox.workspaces.create(options)
  try {
    await run(workspace)
  } finally {
    sandbox.workspaces.delete(workspace.name)
  }
}
