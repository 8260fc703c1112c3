// What every test gets, in each runner: a shared sandbox and a workspace of its own, which is deleted at its end.
import { shownPath, systemHost } from '../runtime/host.ts'
import { createSandbox } from '../index.ts'
import { reportToRun } from '../sandbox/runs/report-to-run.ts'
import type { Sandbox, SandboxOptions, SandboxServer, SandboxWorkspace, WorkspaceOptions } from '../index.ts'
import type { TestResult } from '../call/test-result.ts'
import { newestOf, sharedCalls, watchCalls, type Saw } from './what-it-saw.ts'

/** How a kit makes its sandbox. */
export interface KitSandboxOptions extends SandboxOptions {
  /**
   * The folder for traces of failed tests, 20 a process at most; else that of SANDBOX_TRACE_DIR, else
   * `partner-rewards-traces` in the working directory.
   */
  traceDir?: string
}

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
  const test = testName({ name, file })
  const workspace = await sandbox.workspaces.create({ ...(test && { test }), ...options })
  try {
    await run(workspace, watchCalls(sandbox, workspace))
  } finally {
    sandbox.workspaces.delete(workspace.name)
  }
}

/** The test as the journal names it; undefined without a name. */
function testName({ name, file }: RunningTest): { name: string; file: string | null } | undefined {
  if (!name) return undefined
  const path = file === undefined ? null : shownPath(file, systemHost().cwd).slice(0, maxLength)
  return { name: name.slice(0, maxLength), file: path }
}

/** Reports how a test ended to the run of `exec`, where there is one. @param duration in milliseconds. */
export function reportResult(test: RunningTest, result: TestResult['result'], duration: number): void {
  const named = testName(test)
  if (named) reportToRun({ test: { ...named, result, duration_ms: Math.round(duration * 10) / 10 } })
}

/** The sandboxes that fixtures of this process made and that still run. */
const running = new Set<Sandbox>()

/** What the sandboxes of this process saw during a test that has no workspace; undefined where they saw nothing. */
export interface SawShared {
  /** The text to print below the failure. */
  calls: string
  sandbox: Sandbox
}

/**
 * Watches a test that may use only `sandbox` or `server`, without making either.
 * @returns gives what the sandboxes saw since then.
 */
export function watchShared(): (test: string | undefined) => SawShared[] {
  const newest = new Map([...running].map((sandbox) => [sandbox, newestOf(sandbox)]))
  return (test) =>
    [...running].flatMap((sandbox) => {
      const calls = sharedCalls(sandbox, newest.get(sandbox), test)
      return calls === undefined ? [] : [{ calls, sandbox }]
    })
}

// Runners that have fixtures read what each needs from the text of its function: its first parameter says so.

/** The fixture `sandbox`, which lasts as long as the worker. */
export async function sandboxFixture(
  { sandboxOptions }: { sandboxOptions: KitSandboxOptions },
  use: (sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  const { traceDir: _traceDir, ...options } = sandboxOptions
  const sandbox = await createSandbox(options)
  running.add(sandbox)
  await use(sandbox)
  running.delete(sandbox)
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
