// Starts a child process, forwards signals to it and returns its exit code.
import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { signalGroup } from './host.ts'
import { wait } from './wait.ts'

/** The signals that request the end of a process and that it can forward. */
export type StopSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP'

/** A started program. */
export interface Program {
  /**
   * Resolves when the program has ended: to its exit code, or to 128 plus the number of the signal that ended it, as in
   * a shell.
   */
  readonly ended: Promise<number>
  kill(signal: StopSignal | 'SIGKILL'): void
}

/** The options of a start. */
export interface ProgramOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /**
   * Receives the output of both streams. The program then has no stdin, and a process group of its own: keys of the
   * terminal do not reach it, a signal reaches all its child processes, and they end with it. Without this callback,
   * the program shares streams and terminal with this process.
   */
  onOutput?: (chunk: Uint8Array) => void
}

/**
 * Starts a program, without a shell in between.
 * @throws the system error, such as ENOENT if there is no such program.
 */
export type StartProgram = (
  command: readonly [string, ...string[]],
  options: ProgramOptions,
) => Promise<Program>

/** A program in a session of its own, which continues when this process ends. */
export interface Detached {
  readonly pid: number
  /** The first line of its output, with the line break; undefined if the program ends without one. */
  readonly firstLine: Promise<string | undefined>
  /** Returns its output on stderr so far. */
  errors(): string
  readonly ended: Promise<number>
  kill(signal: StopSignal): void
  /** Detaches from the program: its output is no longer read, and it does not keep this process alive. */
  release(): void
}

/** Starts a detached program, as `StartProgram` does. It has no stdin. */
export type StartDetached = (
  command: readonly [string, ...string[]],
  options: Omit<ProgramOptions, 'onOutput'>,
) => Promise<Detached>

export const startDetached: StartDetached = async ([file, ...args], { cwd, env }) => {
  const child = spawn(file, args, {
    cwd,
    env: { ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout, stderr } = child
  let [out, errors] = ['', '']
  stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = new Promise<number>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
  const firstLine = new Promise<string | undefined>((resolve) => {
    stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      const end = out.indexOf('\n')
      if (end !== -1) resolve(out.slice(0, end + 1))
    })
    void ended.then(() => resolve(undefined))
  })
  await spawned(child)
  return {
    pid: child.pid ?? 0,
    firstLine,
    errors: () => errors,
    ended,
    kill: (signal) => void child.kill(signal),
    release: () => {
      stdout.destroy()
      stderr.destroy()
      child.unref()
    },
  }
}

/** The time in milliseconds for which the output of an ended program may stay open, held by its child processes. */
const drainMs = 1_000

export const startProgram: StartProgram = async ([file, ...args], { cwd, env, onOutput }) => {
  const child = spawn(file, args, {
    cwd,
    env: { ...env },
    ...(onOutput ? { stdio: ['ignore', 'pipe', 'pipe'], detached: true } : { stdio: 'inherit' }),
  })
  const ended = exitOf(child).then(async (code) => {
    if (onOutput) await drained(child)
    return code
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => onOutput?.(chunk))
  await spawned(child)
  return {
    ended,
    kill: (signal) => {
      if (onOutput && child.pid !== undefined) signalGroup(child.pid, signal)
      else child.kill(signal)
    },
  }
}

/** @throws the system error. */
async function spawned(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  // After the start only a signal can fail, as the program has ended.
  child.on('error', () => undefined)
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}

/** Kills the rest of the process group, and waits until all output is read. */
async function drained(child: ChildProcess): Promise<void> {
  const closed = new AbortController()
  child.once('close', () => closed.abort())
  if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
  if (child.stdout?.closed && child.stderr?.closed) return
  // A process that left the group continues and may still hold the output open.
  await wait(drainMs, closed.signal)
  child.stdout?.destroy()
  child.stderr?.destroy()
}
