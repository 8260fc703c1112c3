// The command after `--`: whether there is one, and why it cannot be started.
import { isSystemError } from '../../runtime/host.ts'
import type { Program, ProgramOptions } from '../../runtime/program.ts'
import { CliError, exitCodes, type ProgramIo } from '../io.ts'
import { terminalSafe } from '../output.ts'

/** A program with its arguments, as it stands after `--`. */
export type CommandLine = readonly [string, ...string[]]

/**
 * The command that a verb is to run.
 * @param before what stood before `--` and is no option.
 * @throws {CliError} when there is none, saying how it is written.
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

/** Starts it. @throws {CliError} with the exit code that shells give, for a program that cannot be started. */
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
      ? `it may not be executed. Name what runs it, as in -- node ${name}, or allow it with chmod +x`
      : 'the system refuses it. Name what runs it, as in -- node FILE'
  return new CliError(`error: cannot run '${name}' (${error.code}): ${hint}`, exitCodes.cannotRun)
}

function whyNotFound(name: string): string {
  if (name.includes(' ')) {
    return `no program has this name. Leave the quotes out (-- ${name}), or have a shell read them (-- sh -c '${name}')`
  }
  if (name.includes('/')) {
    return 'there is no such file, or the program that its first line names is not there'
  }
  return `no folder of PATH has such a program. One of your project is run as -- npx ${name}`
}
