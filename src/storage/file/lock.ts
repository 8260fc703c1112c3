// The lock of data files: who may use them, renewed while they do, and taken over from who died or stands still.
import { basename, dirname } from 'node:path'
import { z } from 'zod'
import { Stopped } from '../../runtime/time-slices.ts'
import { isSystemError, monotonicNow, uniqueName } from '../../runtime/host.ts'
import { every, wait } from '../../runtime/wait.ts'
import { ifThere, LostLockError, systemFiles, type Files, type OpenFile } from './files.ts'
import { removeUnfinished, unfinishedName } from './paths.ts'
import { removeName } from './fence.ts'

/** The processes of the machine, as far as a lock asks about them. */
export interface Processes {
  /** This process. */
  pid: number
  /** What the processes have in common of which `mark` can tell. */
  namespace: string
  /** The machine or container, as people know it. */
  host: string
  /**
   * What tells a process from a later one with the same id; empty where the system does not tell, and undefined when
   * no process with this id runs.
   */
  mark(pid: number): string | undefined
}

const holderSchema = z.object({
  pid: z.int().min(1),
  started: z.string(),
  /** Version 0.1.0 wrote none of these, and never renews. */
  host: z.string().optional(),
  namespace: z.string().optional(),
  nonce: z.string().min(1).optional(),
})

/** Whom a lock names. */
type Holder = z.infer<typeof holderSchema>

/** Thrown when another sandbox uses the file, or another one of this process. */
export class LockedError extends Error {
  /** The holder, as people know it. */
  readonly who: string
  readonly isThisProcess: boolean

  constructor(who: string, isThisProcess = false) {
    super(`in use by ${who}`)
    this.who = who
    this.isThisProcess = isThisProcess
  }
}

/** The time that a lock goes by, in milliseconds that only go forward: it reads no clock that shows a date. */
export interface LockTimes {
  now(): number
  wait(milliseconds: number, ...signals: readonly AbortSignal[]): Promise<boolean>
  every(milliseconds: number, run: () => unknown): () => void
  /** How often a holder renews its lock. */
  renewal: number
  /** After how long without a renewal its holder counts as gone. */
  stale: number
  /** How long somebody waits for it altogether. */
  patience: number
  /** How often they look. */
  look: number
  /** What one look counts at most: who was stopped meanwhile has seen nothing. */
  longestLook: number
}

/** Those of every sandbox. */
export const lockTimes: LockTimes = {
  now: monotonicNow,
  wait,
  every,
  renewal: 2000,
  stale: 10_000,
  patience: 15_000,
  look: 250,
  longestLook: 1000,
}

/** How a lock is taken. */
export interface LockOptions {
  files: Files
  processes: Processes
  /** Those of every sandbox where they are not given. */
  times?: LockTimes | undefined
  /** Told once who has it, before it is waited for them to end. */
  onWaiting?: ((who: string) => void) | undefined
  /** Ends the waiting. */
  signal?: AbortSignal | undefined
}

/** What a lock goes by, which tests replace. */
export type LockTestHooks = Partial<Pick<LockOptions, 'processes' | 'times'>>

/**
 * Takes a lock, which is a file that names its holder.
 * @param of the name of the one file beside it that it guards; without it, all in its folder.
 * @throws {LockedError} when somebody else has it, and keeps it. @throws {Stopped} when the signal is aborted.
 */
export async function takeLock(path: string, options: LockOptions, of?: string): Promise<Lock> {
  const { files, processes, onWaiting, signal, times = lockTimes } = options
  const { pid, namespace, host } = processes
  const own: Own = { pid, started: processes.mark(pid) ?? '', host, namespace, nonce: uniqueName() }
  let [waited, unchanged] = [0, 0]
  let before: string | undefined
  let isTold = false
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
    if (taken) return new Lock(files, path, own, taken, times)
    const who = nameOf(holder, processes)
    if (!isFree && isSame(holder, own)) throw new LockedError(who, true)
    if (waited >= times.patience) throw new LockedError(who)
    if (!isFree && !isTold) onWaiting?.(who)
    isTold ||= !isFree
    await times.wait(times.look, ...(signal ? [signal] : []))
    const passed = Math.min(times.now() - looked, times.longestLook)
    waited += passed
    unchanged += passed
  }
}

