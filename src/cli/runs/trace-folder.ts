// The folder of --trace-dir: test kits write the traces of failed tests into it.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError, shownPath } from '../../runtime/host.ts'
import { CliError } from '../io.ts'

const isTrace = (name: string): boolean => name.endsWith('-trace.html')

/**
 * Removes the traces of the run before, and nothing else.
 * @throws {CliError} for a folder that cannot be read or changed.
 */
export async function removeTraces(folder: string, cwd: string): Promise<void> {
  try {
    for (const name of await traceNames(folder)) await rm(join(folder, name))
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new CliError(
      `error: --trace-dir: cannot use '${shownPath(folder, cwd)}' (${error.code}): name a folder that can be written`,
    )
  }
}

/** The traces in a folder, by name; none where there is no folder. */
export async function tracesIn(folder: string): Promise<string[]> {
  return (await traceNames(folder)).map((name) => join(folder, name))
}

async function traceNames(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isFile() && isTrace(entry.name) ? [entry.name] : [])).toSorted()
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return []
    throw error
  }
}
