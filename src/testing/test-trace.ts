// Writes the trace of a failed test to a file for the browser. It shows the calls to the workspace of the test.
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { SandboxWorkspace } from '../index.ts'
import { defaultTraceDir, variableOf } from '../options/index.ts'
import { isSystemError, systemHost } from '../runtime/host.ts'
import { reportToRun } from '../sandbox/runs/report-to-run.ts'

/** The maximum number of traces of a process, so that a suite that fails as a whole does not fill the disk. */
const maxTraces = 20

let written = 0

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
 * Writes the trace of a failed test.
 *
 * @param test its name, from which the name of the file is derived.
 * @param traceDir the folder. The default is SANDBOX_TRACE_DIR, or `partner-rewards-traces` in the working directory.
 * @returns the path, as in `FailureText`.
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
