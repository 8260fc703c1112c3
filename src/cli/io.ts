// The environment of a verb: output, variables, signals, and exit codes.
import type { StartDetached, StartProgram, StopSignal } from '../runtime/program.ts'

export interface Io {
  /** For results and the first line only. */
  stdout(text: string): void
  /** For all other messages. */
  stderr(text: string): void
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  pid: number
  /** The process runs only this command, so its globals may be replaced. */
  ownsProcess?: boolean
  /** Whether stderr is a terminal that shows colours. */
  colour: boolean
  /** Resolves when the process receives a signal to stop. */
  stopped: Promise<void>
  /** Stops the process like SIGTERM. */
  stop(this: void): void
}

/** The environment of a verb that runs a program. */
export interface ProgramIo extends Io {
  /** Whether there is a terminal, which sends Ctrl-C to every program that runs in it. */
  terminal: boolean
  /**
   * Calls back on each signal to stop, until the returned function is called. The second SIGTERM or SIGINT ends the
   * process after all callbacks.
   */
  onSignal(listener: (signal: StopSignal) => void): () => void
  startProgram: StartProgram
}

/** The environment of the whole command line. */
export interface CommandIo extends ProgramIo {
  /** Reads all of stdin. */
  readStdin(): Promise<Buffer>
  startDetached: StartDetached
  /** The parent process id; it changes when the parent ends. */
  parentPid(): number
  /** The program and its arguments before ours, with which it can be started again. */
  self: readonly [string, ...string[]]
}

export const exitCodes = {
  fine: 0,
  unexpected: 1,
  usage: 2,
  badFile: 3,
  cannotBind: 4,
  timedOut: 5,
  gateFailed: 6,
  /** Cannot use a running sandbox: no server answers, or it refuses access. */
  unreachable: 7,
  /** It answered that the object does not exist or is not healthy. */
  notFound: 8,
  bug: 70,
  cannotSave: 74,
  cannotRun: 126,
  noSuchProgram: 127,
  interrupted: 130,
} as const

/** Ends a verb with a message and an exit code, by default that of wrong usage. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Returns the message for a bug of ours. */
export function bugText(error: unknown): string {
  return `error: this is a bug of the sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`
}
