// The trace of a failed test, in a file: what its workspace saw, to be opened in a browser.
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { SandboxWorkspace } from '../index.ts'
import { defaultTraceDir, variableOf } from '../options/index.ts'
import { isSystemError, systemHost } from '../runtime/host.ts'
import { reportToRun } from '../sandbox/runs/report-to-run.ts'

/** How many traces a process writes: a suite that fails as a whole must not fill the disk. */
const maxTraces = 20

let written = 0

/** What a trace shows: a workspace, and the sandbox, whose `default` is shown where the workspace has no call. */
type Traced = Pick<SandboxWorkspace, 'trace' | 'requests'>

/** What stands below the failure of a test. */
export interface FailureText {
  /** The calls, and the path of the trace below them. */
  text: string
  /** The path of the trace; undefined after 20 traces, and where nothing can be written: the test is what failed. */
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
 * Writes the trace of a failed test.
 *
 * @param test its name, which is that of the file.
 * @param traceDir the folder; else that of SANDBOX_TRACE_DIR, else `partner-rewards-traces` in the working directory.
 * @returns the path, as `FailureText` has it.
 */
export async function writeTrace(
  workspaces: readonly Traced[],
  test: string | undefined,
  traceDir?: string,
): Promise<string | undefined> {
  const traced = workspaces.find(({ requests }) => requests.list({ limit: 1 }).length > 0) ?? workspaces[0]
  if (!traced || written >= maxTraces) return undefined
  written += 1
  const { cwd, env } = systemHost()
  const folder = resolve(cwd, traceDir ?? env[variableOf('traceDir')] ?? defaultTraceDir)
  const name = (test ?? 'test').replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 80)
  try {
    await mkdir(folder, { recursive: true })
    const trace = await writeNew(join(folder, name), await traced.trace())
    reportToRun({ trace })
    return trace
  } catch (error) {
    if (!isSystemError(error)) throw error
    return undefined
  }
}

/** Tests of one name, also of other workers, have files of their own. */
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
