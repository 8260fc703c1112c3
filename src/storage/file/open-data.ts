// Opens the data file of `data`, and says why a file cannot be used.
import { hostName, processIdentity, processNamespace } from '../../runtime/host.ts'
import type { PersistedState } from './load-persisted.ts'
import { DocumentError } from '../../input/problems.ts'
import { maxSize } from '../../input/source-file.ts'
import { DataFile, NotAFileError } from './data-file.ts'
import { LockedError, lockTimes, type Lock, type LockOptions, type LockTestHooks } from './lock.ts'
import { FileSaver, type SaverOptions } from './file-saver.ts'
import type { Durability } from '../../workspaces/saver.ts'
import { readData, type ReadOptions } from './read-data.ts'
import { StateFile, type StateFileOptions } from './state-file.ts'
import { ourBug, whyNotSaved } from './files.ts'
import { partOutsideFolder } from './workspace-part.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { FileStorage } from './file-storage.ts'
import { continuedClock, restoreSettings, type RequestedClock } from '../core/restore-workspace.ts'

/** Which data file to open, and how to read and write it. */
export interface DataOptions extends ReadOptions {
  /** An absolute path. */
  path: string
  durability: Durability
  pid: number
  /** The identity of this machine in the lock, in place of its own. */
  testHooks?: LockTestHooks
  /** See `StateFileOptions`. */
  minJournalBytes?: number
  /** The lock that it shares with other files; without it, it takes a lock of its own. */
  lock?: Lock
}

/** A data file that this process uses. */
export interface OpenData {
  /** The name of the file in messages. */
  name: string
  /** The state that was read; undefined if the file does not exist yet. */
  loaded: PersistedState | undefined
  /** Whether the file was closed, so that it can stay unchanged until the first write. */
  isClosed: boolean
  /** Releases the file. */
  release(): Promise<void>
  /** Persists `default` in it from now on. @throws {DocumentError} when it cannot be written. */
  persistAll(workspaces: Workspaces, options: PersistOptions): Promise<FileStorage>
  /**
   * Persists a workspace in it from now on.
   * @throws {DocumentError} if it cannot be written.
   */
  persist(workspace: Workspace, options: PersistOptions): Promise<FileSaver>
  /** The same for a file that was closed: it is written after the first change. */
  resume(workspace: Workspace, options: PersistOptions): FileSaver
}

/** How a workspace is saved, except for what its file decides. */
export interface PersistOptions
  extends
    Omit<SaverOptions, 'file' | 'name' | 'durability' | 'seq'>,
    Pick<StateFileOptions, 'seed' | 'aboutWorkspace' | 'clear'> {
  /**
   * The machine's clock, and the time that the clock of the workspace should show; without it, the clock is as loaded.
   */
  clock?: { now: () => number; requested: RequestedClock }
}

/**
 * Locks and reads a data file. Loaded only if an option names a file.
 * @throws {DocumentError} if another sandbox uses it, or it cannot be used or reached; the file is unchanged.
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
  const loaded = await explained(readAllowed(file, options)).catch(async (error: unknown) => {
    await file.close()
    throw error
  })
  // In a folder, the workspace reports its problems itself.
  const aboutWorkspace = loaded?.workspace && partOutsideFolder(loaded.workspace, loaded.beginning)
  const onMissing = (scenario: string): void =>
    options.onNotice(`${name}: scenario '${scenario}' was active and no longer exists, so it is off now`)
  const optionsFor = (workspace: Workspace, more: PersistOptions): SaverOptions => {
    const { clock } = more
    if (loaded) {
      workspace.applyState(
        loaded.state,
        clock && continuedClock(clock.now, clock.requested, loaded.sandbox.clock),
      )
      restoreSettings(workspace, loaded, onMissing)
    }
    return saverOptions(
      file,
      { name, durability, loaded, minJournalBytes },
      { ...(aboutWorkspace ? { aboutWorkspace } : {}), ...more },
    )
  }
  const persist = (workspace: Workspace, more: PersistOptions): Promise<FileSaver> =>
    explained(FileSaver.start(workspace, optionsFor(workspace, more)))
  return {
    name,
    loaded,
    isClosed: !recover && loaded?.sandbox.closed === true && !(await file.hasJournal()),
    release: () => file.close(),
    persist,
    persistAll: async (workspaces, more) => {
      const { default: home } = workspaces
      const part = partOutsideFolder({ created_at: home.createdAt }, undefined)
      // A file outside a folder has no workspace part unless it needs one.
      const aboutHome = (now: Parameters<typeof part>[0]): ReturnType<typeof part> | undefined => {
        const about = part(now)
        return (about.scenarios ?? about.snapshots) && about
      }
      const saver = await persist(home, loaded?.workspace ? more : { ...more, aboutWorkspace: aboutHome })
      return new FileStorage(workspaces, saver)
    },
    resume: (workspace, more) => FileSaver.begin(workspace, optionsFor(workspace, more), false),
  }
}

/**
 * @throws {DocumentError} like `readData`, and for the file of a partner outside its folder, where its keys would stop
 * working.
 */
