// The parts of the test kits that all runners share: a shared sandbox, and a workspace for each test, which is deleted
// at its end.
import { shownPath, systemHost } from '../runtime/host.ts'
import { createSandbox } from '../index.ts'
import { reportToRun } from '../sandbox/runs/report-to-run.ts'
import type { Sandbox, SandboxOptions, SandboxServer, SandboxWorkspace, WorkspaceOptions } from '../index.ts'
import type { TestName } from '../call/test-of-call.ts'
import type { TestResult } from '../call/test-result.ts'
import { newestOf, sharedCalls, watchCalls, type DescribeCalls } from './calls-of-test.ts'

/** The options of the sandbox of a kit. */
export interface KitSandboxOptions extends SandboxOptions {
  /**
   * The folder for traces of failed tests, at most 20 for each process. The default is SANDBOX_TRACE_DIR, or
   * `partner-rewards-traces` in the working directory.
   */
  traceDir?: string
}

/** The options of each test's own workspace. Its name is generated. */
export type TestWorkspaceOptions = Omit<WorkspaceOptions, 'name'>

/** The objects that a kit provides to a test. */
export interface TestKit {
  /** The sandbox that tests share. Its rows and its clock are those of workspace `default`. */
  sandbox: Sandbox
  /** This test's own workspace. No other test uses it, and it is deleted when the test ends. */
  workspace: SandboxWorkspace
  /**
   * The server of the sandbox, for clients that need a URL. With `workspace.apiKey` their calls reach the workspace.
   */
  server: SandboxServer
}

/** The test that uses a workspace, as its runner names it. */
export interface RunningTest {
  name: string | undefined
  /** An absolute path, or one relative to the working directory. */
  file: string | undefined
  /** The project of the runner, as two projects may run the same test. */
  project?: string | undefined
}

/** The maximum length of names and paths in the journal. */
const maxLength = 1000

/** Creates a workspace for one test, and deletes it when the test has ended. Its calls have the test's name. */
export async function withTestWorkspace(
  sandbox: Sandbox,
  options: TestWorkspaceOptions,
  { name, file }: RunningTest,
  run: (workspace: SandboxWorkspace, saw: DescribeCalls) => Promise<void>,
): Promise<void> {
  const test = testName({ name, file })
  const workspace = await sandbox.workspaces.create({ ...(test && { test }), ...options })
  try {
    await run(workspace, watchCalls(sandbox, workspace))
  } finally {
    sandbox.workspaces.delete(workspace.name)
  }
}

/** Returns the test as the journal names it; undefined without a name. */
export function testName({ name, file }: RunningTest): TestName | undefined {
  if (!name) return undefined
  const path = file === undefined ? null : shownPath(file, systemHost().cwd).slice(0, maxLength)
  return { name: name.slice(0, maxLength), file: path }
}

/** Reports the result of a test to the run of `exec`, if there is one. @param duration in milliseconds. */
export function reportResult(test: RunningTest, result: TestResult['result'], duration: number): void {
  const named = testName(test)
  if (named) reportToRun({ test: { ...named, result, duration_ms: Math.round(duration * 10) / 10 } })
}

/** The tests of this process that have begun and not ended. */
const begun = new Set<RunningTest>()

/** Runs a test. Calls that reach no workspace of a test have its name, unless other tests run concurrently. */
export async function asRunningTest(test: RunningTest, run: () => Promise<void>): Promise<void> {
  begun.add(test)
  try {
    await run()
  } finally {
    begun.delete(test)
  }
}

/** Creates a sandbox whose calls have the name of the running test. */
export function createKitSandbox({ traceDir: _traceDir, ...options }: KitSandboxOptions): Promise<Sandbox> {
  return createSandbox(options, {
    runningTest: () => {
      const [only, ...others] = begun
      return only && others.length === 0 ? testName(only) : undefined
    },
  })
}

/** The running sandboxes that fixtures of this process created. */
const running = new Set<Sandbox>()

/** The calls that a sandbox of this process received during a test without a workspace. */
export interface SharedCallsText {
  /** The text to print below the failure. */
  calls: string
  sandbox: Sandbox
}

/**
 * Watches a test without creating a sandbox or a server. The test may use only `sandbox` or `server`.
 * @returns a function that returns the calls to the sandboxes since then.
 */
export function watchShared(): (test: string | undefined) => SharedCallsText[] {
  const newest = new Map([...running].map((sandbox) => [sandbox, newestOf(sandbox)]))
  return (test) =>
    [...running].flatMap((sandbox) => {
      const calls = sharedCalls(sandbox, newest.get(sandbox), test)
      return calls === undefined ? [] : [{ calls, sandbox }]
    })
}

// Runners read the dependencies of a fixture from the text of its function, so the first parameter must destructure
// them.

/** The fixture `sandbox`, which exists as long as the worker. */
export async function sandboxFixture(
  { sandboxOptions }: { sandboxOptions: KitSandboxOptions },
  use: (sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  const sandbox = await createKitSandbox(sandboxOptions)
  running.add(sandbox)
  await use(sandbox)
  running.delete(sandbox)
  await sandbox.close()
}

/** The fixture `server`, which serves a `sandbox`. */
export async function serverFixture(
  { sandbox }: Pick<TestKit, 'sandbox'>,
  use: (server: SandboxServer) => Promise<void>,
): Promise<void> {
  const server = await sandbox.listen()
  await use(server)
  await server.close()
}
