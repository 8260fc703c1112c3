// A run: what its own sandbox sees, and what the sandboxes report that the command makes.
import { tmpdir } from 'node:os'
import {
  makeRunFolder,
  readReports,
  removeRunFolder,
  runVariable,
  type RunTerms,
} from '../../sandbox/runs/run-folder.ts'
import { recordOf } from '../../sandbox/runs/call-record.ts'
import { RunTally } from '../../sandbox/runs/run-tally.ts'
import { sharedNames, type Settings } from '../../options/index.ts'
import { isSystemError } from '../../runtime/host.ts'
import type { Watcher } from '../../sandbox/index.ts'
import type { Io, ProgramIo } from '../io.ts'
import { libraryOptions } from '../settings.ts'

/** A run that goes on. */
export interface Run {
  /** What the command finds in its environment beside the address. */
  env: Io['env']
  /** For the run's own sandbox. */
  watcher: Watcher
  /** What all of them saw, once the command has ended. */
  gather(): Promise<RunTally>
}

/** How much a run keeps of its calls: all of each, and why it was answered so. */
export type KeptOfCalls = Pick<RunTerms, 'journal' | 'explanations'>

/** Has a run while something is done. */
export async function withRun<T>(
  settings: Settings,
  keeps: KeptOfCalls,
  io: Pick<ProgramIo, 'stderr' | 'onSignal'>,
  act: (run: Run) => Promise<T>,
): Promise<T> {
  const folder = await folderOf({ options: libraryOptions(settings, sharedNames), ...keeps }, io)
  const tally = new RunTally()
  const clean = (): void => {
    if (folder !== undefined) removeRunFolder(folder)
  }
  let asked = 0
  // The second signal ends this process before anything else can.
  const unhear = io.onSignal((signal) => {
    if (signal !== 'SIGHUP' && ++asked > 1) clean()
  })
  try {
    return await act({
      // That of a run around this one is not for the command.
      env: { [runVariable]: folder },
      watcher: {
        explains: keeps.explanations === true,
        onCall: (call) => tally.add(recordOf(call, keeps.journal)),
        onRules: (records) => tally.addRules('', records),
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

/** Undefined where none can be made, as on a read-only disk, which is told; calls over HTTP need none. */
async function folderOf(terms: RunTerms, io: Pick<ProgramIo, 'stderr'>): Promise<string | undefined> {
  try {
    return await makeRunFolder(terms)
  } catch (error) {
    if (!isSystemError(error)) throw error
    io.stderr(
      `warning: no folder can be made in ${tmpdir()} (${error.code}), so sandboxes that the command makes itself do not join the run: set TMPDIR to a folder that can be written\n`,
    )
    return undefined
  }
}
