// The verb matrix: runs a suite with each other value of each assumption, to find what it rests on.
import { resolve } from 'node:path'
import { alternativesTo, alternativeText, type Alternative } from './alternatives.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import { AssumptionError, resolveAssumptions } from '../../reading/resolve-assumptions.ts'
import { OptionsError } from '../../options/read-options.ts'
import type { CommandLine } from './command.ts'
import { exitCodes, type ProgramIo } from '../io.ts'
import { openMatrixFile, type MatrixFile } from './matrix-file.ts'
import { runOnce, type Suite } from './matrix-run.ts'
import { matrixTable, resultText, type MatrixRow } from './matrix-table.ts'
import { readSettings, type FlagValues } from '../settings.ts'
import { realTiming } from '../timing.ts'

/** Another value may have a suite wait for ever; this long is waited at least, or so many times as long as usual. */
const patience = { leastMs: 60_000, times: 10 }

/**
 * Runs a suite once with the assumptions as they are, then once for each other value of each, and says with which ones
 * it fails: there it rests on something that the contract does not promise.
 *
 * @returns the code of the suite when it fails as it is; 6 when it rests on an assumption.
 */
export async function matrix(
  command: CommandLine,
  flags: FlagValues,
  io: ProgramIo,
  timing = realTiming,
): Promise<number> {
  const options = { ...(await readSettings(flags, io)), data: undefined }
  const inForce = resolveAssumptions(options.assume)
  const alternatives = chosen(inForce, flags['only'])
  const resume = typeof flags['resume'] === 'string' ? resolve(io.cwd, flags['resume']) : undefined
  const file = resume === undefined ? undefined : await openMatrixFile(resume, io.cwd, command, options)
  const suite = { command, options, io, timing }
  const stopping = new AbortController()
  void io.stopped.then(() => stopping.abort())
  const { signal: stopped } = stopping

  const began = timing.now()
  const usual = await runOnce(suite, Number.POSITIVE_INFINITY)
  const elapsed = timing.now() - began
  if (stopped.aborted) return exitCodes.interrupted
  io.stderr(`As it is: ${usual.code === 0 ? 'pass' : 'fail'} (${seconds(elapsed)})\n`)
  if (usual.code !== 0) {
    io.stderr(usual.output)
    io.stderr(
      `error: the suite fails as it is (exit ${usual.code}), so other values would tell nothing: make it pass first\n`,
    )
    return usual.code
  }
  if (!usual.called) {
    io.stderr(
      'warning: the suite made no call to the sandbox, so no value can make a difference: have it call the URL in SANDBOX_URL\n',
    )
  }
  const most = Math.max(patience.leastMs, patience.times * elapsed)
  const rows = await tryAll(suite, alternatives, file, most, stopped)
  io.stdout(`\n${matrixTable(rows, inForce)}`)
  if (stopped.aborted) {
    const hint = resume === undefined ? 'with --resume FILE it goes on where it was' : 'run it again to go on'
    io.stderr(`Interrupted: ${hint}.\n`)
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

/** Runs a suite with each value, as long as nobody stops it, and says how it went. */
async function tryAll(
  suite: Suite,
  alternatives: readonly Alternative[],
  file: MatrixFile | undefined,
  most: number,
  stopped: AbortSignal,
): Promise<MatrixRow[]> {
  const { io, timing, options } = suite
  const began = timing.now()
  const rows: MatrixRow[] = []
  for (const [place, alternative] of alternatives.entries()) {
    const setting = alternativeText(alternative)
    const add = (passed: boolean | undefined): void => {
      rows.push({ ...alternative, passed })
      if (passed !== undefined) io.stdout(`${setting} ${resultText(passed)}\n`)
    }
    const known = file?.resultOf(setting)
    if (known === undefined && stopped.aborted) {
      add(undefined)
      continue
    }
    const since = known === undefined ? `after ${seconds(timing.now() - began)}` : 'as it was before'
    io.stderr(`[${place + 1}/${alternatives.length}] ${setting}, ${since}\n`)
    if (known !== undefined) {
      add(known)
      continue
    }
    const assume = { ...options.assume, [alternative.id]: alternative.value }
    const { code, output } = await runOnce({ ...suite, options: { ...options, assume } }, most)
    const passed = code === 0
    // What was interrupted has failed for no reason of its own.
    add(stopped.aborted ? undefined : passed)
    if (stopped.aborted) continue
    if (!passed) io.stderr(output)
    await file?.add({ setting, passed })
  }
  return rows
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
