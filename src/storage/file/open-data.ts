// Opens the data file that `data` names, and says why one cannot be used.
import { Clock } from '../../runtime/clock.ts'
import { hostName, processMark, processNamespace } from '../../runtime/host.ts'
import type { Kept } from './load-kept.ts'
import { DocumentError } from '../../input/problems.ts'
import { maxSize } from '../../input/source-file.ts'
import { DataFile, NotAFileError } from './data-file.ts'
import { LockedError, lockTimes, type Lock, type LockOptions, type LockTestHooks } from './lock.ts'
import { FileSaver, type KeeperOptions } from './file-saver.ts'
import type { Durability } from '../../workspaces/keeper.ts'
import { readData, type ReadOptions } from './read-data.ts'
import { StateFile, type StateFileOptions } from './state-file.ts'
import { ourBug, whyNotSaved } from './files.ts'
import { partKeptAlone } from './workspace-part.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { FileStorage } from './file-storage.ts'
import { Snapshot } from '../../workspaces/snapshot.ts'

/** Which data file, and how it is read and written. */
export interface DataOptions extends ReadOptions {
  /** Absolute. */
  path: string
  durability: Durability
  pid: number
  /** What its lock goes by in place of the machine. */
  seams?: LockTestHooks
  /** See `StateFileOptions`. */
  minJournalBytes?: number
  /** The lock under which it stands with others; else it takes one of its own. */
  lock?: Lock
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
  /** Whether it was closed, so that it can stay as it is until something is written. */
  isClosed: boolean
  /** Gives the file back. */
  release(): Promise<void>
  /** Persists `default` in it from now on. @throws {DocumentError} when it cannot be written. */
  keepAll(workspaces: Workspaces, options: KeepOptions): Promise<FileStorage>
  /**
   * Keeps a workspace in it from here on.
   * @throws {DocumentError} when it cannot be written.
   */
  keep(workspace: Workspace, options: KeepOptions): Promise<FileSaver>
  /** The same for one whose file was closed: it is written once there is something to write. */
  resume(workspace: Workspace, options: KeepOptions): FileSaver
}

/** How a workspace is kept, beside what is known of its file. */
export interface KeepOptions
  extends
    Omit<KeeperOptions, 'file' | 'name' | 'durability' | 'seq'>,
    Pick<StateFileOptions, 'seed' | 'aboutWorkspace' | 'clear'> {
  /** The machine's clock, and what that of the workspace was asked to show; without it, its clock is as it is to be. */
  clock?: { now: () => number; asked: AskedClock }
}

/**
 * Takes a data file and reads what is in it. Loaded only when there is one to use.
 * @throws {DocumentError} for one that another sandbox uses, that cannot be used or not be reached; it is left as it is.
 */
export async function openData(options: DataOptions): Promise<OpenData> {
  const { path, name, durability, recover, minJournalBytes } = options
  const explained = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw unusable(error, options)
    })
  const file = await explained(
    DataFile.open(path, {
      lock: options.lock ?? lockOptions(options),
      sync: durability === 'fsync',
      maxBytes: maxSize,
    }),
  )
  const kept = await explained(readAllowed(file, options)).catch(async (error: unknown) => {
    await file.close()
    throw error
  })
  // In a folder, its workspace tells.
  const aboutWorkspace = kept?.workspace && partKeptAlone(kept.workspace, kept.beginning)
  const onMissing = (scenario: string): void =>
    options.onNotice(`${name}: scenario '${scenario}' was active and is not there any more, so it is off now`)
  const optionsFor = (workspace: Workspace, more: KeepOptions): KeeperOptions => {
    const { clock } = more
    if (kept) {
      workspace.goBack(kept.state, clock && continuedClock(clock.now, clock.asked, kept.sandbox.clock))
      restoreSettings(workspace, kept, onMissing)
    }
    return keeperOptions(
      file,
      { name, durability, kept, minJournalBytes },
      { ...(aboutWorkspace ? { aboutWorkspace } : {}), ...more },
    )
  }
  const keep = (workspace: Workspace, more: KeepOptions): Promise<FileSaver> =>
    explained(FileSaver.start(workspace, optionsFor(workspace, more)))
  return {
    name,
    kept,
    isClosed: !recover && kept?.sandbox.closed === true && !(await file.hasJournal()),
    release: () => file.close(),
    keep,
    keepAll: async (workspaces, more) => {
      const { default: home } = workspaces
      const part = partKeptAlone({ created_at: home.createdAt }, undefined)
      // A file that is no part of a folder says nothing of its workspace where nothing needs it.
      const aboutHome = (now: Parameters<typeof part>[0]): ReturnType<typeof part> | undefined => {
        const about = part(now)
        return (about.scenarios ?? about.snapshots) && about
      }
      const keeper = await keep(home, kept?.workspace ? more : { ...more, aboutWorkspace: aboutHome })
      return new FileStorage(workspaces, keeper)
    },
    resume: (workspace, more) => FileSaver.begin(workspace, optionsFor(workspace, more), false),
  }
}

