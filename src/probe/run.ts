// Runs probes against a target as planned: classes, passes, progress, and results even after an early end.
import { Asker, CannotBeAsked, wantsProduct, type Exchange, type Timing } from './request-sender.ts'
import type { Answer } from './read-answer.ts'
import type { ProbeRequest } from './prepare.ts'
import type { Made } from './created-objects.ts'
import { identityOf, inOrder, planOf, type Allowed, type Decision, type Plan } from './planning.ts'
import {
  cannotTell,
  isSafe,
  runsTwice,
  type ProbeContext,
  type Probe,
  type Reading,
  type Result,
  type Step,
} from './probe.ts'
import type { Target } from './target.ts'
import { missingError } from './target-check.ts'

/** The progress of a run. */
export interface Progress {
  sent: number
  planned: number
  /** At the rate of the budget. */
  secondsLeft: number
}

export interface RunOptions extends Allowed {
  readonly timing: Timing
  /** Ends the run after the request in flight. */
  readonly signal?: AbortSignal
  /** The file that lists everything before it is created or changed. */
  readonly made: Made
  readonly onProgress?: (progress: Progress) => void
}

/** The results of a run. */
export interface Run {
  /** In the order of the probes. */
  results: Result[]
  /** Whether it was stopped early. */
  partial: boolean
  requests: { planned: number; sent: number }
  plan: Plan
  /** Why the target no longer answered before the end, if so. */
  lost?: string
  /** Whether every key must select a product, and the target has none. */
  lacksProduct: boolean
}

/**
 * Sends the requests of the probes.
 * @throws {CannotBeAsked} if the target is production, does not answer, or refuses the key: then nothing more was sent.
 * @throws {DocumentError} if it lacks a key or row that the target names: then only reads were sent.
 */
export async function runProbes(probes: readonly Probe[], target: Target, options: RunOptions): Promise<Run> {
  const { timing, signal, onProgress } = options
  const plan = planOf(probes, target, options)
  const asker = new Asker(target, timing, signal)
  const planned = plan.requests.length
  const tell = (): void => {
    const { sent } = asker
    onProgress?.({
      sent,
      planned,
      secondsLeft: Math.ceil(Math.max(0, planned - sent) / target.budget.per_second),
    })
  }
  const first = await asker.first().catch((error: unknown) => {
    // A run that was stopped by then has a report like any other, in which nothing was called.
    if (!signal?.aborted || !(error instanceof CannotBeAsked) || error.production) throw error
    return undefined
  })
  tell()
  const runner = new Runner(asker, target, options, tell)
  const isAccepted = first !== undefined && !('notCalled' in first.answer) && first.answer.status < 400
  if (isAccepted) await requireAll(runner, plan, target)
  const results = new Map<Probe, Result>()
  for (const probe of inOrder(probes)) {
    const decision = plan.decisions.get(probe)
    if (decision) results.set(probe, await runner.result(probe, decision))
  }
  const all = probes.flatMap((probe) => results.get(probe) ?? [])
  const lost = isAccepted && !signal?.aborted && all.some(isDoubtful) ? await asker.whyLost() : undefined
  return {
    results: lost === undefined ? all : all.map((result) => withoutDoubt(result, lost)),
    ...(lost === undefined ? {} : { lost }),
    partial: signal?.aborted ?? false,
    requests: { planned, sent: asker.sent },
    plan,
    lacksProduct: first !== undefined && !('notCalled' in first.answer) && wantsProduct(first.answer),
  }
}

/** @throws {DocumentError} with the fields of the target whose keys or rows the service does not have. */
async function requireAll(runner: Runner, { check, decisions }: Plan, target: Target): Promise<void> {
  const decision = decisions.get(check)
  if (!decision) return
  const { value: missing = [] } = await runner.result(check, decision)
  if (missing.length > 0) throw missingError(target, missing)
}

/** Possible effects of an outage, or of an expired key. */
function isDoubtful({ verdict, why }: Result): boolean {
  const isNoMatterOfBudget = !why?.startsWith('the budget')
  return ['observed_other', 'unstable'].includes(verdict) || (verdict === 'not_called' && isNoMatterOfBudget)
}

function withoutDoubt(result: Result, lost: string): Result {
  if (!isDoubtful(result) || result.verdict === 'not_called') return result
  const { probe, exchanges } = result
  const why = `the target stopped answering: ${lost}`
  return { probe, exchanges, verdict: 'not_called', why }
}

type Outcome<V> = { reading: Reading<V>; notCalled?: never } | { notCalled: string; reading?: never }

class Runner {
  readonly #asker: Asker
  readonly #target: Target
  readonly #options: RunOptions
  readonly #tell: () => void
  /** By pass: requests that need not be repeated, as nothing changes between safe requests. */
  readonly #shared: readonly Map<string, Exchange>[] = [new Map(), new Map()]
  readonly #once = new Map<Step, Exchange>()

  constructor(asker: Asker, target: Target, options: RunOptions, tell: () => void) {
    this.#asker = asker
    this.#target = target
    this.#options = options
    this.#tell = tell
  }

