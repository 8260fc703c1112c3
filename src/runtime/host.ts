// The host: machine and process underneath (clock, pid, env, signals); everything else takes these as arguments.
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

/** The real machine. */
export function systemHost(): Host {
  return { now: Date.now, pid: process.pid, env: process.env, cwd: process.cwd() }
}

/**
 * What tells a running process from a later one with the same id: when the machine and it were started. Empty where
 * the system does not tell, and undefined when no process has this id.
 */
export function processMark(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // One that may not be signalled runs as somebody else.
    if (isSystemError(error) && error.code === 'ESRCH') return undefined
  }
  try {
    // After the name, which may hold anything: state, and as the 20th field the ticks from boot to start.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    if (fields[0] === 'Z') return undefined
    return `${bootId()} ${fields[19]}`
  } catch {
    return pid === process.pid ? String(Math.round(performance.timeOrigin)) : ''
  }
}

/** Tells one run of a machine's system from every other. @throws where the system has none. */
function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

/**
 * What is the same for all processes that see each other by the same ids: those of one container, or of one machine
 * outside of containers. Of any other, nobody here can tell whether they run.
 */
export function processNamespace(): string {
  try {
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** The name that people know this machine or container by. */
export function hostName(): string {
  return hostname()
}

/** Signals every process of a group, which has the id of its first; a group that is gone needs none. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'ESRCH') throw error
  }
}

/** A name that nothing else has, on any machine: for what outlives this process, and never for what a seed decides. */
export function uniqueName(): string {
  return randomBytes(8).toString('hex')
}

/** Bytes that nobody can guess: for the keys of partners, which are the one thing that no seed may decide. */
export function randomSecret(size: 16 | 32): string {
  return randomBytes(size).toString('hex')
}

/** A path as a person would type it from a folder. */
export function shownPath(path: string, folder: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}

/** A text for clients, which learn nothing of the machine: it names a file without its folder. @param path of the file. */
export function withoutFolder(text: string, path: string): string {
  return path === '' ? text : text.replaceAll(path, basename(path))
}

/** Whether a path leads to a folder that can be reached; opening the path reports why it cannot. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    if (isSystemError(error)) return false
    throw error
  }
}

/** A reading of a clock that only moves forward, in milliseconds; for durations, never for timestamps. */
export function monotonicNow(): number {
  return performance.now()
}

/** How much of the machine's memory this process takes, in bytes. */
export function residentMemory(): number {
  return process.memoryUsage.rss()
}

/**
 * The folder of this package, where `fixtures/` and `scenarios/` are: the nearest one upward with a package.json,
 * whether the code runs from `src` or bundled from `dist`.
 */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

let version: string | undefined

/** The version of this package. */
export function packageVersion(): string {
  if (version === undefined) {
    const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8')
    version = /"version":\s*"([^"]+)"/.exec(text)?.[1] ?? '0.0.0'
  }
  return version
}

/** Whether a failure is one of the operating system, with a code such as EADDRINUSE. */
export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
}
