import { resolve } from 'node:path'
import { alternativesTo, alternativeText, type Alternative } from './alternatives.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import { AssumptionError, resolveAssumptions } from '../../reading/resolve-assumptions.ts'
import type { CommandSettings } from '../../options/index.ts'
import { OptionsError } from '../../options/read-options.ts'
import { monotonicNow } from '../../runtime/host.ts'
import type { CommandLine } from './command.ts'
import { exitCodes, type ProgramIo } from '../io.ts'
import { MatrixFile } from './matrix-file.ts'
import { runOnce, type SuiteRun } from './matrix-run.ts'
import { matrixTable, resultText, type MatrixRow } from './matrix-table.ts'
import { readSettings, type FlagValues } from '../settings.ts'
import { realTiming, type Timing } from './supervise.ts'

/** Another value may have a suite wait for ever; this long is waited at least, or so many times as long as usual. */
const patience = { leastMs: 60_000, times: 10 }

/** How time passes. */
export interface MatrixTiming extends Timing {
  now(): number
}

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
  timing: MatrixTiming = { ...realTiming, now: monotonicNow },
): Promise<number> {
  const options = { ...(await readSettings(flags, io)), data: undefined }
  const inForce = resolveAssumptions(options.assume)
  const alternatives = chosen(inForce, flags['only'])
  const resume = typeof flags['resume'] === 'string' ? resolve(io.cwd, flags['resume']) : undefined
  const file = resume === undefined ? undefined : await MatrixFile.open(resume, io.cwd, command, options)
  const suite = new Suite(command, options, io, timing)

  const usual = await suite.run({}, Number.POSITIVE_INFINITY)
  if (suite.isStopped) return exitCodes.interrupted
  io.stderr(`As it is: ${usual.code === 0 ? 'pass' : 'fail'} (${seconds(usual.elapsed)})\n`)
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
  const most = Math.max(patience.leastMs, patience.times * usual.elapsed)
  const rows = await suite.tryAll(alternatives, file, most)
  io.stdout(`\n${matrixTable(rows, inForce)}`)
  if (suite.isStopped) {
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

/** A suite that is run again and again. */
class Suite {
  readonly #command: CommandLine
  readonly #options: CommandSettings
  readonly #io: ProgramIo
  readonly #timing: MatrixTiming
  isStopped = false

  constructor(command: CommandLine, options: CommandSettings, io: ProgramIo, timing: MatrixTiming) {
    this.#command = command
    this.#options = options
    this.#io = io
    this.#timing = timing
    void io.stopped.then(() => (this.isStopped = true))
  }

  /** Runs it with these values in place of those in force. */
  async run(assume: CommandSettings['assume'], most: number): Promise<SuiteRun & { elapsed: number }> {
    const began = this.#timing.now()
    const options = { ...this.#options, assume: { ...this.#options.assume, ...assume } }
    const run = await runOnce(this.#command, options, this.#io, most, this.#timing)
    return { ...run, elapsed: this.#timing.now() - began }
  }

  /** Runs it with each value, as long as nobody stops it, and says how it went. */
  async tryAll(
    alternatives: readonly Alternative[],
    file: MatrixFile | undefined,
    most: number,
  ): Promise<MatrixRow[]> {
    const began = this.#timing.now()
    const rows: MatrixRow[] = []
    for (const [place, alternative] of alternatives.entries()) {
      const setting = alternativeText(alternative)
      const known = file?.resultOf(setting)
      if (known === undefined && this.isStopped) {
        rows.push({ ...alternative, passed: undefined })
        continue
      }
      const since = known === undefined ? `after ${seconds(this.#timing.now() - began)}` : 'as it was before'
      this.#io.stderr(`[${place + 1}/${alternatives.length}] ${setting}, ${since}\n`)
      const passed = known ?? (await this.#try(alternative, file, most))
      rows.push({ ...alternative, passed })
      if (known !== undefined) this.#io.stdout(`${setting} ${resultText(known)}\n`)
    }
    return rows
  }

  async #try(
    alternative: Alternative,
    file: MatrixFile | undefined,
    most: number,
  ): Promise<boolean | undefined> {
    const setting = alternativeText(alternative)
    const { code, output } = await this.run({ [alternative.id]: alternative.value }, most)
    // What was interrupted has failed for no reason of its own.
    if (this.isStopped) return undefined
    const passed = code === 0
    this.#io.stdout(`${setting} ${resultText(passed)}\n`)
    if (!passed) this.#io.stderr(output)
    await file?.add({ setting, passed })
    return passed
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
