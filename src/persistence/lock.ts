// The lock of a data file: one process at a time, and what a dead one left is taken over.
import { z } from 'zod'
import { isSystemError } from '../runtime/host.ts'
import { wait } from '../runtime/wait.ts'
import { ifThere, withOpen, type Files } from './files.ts'
import { unfinishedName } from './paths.ts'

/** The processes of the machine, as far as a lock asks about them. */
export interface Processes {
  /** This process. */
  pid: number
  /**
   * What tells a process from a later one with the same id; empty where the system does not tell, and undefined when
   * no process with this id runs.
   */
  mark(pid: number): string | undefined
}

/** Thrown when another sandbox uses the file. */
export class LockedError extends Error {
  readonly pid: number | undefined

  constructor(pid: number | undefined) {
    super(`in use by process ${pid}`)
    this.pid = pid
  }
}

const holderSchema = z.strictObject({ pid: z.int().min(1), started: z.string() })
type Holder = z.infer<typeof holderSchema>

/** How often it is tried: somebody else may be faster, or have the lock and not have written its name yet. */
const attempts = 10
const untilNamed = 4
const untilNextMs = 20

/**
 * The lock is a file that names its process, by id and start.
 * @throws {LockedError} when a live process holds it.
 * @returns what gives the lock back.
 */
export async function takeLock(
  files: Files,
  path: string,
  processes: Processes,
): Promise<() => Promise<void>> {
  const own: Holder = { pid: processes.pid, started: processes.mark(processes.pid) ?? '' }
  let holder: Holder | undefined
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (await create(files, path, own)) return () => release(files, path, own)
    holder = await holderOf(files, path)
    if (holder && isAlive(holder, processes)) break
    const isDead = holder !== undefined || attempt > untilNamed
    if (isDead && (await takeOver(files, path, own, processes))) return () => release(files, path, own)
    await wait(untilNextMs)
  }
  throw new LockedError(holder?.pid)
}

/** False when the lock is there already. */
async function create(files: Files, path: string, own: Holder): Promise<boolean> {
  try {
    await write(files, path, 'wx', own)
    return true
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') return false
    throw error
  }
}

function write(files: Files, path: string, flags: string, own: Holder): Promise<void> {
  return withOpen(files.open(path, flags, 0o600), (file) => file.writeFile(`${JSON.stringify(own)}\n`))
}

/** Undefined when nobody is named. */
async function holderOf(files: Files, path: string): Promise<Holder | undefined> {
  const text = await ifThere(files.readFile(path))
  try {
    return text && holderSchema.parse(JSON.parse(text.toString()))
  } catch {
    return undefined
  }
}

function isAlive({ pid, started }: Holder, { mark }: Processes): boolean {
  const found = mark(pid)
  return found !== undefined && (found === '' || found === started)
}

/**
 * Puts our name in place of that of a dead process. One does so at a time, and the lock is there all the while: of two
 * that found it left, the second must find the first.
 */
async function takeOver(files: Files, path: string, own: Holder, processes: Processes): Promise<boolean> {
  const guard = `${path}.guard`
  if (!(await create(files, guard, own))) {
    const other = await holderOf(files, guard)
    if (other && !isAlive(other, processes)) await ifThere(files.unlink(guard))
    return false
  }
  try {
    const holder = await holderOf(files, path)
    const isFree = (await ifThere(files.stat(path))) === undefined
    if (isFree || (holder && isAlive(holder, processes))) return false
    const unfinished = unfinishedName(path, own.pid, 0)
    await write(files, unfinished, 'w', own)
    await files.rename(unfinished, path)
    return true
  } finally {
    await files.unlink(guard)
  }
}

async function release(files: Files, path: string, own: Holder): Promise<void> {
  const holder = await holderOf(files, path)
  // Somebody who took it over has it now.
  if (holder?.pid === own.pid && holder.started === own.started) await ifThere(files.unlink(path))
}
