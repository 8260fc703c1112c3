// Runs probes against a target, as planned: classes, passes, progress, and an end that still tells what was found.
import { Asker, CannotBeAsked, type Answer, type Exchange, type Timing } from './asker.ts'
import type { Made } from './made.ts'
import { merchantKeyHeader } from '../contract/credentials.ts'
import { identityOf, inOrder, planOf, type Allowed, type Decision, type Plan } from './planning.ts'
import { isSafe, runsTwice, type Given, type Probe, type Reading, type Result, type Step } from './probe.ts'
import type { Target } from './target.ts'

/** How far a run is. */
export interface Progress {
  sent: number
  planned: number
  /** At the pace of the budget. */
  secondsLeft: number
}

export interface RunOptions extends Allowed {
  readonly timing: Timing
  /** Ends the run after the request in flight. */
  readonly signal?: AbortSignal
  /** Where everything that is made or changed is noted, before it is sent. */
  readonly made: Made
  readonly onProgress?: (progress: Progress) => void
}

/** What a run found. */
export interface Run {
  /** In the order of the probes as they were given. */
  results: Result[]
  /** Whether it was stopped before its end. */
  partial: boolean
  requests: { planned: number; sent: number }
  plan: Plan
  /** Whether every key must name a product, and the target has none to name. */
  lacksProduct: boolean
}

/**
 * Asks the target what the probes ask.
 * @throws {CannotBeAsked} when it is production, does not answer, or refuses the key: then nothing more was sent.
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
    // One that was stopped by then has a report like any other, in which nothing was called.
    if (!signal?.aborted || !(error instanceof CannotBeAsked) || error.production) throw error
    return undefined
  })
  tell()
  const runner = new Runner(asker, target, options, tell)
  const results = new Map<Probe, Result>()
  for (const probe of inOrder(probes)) {
    const decision = plan.decisions.get(probe)
    if (decision) results.set(probe, await runner.result(probe, decision))
  }
  return {
    results: probes.flatMap((probe) => results.get(probe) ?? []),
    partial: signal?.aborted ?? false,
    requests: { planned, sent: asker.sent },
    plan,
    lacksProduct: first !== undefined && wantsProduct(first.answer),
  }
}

/** Whether a refusal is for want of a product; it names the header (contract: Authentication 9). */
function wantsProduct(answer: Exchange['answer']): boolean {
  return (
    !('notCalled' in answer) && answer.status >= 400 && answer.text.toLowerCase().includes(merchantKeyHeader)
  )
}

type Outcome = { reading: Reading<unknown>; notCalled?: never } | { notCalled: string; reading?: never }

class Runner {
  readonly #asker: Asker
  readonly #target: Target
  readonly #options: RunOptions
  readonly #tell: () => void
  /** By pass: what was asked already and need not be asked again, as nothing changes between safe requests. */
  readonly #shared: readonly Map<string, Exchange>[] = [new Map(), new Map()]
  readonly #once = new Map<Step, Exchange>()

  constructor(asker: Asker, target: Target, options: RunOptions, tell: () => void) {
    this.#asker = asker
    this.#target = target
    this.#options = options
    this.#tell = tell
  }

  async result(probe: Probe, decision: Decision): Promise<Result> {
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
        const why = `asked twice, it was ${shown(reading)} and then ${shown(again.reading)}`
        return { probe, verdict: 'unstable', why, exchanges }
      }
    }
    return { probe, exchanges, ...verdictOf(reading) }
  }

  async #pass(
    probe: Probe,
    rows: Given['rows'],
    pass: 0 | 1,
    exchanges: Exchange[],
    first?: unknown,
  ): Promise<Outcome> {
    const answers = new Map<string, Answer>()
    const given: Given = {
      target: this.#target,
      run: this.#options.run,
      rows,
      answer: (step) => answers.get(step),
    }
    const confirm = pass === 1 ? probe.confirm : undefined
    const { steps } = confirm ?? probe
    for (const step of steps) {
      const exchange = await this.#ask(probe, step, given, pass, first)
      if (!exchange) continue
      exchanges.push(exchange)
      const { answer } = exchange
      if ('notCalled' in answer) return answer
      answers.set(step.name, answer)
    }
    return { reading: confirm ? confirm.read(given, first) : probe.read(given) }
  }

  async #ask(
    probe: Probe,
    step: Step,
    given: Given,
    pass: 0 | 1,
    first: unknown,
  ): Promise<Exchange | undefined> {
    const { method, risk } = step
    const planned = step.path(given)
    const made = step.request(given, first)
    if (!made) return undefined
    const request = { path: planned, ...made, method }
    if (!fits(request.path, planned))
      throw new Error(`probe ${probe.id} would send ${request.path}, and planned ${planned}`)
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
    const note = { run: given.run, probe: probe.id, class: risk, method, path: request.path }
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

/** Whether a path is the planned one, with something in the place of each `<…>`. */
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

/** What must be the same both times: why something cannot be told may differ. */
function essence(reading: Reading<unknown>): string {
  return reading.is === 'cannot_tell' ? reading.is : JSON.stringify(reading)
}

function shown(reading: Reading<unknown>): string {
  if (reading.is === 'cannot_tell') return 'nothing that can be told'
  return reading.is === 'value' ? JSON.stringify(reading.value) : reading.seen
}

function verdictOf(reading: Reading<unknown>): Omit<Result, 'probe' | 'exchanges'> {
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
