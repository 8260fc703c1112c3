// The verb exec: runs a command with a sandbox of its own, then reports its coverage, and applies gates to it.
import type { CommandSettings } from '../../options/index.ts'
import { refusePartners } from './refuse-partners.ts'
import { holdsCalls, reportKindOf } from '../../options/report-files.ts'
import { reportOutsideSandbox } from '../../sandbox/runs/run-folder.ts'
import type { RunTally } from '../../sandbox/runs/run-tally.ts'
import { shownPath } from '../../runtime/host.ts'
import type { Verbs } from '../../operations/index.ts'
import { openCoverageGates, type CoverageGates } from '../coverage-gates.ts'
import { CliError, exitCodes, type Io, type ProgramIo } from '../io.ts'
import { cannotSave, serveWhile, type Serving } from '../serve/serving.ts'
import { readSettings, type FlagValues } from '../settings.ts'
import { childEnvironment } from './child-environment.ts'
import { withTrust } from './trust-files.ts'
import { startCommand, type CommandLine } from './command.ts'
import { requireWritable, writeReports } from './report-files.ts'
import { runCoverage } from './run-coverage.ts'
import { strictGates, summaryText, verdictOf, type RunResults } from './run-summary.ts'
import { withRun, type Run } from './run.ts'
import { supervise } from './supervise.ts'
import { removeTraces } from './trace-folder.ts'

/** The results of a run after its command has ended. */
interface CommandResult {
  sandbox: Verbs
  /** The exit code of the command. */
  code: number
}

/**
 * Stdout belongs to the command, which may be part of a pipe: all output of the sandbox goes to stderr, including its
 * first line.
 *
 * @returns the code of the command if it is not 0, or 6 if a gate failed.
 */
export async function exec(command: CommandLine, flags: FlagValues, io: ProgramIo): Promise<number> {
  const options = await readSettings(flags, io, 'exec')
  refusePartners(options, 'exec')
  await requireWritable('--report', options.report, io.cwd)
  if (options.traceDir !== undefined) await removeTraces(options.traceDir, io.cwd)
  reportOutsideSandbox(io.env, 'exec')
  const keeps = {
    journal: options.report.some(holdsCalls),
    explanations: options.report.some((file) => reportKindOf(file) === 'trace'),
  }
  return withRun(options, keeps, io, (run) => execIn(run, command, options, io))
}

async function execIn(
  run: Run,
  command: CommandLine,
  options: CommandSettings,
  io: ProgramIo,
): Promise<number> {
  let ran: CommandResult | undefined
  let gates: CoverageGates | undefined
  let failure: CliError | undefined
  const serve = async (serving: Serving): Promise<void> => {
    const sandbox = await serving.sandbox.operations()
    gates = await openCoverageGates(options, sandbox.contract(), io.cwd)
    ran = { sandbox, code: await runIn(serving, sandbox, run, command, options, io) }
    // Whether that happened by now.
    const lost = await Promise.race([serving.lost, undefined])
    if (lost) throw cannotSave(lost)
  }
  try {
    await serveWhile(options, io, serve, run.watcher)
  } catch (error) {
    // The summary is printed even if changes cannot be saved.
    if (!ran || !(error instanceof CliError)) throw error
    failure = error
  }
  if (!ran || !gates) return exitCodes.interrupted
  return conclude(ran, await run.gather(), gates, failure, options, io)
}

async function runIn(
  { sandbox, server, certificate, log, firstLine, follow, lost }: Serving,
  { home }: Verbs,
  run: Run,
  command: CommandLine,
  options: CommandSettings,
  io: ProgramIo,
): Promise<number> {
  io.stderr(firstLine)
  log.ready(sandbox)
  // With a store, `default` is not open before the command uses it.
  const { env, problem } = childEnvironment(home, server, options, io.env)
  if (problem !== undefined) log.problem(problem)
  log.flush()
  void follow()
  return withTrust(certificate?.caFile, io.env, (trust) => {
    const start = () => startCommand(command, io, { env: { ...env, ...trust, ...run.env } })
    return supervise(start, io, { sharesTerminal: true, endEarly: lost })
  })
}

/** Prints the summary of the run, writes the reports, and decides about the exit code. */
async function conclude(
  { sandbox, code }: CommandResult,
  tally: RunTally,
  gates: CoverageGates,
  failure: CliError | undefined,
  options: CommandSettings,
  io: Io,
): Promise<number> {
  const results: RunResults = {
    // The sandbox is closed: requests to paste are for a sandbox that is started again, not for this port.
    coverage: gates.narrow(runCoverage(await sandbox.coverage.get(), tally)),
    tally,
    page: pageReportOf(options.report, io.cwd),
  }
  const problems = failure ? [failure] : []
  const attempt = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      problems.push(error)
      return undefined
    }
  }
  const failed = await failedGates(results, code, gates, options, attempt)
  const verdict = verdictOf(tally, code, failed)
  if (options.logFormat === 'json') io.stderr(`${JSON.stringify(summaryEvent(results, failed, code))}\n`)
  else io.stderr(summaryText(results))
  const { calls, http, inProcess } = tally
  const run = { calls, http, in_process: inProcess, verdict }
  await attempt(() => writeReports({ ...results, sandbox, run }, options.report, io.cwd))
  for (const { message } of problems) io.stderr(`${message}\n`)
  if (options.logFormat === 'pretty') for (const gate of failed) io.stderr(`error: ${gate}\n`)
  if (code !== 0) return code
  return problems[0]?.exitCode ?? (failed.length > 0 ? exitCodes.gateFailed : exitCodes.fine)
}

/** The report for people, under the name that they would type. */
function pageReportOf(files: readonly string[], cwd: string): string | undefined {
  const page = ['html', 'trace'].flatMap((kind) => files.find((file) => reportKindOf(file) === kind) ?? [])[0]
  return page && shownPath(page, cwd)
}

/** Why the run fails. Without a call no gate was checked: reporting gates would hide that. */
async function failedGates(
  { coverage, tally }: RunResults,
  code: number,
  gates: CoverageGates,
  { strict }: Pick<CommandSettings, 'strict'>,
  attempt: <T>(act: () => Promise<T>) => Promise<T | undefined>,
): Promise<string[]> {
  if (tally.calls === 0) {
    const isGated = code === 0 && (gates.isGate || strict)
    return isGated ? ['no contract point was exercised, so no gate can pass'] : []
  }
  const found = strict ? strictGates(tally) : []
  const keepBaseline = code === 0 && found.length === 0
  const missed = await attempt(() => gates.check(coverage, { mayWriteBaseline: keepBaseline }))
  return [...(missed ?? []), ...found]
}

function summaryEvent({ coverage, tally }: RunResults, failed: string[], code: number): object {
  const { total, covered, percent } = coverage
  const { calls, http, inProcess } = tally
  return {
    event: 'summary',
    command_exit_code: code,
    calls: { total: calls, http, in_process: inProcess },
    coverage: { total, covered, percent },
    refusals: tally.refusals(),
    unfired_rules: tally.unfiredRules(),
    unmatched_calls: { total: tally.unmatched.total, kinds: tally.unmatched.list() },
    failed_gates: failed,
  }
}
