// The command after `--`: whether there is one, and why it cannot be started.
import { isSystemError } from '../../runtime/host.ts'
import type { Program, ProgramOptions } from '../../runtime/program.ts'
import { CliError, exitCodes, type ProgramIo } from '../io.ts'
import { terminalSafe } from '../output.ts'

/** A program with its arguments after `--`. */
export type CommandLine = readonly [string, ...string[]]

/**
 * Returns the command that a verb runs.
 * @param before the arguments before `--` that are not options.
 * @throws {CliError} if there is none, with an example.
 */
export function requireCommand(
  verb: 'exec' | 'matrix',
  before: readonly string[],
  after: readonly string[] | undefined,
): CommandLine {
  const usage = (message: string): CliError => new CliError(`error: ${verb}: ${message}`)
  if (before.length > 0) {
    const words = terminalSafe([...before, ...(after ?? [])].join(' '))
    throw usage(`put -- before the command: partner-rewards-sandbox ${verb} -- ${words}`)
  }
  const [file = '', ...args] = after ?? []
  if (file !== '') return [file, ...args]
  throw usage(`no command to run: write it after --, as in partner-rewards-sandbox ${verb} -- npm test`)
}

/** Starts it. @throws {CliError} with the exit code of shells, if the program cannot be started. */
export async function startCommand(
  command: CommandLine,
  { startProgram, cwd }: Pick<ProgramIo, 'startProgram' | 'cwd'>,
  options: Omit<ProgramOptions, 'cwd'>,
): Promise<Program> {
  try {
    return await startProgram(command, { cwd, ...options })
  } catch (error) {
    throw cannotStart(command, error)
  }
}

function cannotStart([file]: CommandLine, error: unknown): unknown {
  if (!isSystemError(error)) return error
  const name = terminalSafe(file)
  if (error.code === 'ENOENT') {
    return new CliError(`error: cannot run '${name}': ${whyNotFound(name)}`, exitCodes.noSuchProgram)
  }
  const hint =
    error.code === 'EACCES'
      ? `it is not executable. Name its interpreter, as in -- node ${name}, or allow it with chmod +x`
      : 'the system refuses it. Name its interpreter, as in -- node FILE'
  return new CliError(`error: cannot run '${name}' (${error.code}): ${hint}`, exitCodes.cannotRun)
}

function whyNotFound(name: string): string {
  if (name.includes(' ')) {
    return `no program has this name. Remove the quotes (-- ${name}), or let a shell run the line (-- sh -c '${name}')`
  }
  if (name.includes('/')) {
    return 'the file does not exist, or the interpreter in its first line does not'
  }
  return `no folder of PATH has this program. Run a program of your project as -- npx ${name}`
}