/**
 * Whether there is a lock of a sandbox: other programs have files of such names, too.
 * @throws the failure of the file system where it cannot be told.
 */
export async function isLock(path: string): Promise<boolean> {
  try {
    return holderOf((await systemFiles.readFile(path)).toString()) !== undefined
  } catch (error) {
    if (isSystemError(error) && ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code ?? '')) return false
    throw error
  }
}

/** Waits until nobody has a lock. @throws {LockedError} as `takeLock`. */
export async function requireFree(path: string, options: Omit<LockOptions, 'files'>): Promise<void> {
  const lock = await takeLock(path, { files: systemFiles, ...options }, basename(path, '.lock'))
  await lock.release()
}

interface Own extends Holder {
  host: string
  namespace: string
  nonce: string
}

/** The first text of a lock, or one that renews it: a longer one each time, or as long, so that no end is left over. */
const textOf = (own: Own, beat: number): string => `${JSON.stringify({ ...own, beat })}\n`

/** How people know a holder: by its process, and where that is when it is not here. */
function nameOf(holder: Holder | undefined, here: Pick<Processes, 'namespace'>): string {
  if (holder === undefined) return 'process unknown'
  const { pid, namespace, host } = holder
  return host === undefined || namespace === here.namespace ? `process ${pid}` : `process ${pid} on ${host}`
}

/** Undefined when nobody is named. */
function holderOf(text: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** One of another container or machine is never seen dead. */
function isDead({ pid, started, namespace }: Holder, processes: Processes): boolean {
  if (namespace !== undefined && namespace !== processes.namespace) return false
  const found = processes.mark(pid)
  return found === undefined || (found !== '' && found !== started)
}

/** Whether it is this very process, which need not be waited for. */
function isSame(holder: Holder | undefined, own: Own): boolean {
  const namespace = holder?.namespace ?? own.namespace
  return holder?.pid === own.pid && holder.started === own.started && namespace === own.namespace
}

/**
 * Puts our name where there is none, or in place of one that stands there no more or still as it was found. Then
 * removes what others left unfinished, their names for this lock among it: whoever is ours after that stays ours.
 * @returns the open file; undefined when somebody was faster.
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

/** What a lock says now; empty when it is not there. While it is renewed, only its beat may be half a one. */
function textNow(files: Files, path: string): string {
  // Reading it at once takes 7 µs, and with turns of the event loop 220 µs, which each group of writes would wait for.
  try {
    return files.readNow(path).toString()
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return ''
    throw error
  }
}

/** A lock that was taken. It is renewed until it is released, or is seen to be somebody else's. */
export class Lock {
  readonly path: string
  /** What tells this holder from every other, also from this process at another time. */
  readonly nonce: string
  readonly #files: Files
  readonly #own: Own
  readonly #file: OpenFile
  readonly #stopRenewing: () => void
  readonly #lost = new AbortController()
  #beat = 0
  #releasing: Promise<void> | undefined

  constructor(files: Files, path: string, own: Own, file: OpenFile, times: LockTimes) {
    this.path = path
    this.nonce = own.nonce
    this.#files = files
    this.#own = own
    this.#file = file
    this.#stopRenewing = times.every(times.renewal, () => this.#renew())
  }

  /** Aborted, for a LostLockError, once somebody else is seen to have the lock. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** @throws {LostLockError} when somebody else has it. Of what was done before, they know. */
  requireOurs(): void {
    this.#lost.signal.throwIfAborted()
    const text = textNow(this.#files, this.path)
    if (text.includes(this.nonce)) return
    this.#stopRenewing()
    this.#lost.abort(new LostLockError(text === '' ? undefined : nameOf(holderOf(text), this.#own)))
    this.#lost.signal.throwIfAborted()
  }

  /** Through the open file: once somebody took the lock over, that has no name any more. */
  async #renew(): Promise<void> {
    try {
      this.requireOurs()
      await this.#file.overwrite(textOf(this.#own, ++this.#beat))
    } catch {
      // What cannot be renewed now may be the next time; and if not, somebody takes it over, which is safe.
    }
  }

  /** Gives the lock back, once, unless somebody else has it. */
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
      // What cannot be removed is stale soon.
      if (!(error instanceof LostLockError) && !isSystemError(error)) throw error
    } finally {
      await this.#file.close()
    }
  }
}
