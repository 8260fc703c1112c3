// The lock of data files: a file that its holder renews, and that another sandbox takes over from a dead or suspended
// holder.
import { basename, dirname } from 'node:path'
import { z } from 'zod'
import { Stopped } from '../../runtime/event-loop.ts'
import { isSystemError, monotonicNow, uniqueName } from '../../runtime/host.ts'
import { every, wait } from '../../runtime/wait.ts'
import { ifThere, LostLockError, systemFiles, type Files, type OpenFile } from './files.ts'
import { removeUnfinished, unfinishedName } from './paths.ts'
import { removeName } from './fence.ts'

/** The processes of the machine, as a lock sees them. */
export interface Processes {
  /** This process. */
  pid: number
  /** The namespace of processes in which `mark` works. */
  namespace: string
  /** The name of the machine or container. */
  host: string
  /**
   * Returns a mark that tells a process from a later one with the same id; empty if the system has none, and undefined
   * if no process with this id runs.
   */
  mark(pid: number): string | undefined
}

const holderSchema = z.object({
  pid: z.int().min(1),
  started: z.string(),
  /** Version 0.1.0 wrote none of these fields, and never renewed its lock. */
  host: z.string().optional(),
  namespace: z.string().optional(),
  nonce: z.string().min(1).optional(),
})

/** The holder that a lock names. */
type Holder = z.infer<typeof holderSchema>

/** Thrown if another sandbox uses the file, in this process or another. */
export class LockedError extends Error {
  /** The name of the holder for people. */
  readonly who: string
  readonly isThisProcess: boolean

  constructor(who: string, isThisProcess = false) {
    super(`in use by ${who}`)
    this.who = who
    this.isThisProcess = isThisProcess
  }
}

/** The timing of locks, in monotonic milliseconds. */
export interface LockTimes {
  now(): number
  wait(milliseconds: number, ...signals: readonly AbortSignal[]): Promise<boolean>
  every(milliseconds: number, run: () => unknown): () => void
  /** Interval of the heartbeat: the holder renews its lock so often. */
  renewal: number
  /** Expiry: a holder without a heartbeat for so long counts as gone. */
  stale: number
  /** Timeout of waiting for a lock. */
  waitTimeout: number
  /** Poll interval while waiting. */
  look: number
  /** Maximum time that one poll counts: a process that was suspended meanwhile has observed nothing. */
  longestLook: number
}

/** The timing of every sandbox. */
export const lockTimes: LockTimes = {
  now: monotonicNow,
  wait,
  every,
  renewal: 2000,
  stale: 10_000,
  waitTimeout: 15_000,
  look: 250,
  longestLook: 1000,
}

/** How to take a lock. */
export interface LockOptions {
  files: Files
  processes: Processes
  /** The default is the timing of every sandbox. */
  times?: LockTimes | undefined
  /** Called once with the holder before waiting for it to stop. */
  onWaiting?: ((who: string) => void) | undefined
  /** Aborts the waiting. */
  signal?: AbortSignal | undefined
}

/** The environment of a lock, which tests replace. */
export type LockTestHooks = Partial<Pick<LockOptions, 'processes' | 'times'>>

/**
 * Takes a lock, which is a file that names its holder.
 * @param of the name of the one file next to it that it guards; without it, all files in its folder.
 * @throws {LockedError} if another sandbox has it and renews it. @throws {Stopped} if the signal is aborted.
 */
export async function takeLock(path: string, options: LockOptions, of?: string): Promise<Lock> {
  const { files, processes, onWaiting, signal, times = lockTimes } = options
  const { pid, namespace, host } = processes
  const own: Own = { pid, started: processes.mark(pid) ?? '', host, namespace, nonce: uniqueName() }
  let [waited, unchanged] = [0, 0]
  let before: string | undefined
  let isReported = false
  for (;;) {
    if (signal?.aborted) throw new Stopped()
    const text = (await ifThere(files.readFile(path)))?.toString()
    if (text !== before) unchanged = 0
    before = text
    const looked = times.now()
    const holder = text === undefined ? undefined : holderOf(text)
    const isStale = unchanged >= times.stale && (holder === undefined || holder.nonce !== undefined)
    const isFree = text === undefined || isStale || (holder !== undefined && isDead(holder, processes))
    const taken = isFree ? await replace(files, path, own, text, of) : undefined
    if (taken) return new Lock({ files, path, own, file: taken, times, renewedAt: looked })
    const who = nameOf(holder, processes)
    if (!isFree && isSame(holder, own)) throw new LockedError(who, true)
    if (waited >= times.waitTimeout) throw new LockedError(who)
    if (!isFree && !isReported) onWaiting?.(who)
    isReported ||= !isFree
    await times.wait(times.look, ...(signal ? [signal] : []))
    const passed = Math.min(times.now() - looked, times.longestLook)
    waited += passed
    unchanged += passed
  }
}

/**
 * Whether a sandbox has a lock of this name: other programs may have files of such names, too.
 * @throws the failure of the file system if it cannot be read.
 */
export async function isLock(path: string): Promise<boolean> {
  try {
    return holderOf((await systemFiles.readFile(path)).toString()) !== undefined
  } catch (error) {
    if (isSystemError(error) && ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code ?? '')) return false
    throw error
  }
}

/** Waits until the lock is free. @throws {LockedError} as `takeLock`. */
export async function requireFree(path: string, options: Omit<LockOptions, 'files'>): Promise<void> {
  const lock = await takeLock(path, { files: systemFiles, ...options }, basename(path, '.lock'))
  await lock.release()
}

