// The verb matrix: runs a suite with each other value of each assumption, to find what it rests on.
import { refusePartners } from './refuse-partners.ts'
import { alternativesTo, alternativeText, type Alternative } from './alternatives.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import { formatProblems } from '../../input/problems.ts'
import { AssumptionError } from '../../input/resolve-assumptions.ts'
import { OptionsError } from '../../options/read-options.ts'
import { reportOther } from '../../sandbox/runs/run-folder.ts'
import { assumptionsInForce } from '../../sandbox/assumptions-in-force.ts'
import type { CommandLine } from './command.ts'
import { isExercised } from './exercised.ts'
import { CliError, exitCodes, type ProgramIo } from '../io.ts'
import { jsonLines } from '../json.ts'
import { runOnce, type Suite } from './matrix-run.ts'
import { matrixJson, matrixTable, resultText, type MatrixRow } from './matrix-table.ts'
import { noCallsText } from './run-summary.ts'
import { readSettings, type FlagValues } from '../settings.ts'
import { realTiming } from '../timing.ts'

/** Another value may have a suite wait for ever; this long is waited at least, or so many times as long as usual. */
const patience = { minMs: 60_000, times: 10 }

/**
 * Where it fails with another value, it rests on something that the contract does not promise.
 * @returns the code of the suite when it fails as it is; 6 when it rests on an assumption, and when it made no call.
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
  const isJson = flags['format'] === 'json'
  const jobs = jobsOf(flags['jobs'])
  const suite = { command, options, io, timing }
  const stopping = new AbortController()
  void io.stopped.then(() => stopping.abort())
  const { signal: stopped } = stopping
  reportOther(io.env, 'matrix')

  const began = timing.now()
  const usual = await runOnce(suite, Number.POSITIVE_INFINITY)
  const elapsed = timing.now() - began
  if (stopped.aborted) return exitCodes.interrupted
  io.stderr(`As it is: ${usual.code === 0 ? 'pass' : 'fail'} (${seconds(elapsed)})\n`)
  const { calls } = usual.tally
  const isKnown = ({ id }: Alternative): boolean => !isAll && typeof provenance.get(id) === 'object'
  const known = alternatives.filter(isKnown)
  const open = alternatives.filter((alternative) => !isKnown(alternative))
  const tell = (rows: readonly MatrixRow[], notExercised: readonly Alternative[]): void => {
    const found = {
      base: usual.code === 0,
      calls,
      rows,
      notExercised: idsOf(notExercised),
      calibrated: idsOf(known),
    }
    io.stdout(isJson ? jsonLines(matrixJson(found)) : `\n${matrixTable(found, inForce)}`)
  }
  if (usual.code !== 0) {
    if (isJson) tell([], [])
    io.stderr(usual.output)
    io.stderr(
      `error: the suite fails as it is (exit ${usual.code}), so other values would tell nothing: make it pass first\n`,
    )
    return usual.code
  }
  if (calls === 0) {
    if (isJson) tell([], open)
    io.stderr(`${noCallsText(usual.tally).join('\n')}\n`)
    io.stderr('error: no value can make a difference to a suite that makes no call\n')
    return exitCodes.gateFailed
  }
  const isTried = ({ id }: Alternative): boolean => isAll || isExercised(id, usual.tally)
  const tried = open.filter(isTried)
  const most = Math.max(patience.minMs, patience.times * elapsed)
  const results = await tryAll({ suite, most, stopped, isJson }, tried, jobs)
  const rows = results.map((row) => ({ ...row, exercised: isExercised(row.id, usual.tally) }))
  tell(
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

/** @throws {OptionsError} for a word that names no assumption that could be otherwise. */
function chosen(inForce: Assumptions, only: unknown): Alternative[] {
  const words = Array.isArray(only) ? only.map(String) : []
  try {
    return alternativesTo(inForce, words)
  } catch (error) {
    if (!(error instanceof AssumptionError)) throw error
    throw new OptionsError(`--only: ${error.message}`)
  }
}

/** More at once than any machine has room for. */
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

/** What all runs with another value have in common. */
interface Trials {
  suite: Suite
  /** How many milliseconds each may take. */
  most: number
  stopped: AbortSignal
  isJson: boolean
}

/** Runs a suite with each value, so many at once, as long as nobody stops it, and says how it went. */
async function tryAll(
  trials: Trials,
  alternatives: readonly Alternative[],
  jobs: number,
): Promise<Omit<MatrixRow, 'exercised'>[]> {
  const { suite, stopped, isJson } = trials
  const { io, timing } = suite
  const began = timing.now()
  const passed: (boolean | undefined)[] = alternatives.map(() => undefined)
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
      passed[place] = result
      if (result !== undefined && !isJson) io.stdout(`${setting} ${resultText(result)}\n`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return alternatives.map((alternative, place) => ({ ...alternative, passed: passed[place] }))
}

/** Whether the suite passes with a value; undefined when it was interrupted, and has failed for no reason of its own. */
async function tryOne(
  { suite, most, stopped }: Trials,
  alternative: Alternative,
): Promise<boolean | undefined> {
  const { options, io } = suite
  const assume = { ...options.assume, [alternative.id]: alternative.value }
  const { code, output } = await runOnce({ ...suite, options: { ...options, assume } }, most)
  if (stopped.aborted) return undefined
  const passed = code === 0
  if (!passed) io.stderr(`${alternativeText(alternative)} fails:\n${output}`)
  return passed
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
