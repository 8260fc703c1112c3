// The verb exec: runs a command beside a sandbox of its own, then says what it exercised, and gates on it.
import type { CommandSettings } from '../../options/index.ts'
import type { Sandbox } from '../../sandbox/index.ts'
import { childEnvironment } from './child-environment.ts'
import { startCommand, type CommandLine } from './command.ts'
import { CliError, exitCodes, type Io, type ProgramIo } from '../io.ts'
import { requireWritable, writeReports } from './report-files.ts'
import { failedGates, summaryText, type RunResults } from './run-summary.ts'
import { cannotSave, serveWhile, type Serving } from '../serve/serving.ts'
import { readSettings, type FlagValues } from '../settings.ts'
import { supervise } from './supervise.ts'

/** What is known of a run when its command has ended. */
interface Ran {
  sandbox: Sandbox
  /** The exit code of the command. */
  code: number
}

/**
 * Stdout belongs to the command, which may be one of a pipe: all that the sandbox has to say goes to stderr, also the
 * line that says where it listens.
 *
 * @returns the code of the command when it is not 0, else 6 when a gate failed.
 */
export async function exec(command: CommandLine, flags: FlagValues, io: ProgramIo): Promise<number> {
  const options = await readSettings(flags, io, 'exec')
  await requireWritable(options.report, io.cwd)
  let ran: Ran | undefined
  let failure: CliError | undefined
  try {
    await serveWhile(options, io, async (serving) => {
      ran = { sandbox: serving.sandbox, code: await runIn(serving, command, options, io) }
      // Whether that happened by now.
      const lost = await Promise.race([serving.lost, undefined])
      if (lost) throw cannotSave(lost)
    })
  } catch (error) {
    // What the command did is told also when its changes cannot be saved.
    if (!ran || !(error instanceof CliError)) throw error
    failure = error
  }
  if (!ran) return exitCodes.interrupted
  return conclude(ran, failure, options, io)
}

async function runIn(
  { sandbox, server, log, firstLine, follow, lost }: Serving,
  command: CommandLine,
  options: CommandSettings,
  io: ProgramIo,
): Promise<number> {
  io.stderr(firstLine)
  log.ready(sandbox)
  const { env, problem } = childEnvironment(sandbox, server, options, io.env)
  if (problem !== undefined) log.problem(problem)
  log.flush()
  void follow()
  const start = () => startCommand(command, io, { env })
  return supervise(start, io, { sharesTerminal: true, endEarly: lost })
}

/** Says what became of the run, writes the reports, and decides on the exit code. */
async function conclude(
  { sandbox, code }: Ran,
  failure: CliError | undefined,
  options: CommandSettings,
  io: Io,
): Promise<number> {
  // The sandbox is closed: requests to paste are for one that is started again, and no longer for its port.
  const results: RunResults = {
    coverage: await sandbox.coverage.get(),
    unfired: sandbox.findings.unfiredRules(),
    unmatched: sandbox.findings.unmatchedCalls(),
  }
  const failed = failedGates(results, options)
  if (options.logFormat === 'json') io.stderr(`${JSON.stringify(summaryEvent(results, failed, code))}\n`)
  else io.stderr(summaryText(results))
  const problems = failure ? [failure] : []
  try {
    await writeReports(sandbox.coverage, options.report, io.cwd)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    problems.push(error)
  }
  for (const { message } of problems) io.stderr(`${message}\n`)
  if (options.logFormat === 'pretty') for (const gate of failed) io.stderr(`error: ${gate}\n`)
  if (code !== 0) return code
  return problems[0]?.exitCode ?? (failed.length > 0 ? exitCodes.gateFailed : exitCodes.fine)
}

function summaryEvent({ coverage, unfired, unmatched }: RunResults, failed: string[], code: number): object {
  const { total, covered, percent } = coverage
  return {
    event: 'summary',
    command_exit_code: code,
    coverage: { total, covered, percent },
    unfired_rules: unfired,
    unmatched_calls: unmatched,
    failed_gates: failed,
  }
}
