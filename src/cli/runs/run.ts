// A run: what its own sandbox sees, and what the sandboxes report that the command makes.
import { makeRunFolder, readReports, removeRunFolder, runVariable } from '../../runs/run-folder.ts'
import { recordOf } from '../../runs/call-record.ts'
import { RunTally } from '../../runs/run-tally.ts'
import { libraryNames, type OptionName } from '../../options/index.ts'
import type { Settings } from '../../options/index.ts'
import type { Watcher } from '../../sandbox/index.ts'
import { libraryOptions } from '../settings.ts'

/** What the sandboxes of a run begin with; where the one on the port keeps its state and who may reach it is its own. */
const shared: readonly OptionName[] = libraryNames.filter(
  (name) =>
    ![
      'data',
      'durability',
      'recover',
      'admin',
      'adminToken',
      'allowedHosts',
      'corsOrigin',
      'baseUrl',
    ].includes(name),
)

/** A run that goes on. */
export interface Run {
  /** What the command finds in its environment beside the address. */
  env: Readonly<Record<string, string>>
  /** For the run's own sandbox. */
  watcher: Watcher
  /** What all of them saw, once the command has ended. */
  gather(): Promise<RunTally>
}

/** Has a run while something is done. @param withJournal whether it keeps its calls whole. */
export async function withRun<T>(
  settings: Settings,
  withJournal: boolean,
  act: (run: Run) => Promise<T>,
): Promise<T> {
  const folder = await makeRunFolder({ options: libraryOptions(settings, shared), journal: withJournal })
  const tally = new RunTally()
  try {
    return await act({
      env: { [runVariable]: folder },
      watcher: {
        onCall: (call) => tally.add(recordOf(call, withJournal)),
        onRules: (records) => tally.addRules('', records),
      },
      async gather() {
        for await (const { name, lines } of readReports(folder)) tally.addReport(name, lines)
        return tally
      },
    })
  } finally {
    await removeRunFolder(folder)
  }
}
