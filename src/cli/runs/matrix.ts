// The verb matrix: runs a suite with each alternative value of each assumption, to find those that it rests on.
import { refusePartners } from './refuse-partners.ts'
import { alternativesTo, alternativeText, type Alternative } from './alternatives.ts'
import type { TestName } from '../../call/test-of-call.ts'
import { testKey } from '../../call/test-result.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import { formatProblems } from '../../input/problems.ts'
import { AssumptionError, overridden } from '../../input/resolve-assumptions.ts'
import { OptionsError } from '../../options/read-options.ts'
import { reportOutsideSandbox } from '../../sandbox/runs/run-folder.ts'
import { assumptionsInForce } from '../../sandbox/assumptions-in-force.ts'
import type { CommandLine } from './command.ts'
import { isExercised, testsOn } from './exercised.ts'
import { CliError, exitCodes, type ProgramIo } from '../io.ts'
import { jsonLines } from '../json.ts'
import { terminalSafe } from '../output.ts'
import { runOnce, type Suite } from './matrix-run.ts'
import { matrixJson, matrixTable, resultText, type Matrix, type MatrixRow } from './matrix-table.ts'
import { noCallsText } from './run-summary.ts'
import { readSettings, type FlagValues } from '../settings.ts'
import { realTiming } from '../timing.ts'

/** With another value, a suite may wait forever: its timeout is this minimum, or a multiple of its usual duration. */
const runTimeout = { minMs: 60_000, times: 10 }

/**
 * A suite that fails with an alternative value rests on something that the contract does not promise.
 * @returns the code of the suite if it fails with the current values; 6 if it rests on an assumption, or made no call.
 */
export async function matrix(
  command: CommandLine,
  flags: FlagValues,
  io: ProgramIo,
  timing = realTiming,
): Promise<number> {
  const options = { ...(await readSettings(flags, io, 'matrix')), data: undefined }
  refusePartners(options, 'matrix')
  const { values: inForce, provenance } = await assumptionsInForce(options, {
    onWarning: (warning) => io.stderr(`${formatProblems([], 'text', 0, [warning])}\n`),
  })
  const alternatives = chosen(inForce, flags['only'])
  const isAll = flags['only'] !== undefined || flags['all'] === true
  const format = String(flags['format'] ?? 'text')
  const jobs = jobsOf(flags['jobs'])
  const suite = { command, options, io, timing }
  const stopping = new AbortController()
  void io.stopped.then(() => stopping.abort())
  const { signal: stopped } = stopping
  reportOutsideSandbox(io.env, 'matrix')

  const began = timing.now()
  const baseline = await runOnce(suite, Number.POSITIVE_INFINITY)
  const elapsed = timing.now() - began
  if (stopped.aborted) return exitCodes.interrupted
  io.stderr(`As it is: ${baseline.code === 0 ? 'pass' : 'fail'} (${seconds(elapsed)})\n`)
  const { calls } = baseline.tally
  const isKnown = ({ id }: Alternative): boolean => !isAll && provenance.get(id)?.observed !== undefined
  const known = alternatives.filter(isKnown)
  const open = alternatives.filter((alternative) => !isKnown(alternative))
  const report = async (rows: readonly MatrixRow[], notExercised: readonly Alternative[]): Promise<void> => {
    const found: Matrix = {
      base: baseline.code === 0,
      calls,
      rows,
      notExercised: idsOf(notExercised),
      calibrated: idsOf(known),
    }
    if (format === 'json') io.stdout(jsonLines(matrixJson(found)))
    else if (format === 'html') io.stdout((await import('./matrix-html.ts')).matrixHtml(found, inForce))
    else io.stdout(terminalSafe(`\n${matrixTable(found, inForce)}`))
  }
  if (baseline.code !== 0) {
    if (format !== 'text') await report([], [])
    io.stderr(baseline.output)
    io.stderr(`error: the suite fails with the current values (exit ${baseline.code}): make it pass first\n`)
    return baseline.code
  }
  if (calls === 0) {
    if (format !== 'text') await report([], open)
    io.stderr(`${noCallsText(baseline.tally).join('\n')}\n`)
    io.stderr('error: the suite makes no call, so no value can make a difference: let it call SANDBOX_URL\n')
    return exitCodes.gateFailed
  }
  const isTried = ({ id }: Alternative): boolean => isAll || isExercised(id, baseline.tally, inForce)
  const tried = open.filter(isTried)
  const most = Math.max(runTimeout.minMs, runTimeout.times * elapsed)
  const results = await tryAll({ suite, most, stopped, isText: format === 'text' }, tried, jobs)
  const rows = results.map(({ failed, ...row }) => {
    const stillFailed = failed.filter((test) => baseline.tally.tests.get(testKey(test))?.result !== 'failed')
    return {
      ...row,
      exercised: isExercised(row.id, baseline.tally, inForce),
      tests: stillFailed.length > 0 ? stillFailed : testsOn(row.id, baseline.tally),
    }
  })
  await report(
    rows,
    open.filter((alternative) => !isTried(alternative)),
  )
  if (stopped.aborted) {
    const rest = rows.filter(({ passed }) => passed === undefined).map(alternativeText)
    if (rest.length > 0) io.stderr(`Interrupted: --only ${rest.join(',')} runs the rest.\n`)
    return exitCodes.interrupted
  }
  return rows.some(({ passed }) => passed === false) ? exitCodes.gateFailed : exitCodes.fine
}

