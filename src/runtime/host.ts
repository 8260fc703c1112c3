// The host: the machine and the process (clock, pid, env, signals). All other modules get these as arguments.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Host {
  /** Milliseconds since the epoch. */
  now(): number
  pid: number
  env: Readonly<Record<string, string | undefined>>
  cwd: string
}

/** Returns the real machine. */
export function systemHost(): Host {
  return { now: Date.now, pid: process.pid, env: process.env, cwd: process.cwd() }
}

/** Returns the file that this process runs; undefined without one, as with `node --eval`. */
export function mainFile(): string | undefined {
  return process.argv[1]
}

/**
 * Returns a mark that distinguishes a running process from a later process with the same id: when the machine and the
 * process started. It is empty if the system does not report that, and undefined if no process has this id.
 */
export function processIdentity(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // A process that this user may not signal still runs, as another user.
    if (isSystemError(error) && error.code === 'ESRCH') return undefined
  }
  try {
    // The fields after the name, as the name may hold any character: first the state, and as the 20th the ticks from
    // boot to start.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    if (fields[0] === 'Z') return undefined
    return `${bootId()} ${fields[19]}`
  } catch {
    return pid === process.pid ? String(Math.round(performance.timeOrigin)) : ''
  }
}

/** Returns the id of the current boot of the machine. @throws if the system has none. */
function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

/**
 * Returns an id that is the same for all processes with common process ids: those of one container, or of one machine
 * outside of containers. This process cannot see whether a process of another namespace runs.
 */
export function processNamespace(): string {
  try {
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** Returns the name by which people know this machine or container. */
export function hostName(): string {
  return hostname()
}

/** Whether this process runs in a container of Docker or Podman. */
export function isContainer(): boolean {
  // Podman hides its file under an empty /run if the root file system is read-only; it always sets the variable.
  return (
    existsSync('/.dockerenv') || existsSync('/run/.containerenv') || process.env['container'] === 'podman'
  )
}

/**
 * Signals every process of a group, whose id is that of its first process. A group that no longer exists is no error.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'ESRCH') throw error
  }
}

/**
 * Returns a name that is unique across machines, for data that outlives this process. A value that the seed determines
 * must not use it.
 */
export function uniqueName(): string {
  return randomBytes(8).toString('hex')
}

/** Returns the id of the user that this process runs as; -1 on a system without such ids. */
export const userId = (): number => process.getuid?.() ?? -1

/** Returns random bytes as hex, for the keys of partners and of signatures: they must not derive from the seed. */
export function randomSecret(size: 16 | 32): string {
  return randomBytes(size).toString('hex')
}

/** Returns a path as a person would type it in a folder. */
export function shownPath(path: string, folder: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}

/**
 * Removes the folder of a file from a text for clients, as clients must not learn the paths of the machine. @param path
 * of the file.
 */
export function withoutFolder(text: string, path: string): string {
  return path === '' ? text : text.replaceAll(path, basename(path))
}

/** Whether a path leads to a folder that can be reached. It is false for an error, which opening the path reports. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    if (isSystemError(error)) return false
    throw error
  }
}

/** Returns the monotonic time in milliseconds, for durations and never for timestamps. */
export function monotonicNow(): number {
  return performance.now()
}

/** Returns the time of the machine at a monotonic time, in milliseconds since the epoch. */
export function machineTimeOf(monotonic: number): number {
  return Math.round(performance.timeOrigin + monotonic)
}

/** Returns the resident memory of this process, in bytes. */
export function residentMemory(): number {
  return process.memoryUsage.rss()
}

/**
 * Returns the folder of this package, where `fixtures/` and `scenarios/` are. It is the nearest parent folder with a
 * package.json, whether the code runs from `src` or bundled from `dist`.
 */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

let version: string | undefined

/** Returns the version of this package. */
export function packageVersion(): string {
  if (version === undefined) {
    const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8')
    version = /"version":\s*"([^"]+)"/.exec(text)?.[1] ?? '0.0.0'
  }
  return version
}

/** Whether an error is one of the operating system, with a code such as EADDRINUSE. */
export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
}
