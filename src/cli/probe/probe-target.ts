// The common part of conform and calibrate: the target, the plan, progress, and the end of a run.
import { resolve } from 'node:path'
import { CannotBeAsked } from '../../probe/request-sender.ts'
import type { Plan } from '../../probe/planning.ts'
import { allowedClasses } from '../../probe/probe.ts'
import type { Progress } from '../../probe/run.ts'
import { thisMachine, type Machine, type ProbeOptions, type ProbeReport } from '../../probe/start-run.ts'
import { readTarget, type Target } from '../../probe/target.ts'
import { CliError, exitCodes, type Io } from '../io.ts'
import { jsonLines } from '../json.ts'
import { terminalSafe } from '../output.ts'
import { requireWritable } from '../runs/report-files.ts'
import type { FlagValues } from '../settings.ts'

/** The requests of a verb to a target. */
export interface ProbeCommand<T> {
  plan(target: Target, options: ProbeOptions, machine: Machine): Plan
  ask(target: Target, options: ProbeOptions, machine: Machine): Promise<T>
}

/** Runs the requests of a verb. @returns nothing if only the plan was requested. */
export async function probeTarget<T>(
  { plan, ask }: ProbeCommand<T>,
  flags: FlagValues,
  io: Io,
): Promise<T | undefined> {
  const name = String(flags['target'])
  const target = await readTarget(resolve(io.cwd, name), io.env, name)
  const real = thisMachine()
  const machine: Machine = { ...real, host: { ...real.host, cwd: io.cwd, env: io.env } }
  const options = optionsOf(flags, io)
  if (options.made !== undefined) await requireWritable('--made', [options.made], io.cwd)
  const planned = plan(target, options, machine)
  if (flags['plan'] === true) {
    io.stdout(flags['format'] === 'json' ? jsonLines({ requests: planned.requests }) : planText(planned))
    io.stderr(budgetText(planned, target))
    return undefined
  }
  io.stderr(budgetText(planned, target))
  const stopping = new AbortController()
  void io.stopped.then(() => stopping.abort())
  const progress = new ProgressLine(io)
  try {
    return await ask(
      target,
      { ...options, signal: stopping.signal, onProgress: (now) => progress.show(now) },
      machine,
    )
  } catch (error) {
    progress.end()
    if (error instanceof CannotBeAsked) {
      throw new CliError(
        terminalSafe(`error: ${error.message}`),
        error.production ? exitCodes.usage : exitCodes.unreachable,
      )
    }
    throw error
  } finally {
    progress.end()
  }
}

/** Notices at the end of a run. */
export function printEnd({ made, lost }: Pick<ProbeReport, 'made' | 'lost'>, io: Io): void {
  if (made !== undefined)
    io.stderr(terminalSafe(`Everything that was created or changed is listed in ${made}\n`))
  if (lost !== undefined) io.stderr(terminalSafe(`error: the target stopped answering: ${lost}\n`))
}

function optionsOf(flags: FlagValues, io: Io): ProbeOptions {
  const { allow = [], only = [], made } = flags
  const allowed = listOf(allow).map((word) => {
    const risk = allowedClasses.find((known) => known === word)
    if (risk === undefined) {
      throw new CliError(
        `error: --allow: unknown class '${word}', expected one of: ${allowedClasses.join(', ')}`,
      )
    }
    return risk
  })
  return {
    allow: allowed,
    only: listOf(only),
    ...(typeof made === 'string' ? { made: resolve(io.cwd, made) } : {}),
  }
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function planText({ requests }: Plan): string {
  return requests.map(({ class: risk, method, path }) => `${risk} ${method} ${path}\n`).join('')
}

/** The number of requests and their duration, and the ones that exceed the budget. */
function budgetText({ requests, beyond }: Plan, { host, budget }: Target): string {
  const seconds = Math.ceil(requests.length / budget.per_second)
  const announcement = `At most ${requests.length} requests to ${host}, about ${durationText(seconds)} at ${budget.per_second} a second.\n`
  if (beyond.requests === 0) return announcement
  const names = beyond.probes.slice(0, 5).join(', ')
  const more = beyond.probes.length > 5 ? ` and ${beyond.probes.length - 5} more` : ''
  return `${announcement}The budget is too small for ${beyond.requests} more, of ${names}${more}: they are not called. Set budget.requests to ${requests.length + beyond.requests} for all.\n`
}

function durationText(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}

/** A progress line that updates in place in a terminal; in logs, a new line at each tenth. */
class ProgressLine {
  readonly #io: Io
  #shown = 0
  #isOpen = false

  constructor(io: Io) {
    this.#io = io
  }

  show({ sent, planned, secondsLeft }: Progress): void {
    const text = `${sent} of at most ${planned} requests, ${durationText(secondsLeft)} left`
    if (this.#io.colour) {
      this.#io.stderr(`\r\u001b[K${text}`)
      this.#isOpen = true
      return
    }
    const tenth = Math.floor((sent * 10) / planned)
    if (tenth <= this.#shown) return
    this.#shown = tenth
    this.#io.stderr(`${text}\n`)
  }

  end(): void {
    if (this.#isOpen) this.#io.stderr('\r\u001b[K')
    this.#isOpen = false
  }
}
