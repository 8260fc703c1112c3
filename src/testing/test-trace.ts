// The trace of a failed test, in a file: what its workspace saw, to be opened in a browser.
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxWorkspace } from '../index.ts'
import { isSystemError, uniqueName } from '../runtime/host.ts'

/** As many as anybody looks at; a suite that fails as a whole fills no disk. */
const mostTraces = 20

let written = 0

/**
 * What stands under a failed test, with the path of its trace.
 *
 * @param calls what the sandbox saw.
 * @param test its name, which is that of the file.
 */
export async function withTrace(
  calls: string,
  workspace: Pick<SandboxWorkspace, 'trace'>,
  test: string | undefined,
): Promise<string> {
  if (written >= mostTraces) return calls
  written += 1
  const folder = join(tmpdir(), 'partner-rewards-sandbox')
  const name = (test ?? 'test').replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 80)
  const file = join(folder, `${name}-${uniqueName()}-trace.html`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(file, await workspace.trace(), { mode: 0o600 })
  } catch (error) {
    // The test is what failed: nobody is to be told of a disk instead.
    if (!isSystemError(error)) throw error
    return calls
  }
  return `${calls}\nTrace: ${file}`
}
