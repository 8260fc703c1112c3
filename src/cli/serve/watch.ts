// Watches files for --watch: reloads fixtures and scenarios when they change.
import { isScenarioPath } from '../../scenarios/catalogue.ts'
import { DocumentError } from '../../input/problems.ts'
import { builtInRows } from '../../fixtures/built-in-rows.ts'
import type { Settings } from '../../options/index.ts'
import type { StartedSandbox } from '../../sandbox/index.ts'
import type { Io } from '../io.ts'
import type { Log } from '../log.ts'

/** Reloads the files of a sandbox when they change, until the watch ends. */
type Follow = (sandbox: StartedSandbox) => Promise<void>

/**
 * Watches the files of the settings. Changes from now on are loaded as soon as a sandbox `follow`s them; an invalid
 * edit keeps the last valid version.
 *
 * @param signal ends the watch.
 */
export async function watchSettings(
  { fixtures, scenarios, scenarioLibrary }: Pick<Settings, 'fixtures' | 'scenarios' | 'scenarioLibrary'>,
  io: Pick<Io, 'cwd' | 'stopped'>,
  log: Log,
  signal: AbortSignal,
): Promise<Follow> {
  const files = [
    ...fixtures.filter((input) => typeof input === 'string').filter((path) => path !== builtInRows),
    ...scenarios.filter((input) => typeof input === 'string').filter(isScenarioPath),
    ...scenarioLibrary,
  ]
  if (files.length === 0) {
    log.note('--watch: nothing to watch: no --fixtures, --scenario or --scenario-library names a file')
    return () => io.stopped
  }
  // Its library is loaded only with --watch.
  const { watchFiles } = await import('./watch-files.ts')
  const changes = await watchFiles(files, {
    cwd: io.cwd,
    signal,
    onTrouble: (code) =>
      log.note(
        `--watch: the system does not let every file be watched (${code}), so edits may go unnoticed; set CHOKIDAR_USEPOLLING=1 to poll the files instead`,
      ),
  })
  return (sandbox) => reloadOnChange(sandbox, changes, log)
}

async function reloadOnChange(
  sandbox: StartedSandbox,
  changes: AsyncIterable<readonly string[]>,
  log: Log,
): Promise<void> {
  for await (const files of changes) {
    try {
      await sandbox.reload()
      log.reloaded(sandbox, files)
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      log.refused(error, files)
    }
  }
}
