// Writes the trace of a failed test to a file for the browser. It shows the calls to the workspace of the test.
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { SandboxWorkspace } from '../index.ts'
import { defaultTraceDir, variableOf } from '../options/index.ts'
import { isSystemError, machineTimeOf, systemHost } from '../runtime/host.ts'
import type { TestName } from '../call/test-of-call.ts'
import { isTraceOf } from '../inspector/trace.ts'
import { runVariable, startOfRun } from '../sandbox/runs/run-folder.ts'
import { reportToRun, subfolderOfRun } from '../sandbox/runs/report-to-run.ts'
import { testName, type RunningTest } from './kit.ts'

/** The maximum number of traces of a process, so that a suite that fails as a whole does not fill the disk. */
const maxTraces = 20

let count = 0

/** The subjects of a trace: a workspace, and the sandbox. If the workspace has no call, the trace shows `default`. */
type Traced = Pick<SandboxWorkspace, 'trace' | 'requests'>

/** The text below the failure of a test. */
export interface FailureText {
  /** The calls, and the path of the trace below them. */
  text: string
  /**
   * The path of the trace. It is undefined after 20 traces, or if the file cannot be written: the failure of the test
   * must remain the error.
   */
  trace: string | undefined
}

/** Writes the trace of a failed test, as `writeTrace` does, and adds its path to the calls. */
export async function withTrace(
  calls: string,
  ...traced: Parameters<typeof writeTrace>
): Promise<FailureText> {
  const trace = await writeTrace(...traced)
  return { text: trace === undefined ? calls : `${calls}\nTrace: ${trace}`, trace }
}

/**
 * Writes the trace of a failed test. Traces of the same test from before this run are removed.
 *
 * @param test its name and project become the name of the file.
 * @param traceDir the folder. The default is SANDBOX_TRACE_DIR, or `partner-rewards-traces` in the working directory. A
 * run of `matrix` writes into a subfolder.
 * @returns the path, as in `FailureText`.
 */
export async function writeTrace(
  workspaces: readonly Traced[],
  test: RunningTest,
  traceDir?: string,
): Promise<string | undefined> {
  const traced = workspaces.find(({ requests }) => requests.list({ limit: 1 }).length > 0) ?? workspaces[0]
  if (!traced || count >= maxTraces) return undefined
  count += 1
  const { cwd, env } = systemHost()
  const folder = resolve(cwd, traceDir ?? env[variableOf('traceDir')] ?? defaultTraceDir, subfolderOfRun())
  const name = [test.project, test.name ?? 'test']
    .flatMap((part) => part || [])
    .join('-')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 80)
  const named = testName(test)
  try {
    await mkdir(folder, { recursive: true })
    if (named) await removeOlder(folder, name, named)
    const html = await traced.trace(named && { ...named, result: 'failed', duration_ms: null })
    const trace = await writeNew(join(folder, name), html)
    reportToRun({ trace })
    return trace
  } catch (error) {
    if (!isSystemError(error)) throw error
    return undefined
  }
}

/**
 * Removes the traces of a test from before the run of `exec`, or from before this process: in one run, a test may have
 * several sandboxes and workers, and may be retried.
 */
async function removeOlder(folder: string, name: string, test: TestName): Promise<void> {
  const run = systemHost().env[runVariable]
  const start = (run && startOfRun(run)) || machineTimeOf(0)
  for (const entry of await readdir(folder)) {
    const path = join(folder, entry)
    const isOfName = entry.startsWith(name) && /^(-\d+)?-trace\.html$/.test(entry.slice(name.length))
    if (!isOfName) continue
    try {
      if ((await stat(path)).mtimeMs >= start) continue
      if (isTraceOf(await readFile(path, 'utf8'), test)) await rm(path, { force: true })
    } catch (error) {
      // Another worker has removed it meanwhile.
      if (!isSystemError(error) || error.code !== 'ENOENT') throw error
    }
  }
}

/** Writes a new file with a number in its name, as tests in this and other workers may have the same name. */
async function writeNew(path: string, html: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const file = `${path}${number === 1 ? '' : `-${number}`}-trace.html`
    try {
      await writeFile(file, html, { mode: 0o600, flag: 'wx' })
      return file
    } catch (error) {
      if (!isSystemError(error) || error.code !== 'EEXIST') throw error
    }
  }
}