async function readAllowed(file: DataFile, options: DataOptions): Promise<PersistedState | undefined> {
  const { name, lock } = options
  const loaded = await readData(file, options)
  const { isolation } = loaded?.workspace ?? {}
  if (isolation && !lock) {
    const message = `belongs to partner '${isolation.of}': start its folder with --isolation partner, or look at a copy of it with --fixtures`
    throw new DocumentError([{ source: name, path: '', message }])
  }
  return loaded
}

interface FileFacts
  extends Pick<DataOptions, 'name' | 'durability'>, Pick<StateFileOptions, 'minJournalBytes'> {
  loaded: PersistedState | undefined
}

/** Returns how a workspace is saved in a file. @param loaded the state that was read. */
export function saverOptions(
  file: DataFile,
  { name, durability, loaded, minJournalBytes }: FileFacts,
  { seed, aboutWorkspace, clear, clock: _clock, ...more }: PersistOptions,
): SaverOptions {
  const skipped = (error: unknown): void => {
    const reason = whyNotSaved(error) ?? ourBug
    more.onProblem(`${name} could not be rewritten (${reason}): ${name}.wal keeps growing until it can.`)
  }
  const stateFile = new StateFile(file, {
    seed,
    keepsJournal: durability !== 'exit',
    journal: loaded?.sandbox.journal,
    onSkipped: skipped,
    minJournalBytes,
    ...(aboutWorkspace ? { aboutWorkspace } : {}),
    ...(clear ? { clear } : {}),
  })
  return { ...more, file: stateFile, name, durability, seq: loaded?.seq ?? 0 }
}

/** Returns the options of its lock. */
export function lockOptions({
  name,
  pid,
  onNotice,
  signal,
  testHooks,
}: Omit<DataOptions, 'lock'>): Omit<LockOptions, 'files'> {
  return {
    processes: { pid, mark: processIdentity, namespace: processNamespace(), host: hostName() },
    ...testHooks,
    onWaiting: (who) => {
      const seconds = lockTimes.waitTimeout / 1000
      onNotice(`${name} is in use by another sandbox (${who}): waiting up to ${seconds} s for it to stop`)
    },
    signal,
  }
}

/** Thrown for a file that cannot be used at present, whatever its contents. */
export class UnreachableError extends DocumentError {
  /** The file and the problem, without the next step. */
  readonly reason: string

  constructor(name: string, reason: string, next: string) {
    super([{ source: name, path: '', message: `${reason}; ${next}` }])
    this.reason = `${name}: ${reason}`
  }
}

/** Returns the message of a failure for the user who named the file. */
export function unusable(error: unknown, { name }: Pick<DataOptions, 'name'>): unknown {
  const problem = (why: string, next: string): DocumentError => new UnreachableError(name, why, next)
  if (error instanceof NotAFileError) return problem('is no file', 'name one with --data')
  if (error instanceof LockedError) {
    const who = error.isThisProcess ? 'this process' : error.who
    return problem(`is in use by another sandbox (${who})`, 'stop it, or give each its own file with --data')
  }
  const reason = whyNotSaved(error)
  if (reason === undefined) return error
  return problem(`cannot be used: ${reason}`, 'correct that, or name another file with --data')
}
