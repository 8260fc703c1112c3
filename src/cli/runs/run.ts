// A run: the calls of its own sandbox, and the reports of the sandboxes that the command creates.
import { tmpdir } from 'node:os'
import {
  createRunFolder,
  readReports,
  removeRunFolder,
  runVariable,
  type RunOptions,
} from '../../sandbox/runs/run-folder.ts'
import { recordOf } from '../../sandbox/runs/call-record.ts'
import { RunTally } from '../../sandbox/runs/run-tally.ts'
import { sharedNames, type Settings } from '../../options/index.ts'
import { isSystemError } from '../../runtime/host.ts'
import type { Watcher } from '../../sandbox/index.ts'
import type { Io, ProgramIo } from '../io.ts'
import { libraryOptions } from '../settings.ts'

/** A run in progress. */
export interface Run {
  /** The environment of the command in addition to the URL. */
  env: Io['env']
  /** For the run's own sandbox. */
  watcher: Watcher
  /** The calls of all of them, after the command has ended. */
  gather(): Promise<RunTally>
}

/** How much of each call a run records, and where test kits write traces. */
export type RecordedParts = Omit<RunOptions, 'options'>

/** Runs a function within a run. */
export async function withRun<T>(
  settings: Settings,
  keeps: RecordedParts,
  io: Pick<ProgramIo, 'stderr' | 'onSignal'>,
  act: (run: Run) => Promise<T>,
): Promise<T> {
  const folder = await folderOf({ options: libraryOptions(settings, sharedNames), ...keeps }, io)
  const tally = new RunTally()
  const clean = (): void => {
    if (folder !== undefined) removeRunFolder(folder)
  }
  let signals = 0
  // The second signal ends this process before any other code can run.
  const unhear = io.onSignal((signal) => {
    if (signal !== 'SIGHUP' && ++signals > 1) clean()
  })
  try {
    return await act({
      // That of an outer run is not for the command.
      env: { [runVariable]: folder },
      watcher: {
        explains: keeps.explanations === true,
        onCall: (call) => tally.add(recordOf(call, keeps.journal)),
        onRules: (records) => tally.addRules('', records),
        onReceiver: (points) => tally.addReceiver(points),
        onAction: (workspace, entry) => tally.addAction(workspace, entry),
      },
      async gather() {
        if (folder === undefined) return tally
        for await (const { name, line } of readReports(folder)) tally.addReported(name, line)
        return tally
      },
    })
  } finally {
    unhear()
    clean()
  }
}

/** Undefined if none can be created, as on a read-only disk, which is reported; calls over HTTP need none. */
async function folderOf(runOptions: RunOptions, io: Pick<ProgramIo, 'stderr'>): Promise<string | undefined> {
  try {
    return await createRunFolder(runOptions)
  } catch (error) {
    if (!isSystemError(error)) throw error
    io.stderr(
      `warning: cannot create a folder in ${tmpdir()} (${error.code}), so sandboxes that the command creates itself do not join the run: set TMPDIR to a writable folder\n`,
    )
    return undefined
  }
}