  async result<V>(probe: Probe<V>, decision: Decision): Promise<Result<V>> {
    if (!decision.runs) {
      const { runs: _, ...decided } = decision
      return { probe, exchanges: [], ...decided }
    }
    const exchanges: Exchange[] = []
    const once = await this.#pass(probe, decision.rows, 0, exchanges)
    if (once.notCalled !== undefined) return { probe, verdict: 'not_called', why: once.notCalled, exchanges }
    const { reading } = once
    if (runsTwice(probe)) {
      const first = reading.is === 'value' ? reading.value : undefined
      const again = await this.#pass(probe, decision.rows, 1, exchanges, first)
      if (again.notCalled !== undefined) {
        return { probe, verdict: 'not_called', why: again.notCalled, exchanges }
      }
      if (essence(reading) !== essence(again.reading)) {
        const why = `two equal requests got ${shown(reading)} and then ${shown(again.reading)}`
        return { probe, verdict: 'unstable', why, exchanges }
      }
    }
    return { probe, exchanges, ...verdictOf(reading) }
  }

  async #pass<V>(
    probe: Probe<V>,
    rows: ProbeContext['rows'],
    pass: 0 | 1,
    exchanges: Exchange[],
    first?: V,
  ): Promise<Outcome<V>> {
    const answers = new Map<string, Answer>()
    const context: ProbeContext = {
      target: this.#target,
      run: this.#options.run,
      rows,
      answer: (step) => answers.get(step),
    }
    const confirm = pass === 1 ? probe.confirm : undefined
    const { steps } = confirm ?? probe
    for (const step of steps) {
      const made = guarded(() => requestOf(step, context, first))
      if (!made) return { reading: unreadable }
      const exchange = made.read && (await this.#ask(probe, step, made.read, context, pass))
      if (!exchange) continue
      exchanges.push(exchange)
      const { answer } = exchange
      if ('notCalled' in answer) return answer
      answers.set(step.name, answer)
    }
    const reading = guarded(() => (confirm ? confirm.read(context, first) : probe.read(context)))
    return { reading: reading?.read ?? unreadable }
  }

  async #ask(
    probe: Probe,
    step: Step,
    request: ProbeRequest,
    context: ProbeContext,
    pass: 0 | 1,
  ): Promise<Exchange> {
    const { method, risk } = step
    if (runsTwice(probe)) {
      const identity = identityOf(this.#target, request)
      const shared = this.#shared[pass]
      const known = shared?.get(identity)
      if (known) return known
      const exchange = await this.#asker.ask(request)
      shared?.set(identity, exchange)
      this.#tell()
      return exchange
    }
    if (isSafe(risk) || this.#options.signal?.aborted) {
      const exchange = await this.#asker.ask(request)
      this.#tell()
      return exchange
    }
    const known = this.#once.get(step)
    if (known) return known
    const note = { run: context.run, probe: probe.id, class: risk, method, path: request.path }
    await this.#options.made.note(note)
    const exchange = await this.#asker.ask(request)
    if (step.once) this.#once.set(step, exchange)
    this.#tell()
    if (!('notCalled' in exchange.answer)) {
      const id = step.made ? step.made(exchange.answer) : idOf(exchange.answer)
      if (id !== undefined) await this.#options.made.note({ ...note, id })
    }
    return exchange
  }
}

/** A service may answer anything: an unreadable answer decides nothing, and is no failure of the run. */
const unreadable = cannotTell('an answer cannot be read or used in a request')

function guarded<T>(read: () => T): { read: T } | undefined {
  try {
    return { read: read() }
  } catch {
    return undefined
  }
}

/** @throws {Error} for a request that was not planned: it must not be sent. */
function requestOf<V>(step: Step<V>, context: ProbeContext, first: V | undefined): ProbeRequest | undefined {
  const planned = step.path(context)
  const made = step.request(context, first)
  if (!made) return undefined
  const request = { path: planned, ...made, method: step.method }
  if (!fits(request.path, planned)) throw new Error(`${request.path} was planned as ${planned}`)
  return request
}

/** Whether a path is the planned one, with a value in place of each `<…>`. */
function fits(path: string, planned: string): boolean {
  const pattern = planned
    .split(/<[^>]*>/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('[^/?&#]+')
  return new RegExp(`^${pattern}$`).test(path)
}

function idOf({ status, json }: Answer): string | undefined {
  if (status >= 300 || typeof json !== 'object' || json === null || !('id' in json)) return undefined
  return typeof json.id === 'string' ? json.id : undefined
}

/** The part that must be equal in both passes: the reason why something cannot be observed may differ. */
function essence(reading: Reading<unknown>): string {
  return reading.is === 'cannot_tell' ? reading.is : JSON.stringify(reading)
}

function shown(reading: Reading<unknown>): string {
  if (reading.is === 'cannot_tell') return 'nothing that can be reported'
  return reading.is === 'value' ? JSON.stringify(reading.value) : reading.seen
}

function verdictOf<V>(reading: Reading<V>): Omit<Result<V>, 'probe' | 'exchanges'> {
  switch (reading.is) {
    case 'value':
      return { verdict: 'observed', value: reading.value }
    case 'other': {
      const { is: _, ...seen } = reading
      return { verdict: 'observed_other', ...seen }
    }
    case 'cannot_tell': {
      const { is: _, ...why } = reading
      return { verdict: 'not_observable', ...why }
    }
  }
}