interface Own extends Holder {
  host: string
  namespace: string
  nonce: string
}

/** Returns the first text of a lock or a heartbeat. Texts never become shorter, so that no old end is left over. */
const textOf = (own: Own, beat: number): string => `${JSON.stringify({ ...own, beat })}\n`

/** Returns the name of a holder for people: its process, and its machine unless it is this one. */
function nameOf(holder: Holder | undefined, here: Pick<Processes, 'namespace'>): string {
  if (holder === undefined) return 'process unknown'
  const { pid, namespace, host } = holder
  return host === undefined || namespace === here.namespace ? `process ${pid}` : `process ${pid} on ${host}`
}

/** Undefined if the lock names no holder. */
function holderOf(text: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** A holder in another container or on another machine is never seen dead. */
function isDead({ pid, started, namespace }: Holder, processes: Processes): boolean {
  if (namespace !== undefined && namespace !== processes.namespace) return false
  const found = processes.mark(pid)
  return found === undefined || (found !== '' && found !== started)
}

/** Whether the holder is this very process, which need not be waited for. */
function isSame(holder: Holder | undefined, own: Own): boolean {
  const namespace = holder?.namespace ?? own.namespace
  return holder?.pid === own.pid && holder.started === own.started && namespace === own.namespace
}

/**
 * Writes our name where there is no lock, or replaces a lock that is gone or unchanged since it was read. Then it
 * removes the unfinished files of others, including their attempts at this lock: if the lock is ours after that, it
 * stays ours.
 * @returns the open file; undefined if another process was faster.
 */
async function replace(
  files: Files,
  path: string,
  own: Own,
  found: string | undefined,
  of: string | undefined,
): Promise<OpenFile | undefined> {
  const name = found === undefined ? path : unfinishedName(path, own.nonce, 0)
  const file = await ifNotThere(files.open(name, 'wx', 0o600))
  if (!file) return undefined
  let isOurs = false
  try {
    await file.writeFile(textOf(own, 0))
    if (name !== path) {
      if ((await ifThere(files.readFile(path)))?.toString() !== found) return undefined
      await ifThere(files.rename(name, path))
    }
    const isNamed = (): boolean => textNow(files, path).includes(own.nonce)
    await removeUnfinished(files, dirname(path), of, isNamed)
    isOurs = isNamed()
    return isOurs ? file : undefined
  } finally {
    if (!isOurs) {
      await file.close()
      if (name !== path) await ifThere(files.unlink(name))
    }
  }
}

async function ifNotThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') return undefined
    throw error
  }
}

/**
 * Returns the current text of a lock; empty if it does not exist. During a heartbeat, only the counter may be
 * incomplete.
 */
function textNow(files: Files, path: string): string {
  // A synchronous read takes 7 µs, and an asynchronous one 220 µs, for which each group commit would wait.
  try {
    return files.readNow(path).toString()
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return ''
    throw error
  }
}

/** The open file of a lock that has our name. */
interface HeldLock {
  files: Files
  path: string
  own: Own
  file: OpenFile
  times: LockTimes
  renewedAt: number
}

/** A lock that this process holds. It sends heartbeats until it is released, or until another holder is seen. */
export class Lock {
  readonly path: string
  /** The unique name of this holder, also among locks of this process. */
  readonly nonce: string
  readonly #files: Files
  readonly #own: Own
  readonly #file: OpenFile
  readonly #times: LockTimes
  readonly #stopRenewing: () => void
  readonly #lost = new AbortController()
  #renewedAt: number
  #beat = 0
  #releasing: Promise<void> | undefined

  constructor({ files, path, own, file, times, renewedAt }: HeldLock) {
    this.path = path
    this.#times = times
    this.#renewedAt = renewedAt
    this.nonce = own.nonce
    this.#files = files
    this.#own = own
    this.#file = file
    this.#stopRenewing = times.every(times.renewal, () => this.#renew())
  }

  /** Aborted with a LostLockError as soon as another holder is seen. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Monotonic time in ms before the last successful heartbeat; no other sandbox takes the lock within `stale` after it. */
  get renewedAt(): number {
    return this.#renewedAt
  }

  /** @throws {LostLockError} if another sandbox has it. That sandbox knows everything that was written before. */
  requireOurs(): void {
    this.#lost.signal.throwIfAborted()
    const text = textNow(this.#files, this.path)
    if (text.includes(this.nonce)) return
    this.#stopRenewing()
    this.#lost.abort(new LostLockError(text === '' ? undefined : nameOf(holderOf(text), this.#own)))
    this.#lost.signal.throwIfAborted()
  }

  /** Through the open file: after a takeover, this file has no name any more. */
  async #renew(): Promise<void> {
    const began = this.#times.now()
    try {
      this.requireOurs()
      await this.#file.overwrite(textOf(this.#own, ++this.#beat))
      this.#renewedAt = began
    } catch {
      // A heartbeat that fails may succeed next time; if not, another sandbox takes the lock over, which is safe.
    }
  }

  /** Releases the lock once, unless another sandbox has it. */
  release(): Promise<void> {
    return (this.#releasing ??= this.#release())
  }

  async #release(): Promise<void> {
    this.#stopRenewing()
    try {
      await removeName(
        { files: this.#files, lock: this },
        unfinishedName(this.path, this.nonce, 0),
        this.path,
      )
    } catch (error) {
      // A lock that cannot be removed expires.
      if (!(error instanceof LostLockError) && !isSystemError(error)) throw error
    } finally {
      await this.#file.close()
    }
  }
}