/** @throws {DocumentError} as `readData`, and for the file of a partner out of its folder, where its keys would end. */
async function readAllowed(file: DataFile, options: DataOptions): Promise<Kept | undefined> {
  const { name, lock } = options
  const kept = await readData(file, options)
  const { isolation } = kept?.workspace ?? {}
  if (isolation && !lock) {
    const message = `is that of partner '${isolation.of}': start its folder with --isolation partner, or look at a copy of it with --fixtures`
    throw new DocumentError([{ source: name, path: '', message }])
  }
  return kept
}

interface FileFacts
  extends Pick<DataOptions, 'name' | 'durability'>, Pick<StateFileOptions, 'minJournalBytes'> {
  kept: Kept | undefined
}

/** How a workspace is kept in a file. @param kept what was found in it. */
export function keeperOptions(
  file: DataFile,
  { name, durability, kept, minJournalBytes }: FileFacts,
  { seed, aboutWorkspace, clear, clock: _clock, ...more }: KeepOptions,
): KeeperOptions {
  const skipped = (error: unknown): void => {
    const reason = whyNotSaved(error) ?? ourBug
    more.onProblem(`${name} could not be written anew (${reason}): ${name}.wal keeps growing until it can.`)
  }
  const stateFile = new StateFile(file, {
    seed,
    keepsJournal: durability !== 'exit',
    journal: kept?.sandbox.journal,
    onSkipped: skipped,
    minJournalBytes,
    ...(aboutWorkspace ? { aboutWorkspace } : {}),
    ...(clear ? { clear } : {}),
  })
  return { ...more, file: stateFile, name, durability, seq: kept?.seq ?? 0 }
}

/** How its lock is taken. */
export function lockOptions({
  name,
  pid,
  onNotice,
  signal,
  seams,
}: Omit<DataOptions, 'lock'>): Omit<LockOptions, 'files'> {
  return {
    processes: { pid, mark: processMark, namespace: processNamespace(), host: hostName() },
    ...seams,
    onWaiting: (who) => {
      const seconds = lockTimes.patience / 1000
      onNotice(`${name} is in use by another sandbox (${who}): waiting up to ${seconds} s for it to end`)
    },
    signal,
  }
}

/** Thrown for a file that cannot be used as things stand, whatever is in it. */
export class UnreachableError extends DocumentError {
  /** The file and what is wrong with it, without what to do. */
  readonly reason: string

  constructor(name: string, reason: string, next: string) {
    super([{ source: name, path: '', message: `${reason}; ${next}` }])
    this.reason = `${name}: ${reason}`
  }
}

/** What a failure says to whoever named the file. */
export function unusable(error: unknown, { name }: Pick<DataOptions, 'name'>): unknown {
  const problem = (why: string, next: string): DocumentError => new UnreachableError(name, why, next)
  if (error instanceof NotAFileError) return problem('is no file', 'name one with --data')
  if (error instanceof LockedError) {
    const who = error.isThisProcess ? 'this process' : error.who
    return problem(
      `is in use by another sandbox (${who})`,
      'stop that one, or give each a file of its own with --data',
    )
  }
  const reason = whyNotSaved(error)
  if (reason === undefined) return error
  return problem(`cannot be used: ${reason}`, 'change that, or name another file with --data')
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

/** Restores the scenarios and the named snapshots. @param onMissing called for each active scenario that does not exist any more. */
function restoreSettings(
  workspace: Workspace,
  { scenarios, snapshots }: Kept,
  onMissing: (name: string) => void,
): void {
  if (snapshots.size > 0) {
    const restored = Array.from(snapshots, ([name, moment]): [string, Snapshot] => [
      name,
      new Snapshot(workspace, name, moment),
    ])
    workspace.snapshots = new Map(restored)
  }
  if (!scenarios) return
  const engine = workspace.scenarios
  engine.resume({ ...engine.copy(), own: scenarios.own, active: [] })
  const active = scenarios.active.filter((name) => {
    const isUsable = engine.whyUnknown(name) === undefined
    if (!isUsable) onMissing(name)
    return isUsable
  })
  engine.resume({ ...engine.copy(), active })
}
