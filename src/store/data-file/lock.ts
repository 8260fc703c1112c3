import { z } from 'zod'
import { isSystemError } from '../../runtime/host.ts'
import { wait } from '../../runtime/wait.ts'
import { ifThere, withOpen, type Files } from './files.ts'

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

/** How often it is tried: each time, somebody else was faster, or has not written its name yet. */
const attempts = 5
const untilNextMs = 20

/**
 * Takes the lock of a data file: a file that names its process, by id and start. One that a dead process left is
 * taken over.
 *
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
    const text = await ifThere(files.readFile(path))
    if (text === undefined) continue
    holder = holderOf(text)
    if (holder && isAlive(holder, processes)) break
    // What names nobody may be about to; only after a while it is what a process left that died at once.
    if (holder || attempt === attempts - 1) await removeStale(files, path, text, processes.pid)
    else await wait(untilNextMs)
  }
  throw new LockedError(holder?.pid)
}

/** False when the lock is there already. */
async function create(files: Files, path: string, own: Holder): Promise<boolean> {
  try {
    await withOpen(files.open(path, 'wx', 0o600), (file) => file.writeFile(`${JSON.stringify(own)}\n`))
    return true
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') return false
    throw error
  }
}

function holderOf(text: Uint8Array): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(Buffer.from(text).toString()))
  } catch {
    return undefined
  }
}

function isAlive({ pid, started }: Holder, { mark }: Processes): boolean {
  const found = mark(pid)
  return found !== undefined && (found === '' || found === started)
}

/**
 * Moves a stale lock away before removing it: between looking and removing, another process may have done the same
 * and put its own lock there, which must stay.
 */
async function removeStale(files: Files, path: string, seen: Uint8Array, pid: number): Promise<void> {
  const aside = `${path}.${pid}`
  if ((await ifThere(files.rename(path, aside).then(() => true))) === undefined) return
  const moved = await files.readFile(aside)
  if (moved.equals(seen)) await files.unlink(aside)
  else await files.rename(aside, path)
}

async function release(files: Files, path: string, own: Holder): Promise<void> {
  const text = await ifThere(files.readFile(path))
  const holder = text && holderOf(text)
  // Somebody who took it over has it now.
  if (holder?.pid === own.pid && holder.started === own.started) await ifThere(files.unlink(path))
}
