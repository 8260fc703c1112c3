// Starts a child process, hands signals on and tells its exit code.
import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { signalGroup } from './host.ts'
import { wait } from './wait.ts'

/** The signals by which a process is asked to end, and that it can hand on. */
export type StopSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP'

/** A program that was started. */
export interface Program {
  /** Settles when it is gone: its exit code, or 128 and the number of the signal that ended it, as shells have it. */
  readonly ended: Promise<number>
  kill(signal: StopSignal | 'SIGKILL'): void
}

/** How a program is started. */
export interface ProgramOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /**
   * Takes what it prints, on both streams. The program then reads nothing and has a process group of its own: no key
   * of a terminal reaches it, a signal reaches all that it starts, and what it leaves behind ends with it. Without it,
   * the program shares streams and terminal with this one.
   */
  onOutput?: (chunk: Uint8Array) => void
}

/**
 * Starts a program, without a shell in between.
 * @throws the failure of the system, such as ENOENT when there is no such program.
 */
export type StartProgram = (
  command: readonly [string, ...string[]],
  options: ProgramOptions,
) => Promise<Program>

/** A program that goes on when this one has ended, in a session of its own. */
export interface Detached {
  readonly pid: number
  /** The first line that it prints, with its end; undefined when it ends without one. */
  readonly firstLine: Promise<string | undefined>
  /** What it printed on stderr so far. */
  errors(): string
  readonly ended: Promise<number>
  kill(signal: StopSignal): void
  /** Leaves it to itself: nothing that it prints is read any longer, and this process may end. */
  release(): void
}

/** Starts one, as `StartProgram` does; it reads nothing. */
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

/** How long the output of a program that is gone may stay open, held by what it has started. */
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

/** @throws the failure of the system. */
async function spawned(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  // From here on only a signal can fail, as the program is gone.
  child.on('error', () => undefined)
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}

/** Waits until all output is read. */
async function drained(child: ChildProcess): Promise<void> {
  const closed = new AbortController()
  child.once('close', () => closed.abort())
  if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
  if (child.stdout?.closed && child.stderr?.closed) return
  // What left the group on purpose lives on, with the output in its hands.
  await wait(drainMs, closed.signal)
  child.stdout?.destroy()
  child.stderr?.destroy()
}