/** @throws {OptionsError} for an unknown assumption, or one without alternatives. */
function chosen(inForce: Assumptions, only: unknown): Alternative[] {
  const words = Array.isArray(only) ? only.map(String) : []
  try {
    return alternativesTo(inForce, words)
  } catch (error) {
    if (!(error instanceof AssumptionError)) throw error
    throw new OptionsError(`--only: ${error.message}`)
  }
}

/** Maximum of --jobs. */
const maxJobs = 64

function jobsOf(text: unknown): number {
  if (text === undefined) return 1
  const jobs = /^\d{1,2}$/.test(String(text)) ? Number(text) : 0
  if (jobs >= 1 && jobs <= maxJobs) return jobs
  throw new CliError(`error: --jobs: '${String(text)}' must be an integer from 1 to ${maxJobs}`)
}

function idsOf(alternatives: readonly Alternative[]): string[] {
  return [...new Set(alternatives.map(({ id }) => id))]
}

/** The common options of all runs with alternative values. */
interface Runs {
  suite: Suite
  /** Timeout of each run (ms). */
  most: number
  stopped: AbortSignal
  isText: boolean
}

/** The result of a run with a value. */
interface Trial extends Alternative {
  passed: boolean | undefined
  /** The tests that failed, if the kit of the suite reports results. */
  failed: TestName[]
}

/** Runs a suite with each value, so many in parallel, until interrupted, and reports progress. */
async function tryAll(trials: Runs, alternatives: readonly Alternative[], jobs: number): Promise<Trial[]> {
  const { suite, stopped, isText } = trials
  const { io, timing } = suite
  const began = timing.now()
  const results = alternatives.map((each): Trial => ({ ...each, passed: undefined, failed: [] }))
  let next = 0
  const work = async (): Promise<void> => {
    while (next < alternatives.length) {
      const place = next++
      const alternative = alternatives[place]
      if (!alternative) return
      if (stopped.aborted) continue
      const setting = alternativeText(alternative)
      const elapsed = seconds(timing.now() - began)
      io.stderr(`[${place + 1}/${alternatives.length}] ${setting}, after ${elapsed}\n`)
      const result = await tryOne(trials, alternative)
      results[place] = result
      if (result.passed !== undefined && isText) io.stdout(`${setting} ${resultText(result.passed)}\n`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return results
}

/** Runs the suite with a value; the result is unknown if it was interrupted. */
async function tryOne({ suite, most, stopped }: Runs, alternative: Alternative): Promise<Trial> {
  const { options, io } = suite
  const assume = overridden(options.assume, { [alternative.id]: alternative.value })
  // The description of events, and the form of the secret, belong to the value that is replaced.
  const isKept = alternative.id !== 'webhook_events'
  const [webhooks, webhookSecret] = isKept ? [options.webhooks, options.webhookSecret] : []
  const text = alternativeText(alternative)
  const run = { ...suite, options: { ...options, assume, webhooks, webhookSecret } }
  const { code, output, tally } = await runOnce(run, most, text)
  if (stopped.aborted) return { ...alternative, passed: undefined, failed: [] }
  const passed = code === 0
  if (!passed) io.stderr(`${text} fails:\n${output}`)
  const failed = [...tally.tests.values()]
    .filter(({ result }) => result === 'failed')
    .map(({ name, file }) => ({ name, file }))
  return { ...alternative, passed, failed }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
