// The coverage reports of --report: whether they can be written, and writing them.
import { access, constants, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { formatOfFile } from '../../coverage/reports/index.ts'
import { isSystemError, shownPath } from '../../runtime/host.ts'
import type { SandboxCoverage } from '../../verbs/sandbox-coverage.ts'
import { CliError } from '../io.ts'

/**
 * Finds out whether reports can be written, so that nobody learns at the end of a long run that they cannot.
 * @throws {CliError} naming the file and what is in the way.
 */
export async function requireWritable(files: readonly string[], cwd: string): Promise<void> {
  for (const file of files) {
    try {
      await access(dirname(file), constants.W_OK)
      const existing = await stat(file).catch(() => undefined)
      if (existing?.isDirectory()) throw cannotWrite(file, cwd, 'it is a folder')
      if (existing) await access(file, constants.W_OK)
    } catch (error) {
      if (!isSystemError(error)) throw error
      throw cannotWrite(file, cwd, error.code)
    }
  }
}

/**
 * Writes the coverage of a sandbox into files, each in the format of its extension.
 * @throws {CliError} with every file that cannot be written, once the others are.
 */
export async function writeReports(
  coverage: SandboxCoverage,
  files: readonly string[],
  cwd: string,
): Promise<void> {
  const problems: string[] = []
  for (const file of files) {
    const format = formatOfFile(file)
    if (format === undefined) continue
    const report = await coverage.report(format)
    try {
      await writeFile(file, report)
    } catch (error) {
      if (!isSystemError(error)) throw error
      problems.push(cannotWrite(file, cwd, error.code).message)
    }
  }
  if (problems.length > 0) throw new CliError(problems.join('\n'))
}

function cannotWrite(file: string, cwd: string, why: string): CliError {
  const reason = why === 'ENOENT' ? `there is no folder '${shownPath(dirname(file), cwd)}'` : why
  return new CliError(`error: --report: cannot write '${shownPath(file, cwd)}' (${reason})`)
}
