// What verbs may touch of the process: where they print, what they are told, signals, and exit codes.
import type { StartDetached, StartProgram, StopSignal } from '../runtime/program.ts'

export interface Io {
  /** Results and the first line; nothing else is ever written here. */
  stdout(text: string): void
  /** Everything a person reads. */
  stderr(text: string): void
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  pid: number
  /** The process runs this command and nothing else, so that its globals may be replaced. */
  ownsProcess?: boolean
  /** Whether stderr is a terminal that shows colours. */
  colour: boolean
  /** Resolves when the process is asked to end. */
  stopped: Promise<void>
  /** Asks it to end, as SIGTERM does. */
  stop(this: void): void
  /** Told that a sandbox serves: all that a start needs is loaded. */
  onServing?(): void
}

/** What a verb may touch beside that which runs a program. */
export interface ProgramIo extends Io {
  /** Whether a terminal is there, which sends Ctrl-C to every program that runs in it. */
  terminal: boolean
  /**
   * Calls back on each signal that asks the process to end, until the function that it gives is called. The second
   * SIGTERM or SIGINT ends the process as soon as all were called.
   */
  onSignal(listener: (signal: StopSignal) => void): () => void
  startProgram: StartProgram
}

/** All that the command line hands to verbs. */
export interface CommandIo extends ProgramIo {
  /** All that stdin holds. */
  readStdin(): Promise<Buffer>
  startDetached: StartDetached
  /** The process that started this one; another one once that is gone. */
  parentPid(): number
  /** The program that runs, and its arguments up to ours: what starts it once more. */
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
  /** A running sandbox could not be asked: nothing answers, or it does not let us in. */
  cannotAsk: 7,
  /** It answered, and has no such thing or is not well. */
  notThere: 8,
  bug: 70,
  cannotSave: 74,
  cannotRun: 126,
  noSuchProgram: 127,
  interrupted: 130,
} as const

/** Ends a verb with a message and an exit code, that of wrong usage unless it is named. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message)
    this.exitCode = exitCode
  }
}

/** What a person is told of a failure that is our mistake. */
export function bugText(error: unknown): string {
  return `error: this is a bug of the sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`
}
