// The folder of --trace-dir: test kits write the traces of failed tests into it.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError, shownPath } from '../../runtime/host.ts'
import { CliError } from '../io.ts'

/**
 * Removes the traces of the run before, and nothing else; a folder that does not exist has none.
 * @throws {CliError} for a folder that cannot be read or changed.
 */
export async function removeTraces(folder: string, cwd: string): Promise<void> {
  try {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.isFile() && entry.name.endsWith('-trace.html')) await rm(join(folder, entry.name))
    }
  } catch (error) {
    if (!isSystemError(error)) throw error
    if (error.code === 'ENOENT') return
    throw new CliError(
      `error: --trace-dir: cannot use '${shownPath(folder, cwd)}' (${error.code}): name a writable folder`,
    )
  }
}
