// Opens the data file that `data` names, and says why one cannot be used.
import { Clock } from '../runtime/clock.ts'
import { processMark } from '../runtime/host.ts'
import type { Kept } from './load-kept.ts'
import { DocumentError } from '../reading/problems.ts'
import { maxSize } from '../reading/source-file.ts'
import { DataFile, NotAFileError } from './data-file.ts'
import { LockedError } from './lock.ts'
import { DataKeeper, type KeeperOptions } from './data-keeper.ts'
import type { Durability } from '../workspaces/keeper.ts'
import { readData, type ReadOptions } from './read-data.ts'
import { StateFile } from './state-file.ts'
import { ourBug, whyNotSaved } from './files.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** Which data file, and how it is read and written. */
export interface DataOptions extends ReadOptions {
  /** Absolute. */
  path: string
  durability: Durability
  pid: number
}

/** How the clock is to start. */
interface AskedClock {
  clock: string | undefined
  frozen: boolean
}

/** A data file that this process uses. */
export interface OpenData {
  /** How messages name it. */
  name: string
  /** What was kept in it; undefined when there is no file yet. */
  kept: Kept | undefined
  /** Gives the file back. */
  release(): Promise<void>
  /**
   * Keeps a workspace in it from here on.
   * @throws {DocumentError} when it cannot be written.
   */
  keep(
    workspace: Workspace,
    options: Omit<KeeperOptions, 'file' | 'name' | 'durability' | 'seq'> & {
      seed: number
      /** The machine's clock, and what the clock of the workspace was asked to show. */
      clock: { now: () => number; asked: AskedClock }
    },
  ): Promise<DataKeeper>
}

/**
 * Takes a data file and reads what is in it. Loaded only when there is one to use.
 * @throws {DocumentError} for one that another sandbox uses, that cannot be used or not be reached; it is left as it is.
 */
export async function openData(options: DataOptions): Promise<OpenData> {
  const { path, name, durability, pid } = options
  const explained = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw unusable(error, options)
    })
  const file = await explained(
    DataFile.open(path, {
      processes: { pid, mark: processMark },
      sync: durability === 'fsync',
      mostBytes: maxSize,
    }),
  )
  const kept = await explained(readData(file, options)).catch(async (error: unknown) => {
    await file.close()
    throw error
  })
  return {
    name,
    kept,
    release: () => file.close(),
    keep: (workspace, { seed, clock, ...more }) => {
      if (kept) workspace.goBack(kept.state, continuedClock(clock.now, clock.asked, kept.sandbox.clock))
      const skipped = (error: unknown): void => {
        const reason = whyNotSaved(error) ?? ourBug
        more.onProblem(
          `${name} could not be written anew (${reason}): ${name}.wal keeps growing until it can.`,
        )
      }
      const stateFile = new StateFile(file, {
        seed,
        keepsJournal: durability !== 'exit',
        journal: kept?.sandbox.journal,
        onSkipped: skipped,
      })
      const seq = kept?.seq ?? 0
      return explained(DataKeeper.start(workspace, { ...more, file: stateFile, name, durability, seq }))
    },
  }
}

/** What a failure says to whoever named the file. */
function unusable(error: unknown, { name, pid }: DataOptions): unknown {
  const problem = (message: string): DocumentError => new DocumentError([{ source: name, path: '', message }])
  if (error instanceof NotAFileError) return problem('is no file; name one with --data')
  if (error instanceof LockedError) {
    const who = error.pid === pid ? 'this process' : `process ${error.pid ?? 'unknown'}`
    return problem(
      `is in use by another sandbox (${who}); stop that one, or give each a file of its own with --data`,
    )
  }
  const reason = whyNotSaved(error)
  if (reason === undefined) return error
  return problem(`cannot be used: ${reason}; change that, or name another file with --data`)
}

/**
 * The clock of a sandbox that goes on: from where it stood, or from a later instant that was asked for, but never
 * behind what its rows have seen.
 */
function continuedClock(now: () => number, asked: AskedClock, kept: Kept['sandbox']['clock']): Clock {
  const instants = [asked.clock, kept?.now]
    .filter((instant) => instant !== undefined)
    .map((at) => Date.parse(at))
  return new Clock(now, {
    ...(instants.length === 0 ? {} : { at: Math.max(...instants) }),
    frozen: asked.frozen || kept?.frozen === true,
  })
}
