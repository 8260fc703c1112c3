// What conform and calibrate share on the command line: the target, the plan, progress, and how a run ends.
import { resolve } from 'node:path'
import { CannotBeAsked } from '../../probe/asker.ts'
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

/** What a verb asks of a target. */
export interface Question<T> {
  plan(target: Target, options: ProbeOptions, machine: Machine): Plan
  ask(target: Target, options: ProbeOptions, machine: Machine): Promise<T>
}

/** Asks the target of the flags. @returns nothing when the plan was all that was wanted. */
export async function askTarget<T>(
  { plan, ask }: Question<T>,
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
        error.production ? exitCodes.usage : exitCodes.cannotAsk,
      )
    }
    throw error
  } finally {
    progress.end()
  }
}

/** What else a person must know of a run that has ended. */
export function tellEnd({ made, lost }: Pick<ProbeReport, 'made' | 'lost'>, io: Io): void {
  if (made !== undefined) io.stderr(terminalSafe(`What was made or changed is listed in ${made}\n`))
  if (lost !== undefined)
    io.stderr(terminalSafe(`error: the target answered at first, and then no longer: ${lost}\n`))
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

/** How much is asked and how long that takes, and what the budget has no room for. */
function budgetText({ requests, beyond }: Plan, { host, budget }: Target): string {
  const seconds = Math.ceil(requests.length / budget.per_second)
  const asked = `At most ${requests.length} requests to ${host}, about ${durationText(seconds)} at ${budget.per_second} a second.\n`
  if (beyond.requests === 0) return asked
  const names = beyond.probes.slice(0, 5).join(', ')
  const more = beyond.probes.length > 5 ? ` and ${beyond.probes.length - 5} more` : ''
  return `${asked}The budget has no room for ${beyond.requests} more, of ${names}${more}: they are not called. Set budget.requests to ${requests.length + beyond.requests} for all.\n`
}

function durationText(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}

/** One line that counts, where a terminal can show it; elsewhere a line at each tenth, as logs keep all of them. */
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
