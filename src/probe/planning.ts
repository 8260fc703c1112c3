// Plans the requests of a run, in order, before any is sent: never fewer than will be sent.
import { createHash } from 'node:crypto'
import { firstRequest, productsToTry } from './request-sender.ts'
import { prepare, type ProbeRequest } from './prepare.ts'
import { isSafe, runsTwice, type ProbeContext, type Probe, type RiskClass, type Step } from './probe.ts'
import { found, type Expendable, type Target } from './target.ts'
import { targetCheck, type Missing } from './target-check.ts'

/** A request that may be sent. */
export interface PlannedRequest {
  /** The id of its probe; `target` for the first request. */
  probe: string
  class: RiskClass
  method: string
  /** `<…>` is a value from an earlier answer. */
  path: string
}

/** The plan for a probe: it runs with these rows, or has its verdict without a request. */
export type Decision =
  | { readonly runs: true; readonly rows: ProbeContext['rows'] }
  | {
      readonly runs: false
      readonly verdict: 'not_allowed' | 'not_observable' | 'not_called'
      readonly why: string
      readonly takes?: string
    }

/** All requests of a run. */
export interface Plan {
  /** In the order of sending, without those of probes that exceed the budget. */
  requests: PlannedRequest[]
  /** The probes that exceed the budget, and their number of requests. */
  beyond: { requests: number; probes: string[] }
  decisions: ReadonlyMap<Probe, Decision>
  /** Reads the keys and rows that the target names, before all other probes. */
  check: Probe<readonly Missing[]>
}

/** The options of a run that decide about its requests. */
export interface Allowed {
  /** The classes that are allowed in addition to `read` and `refusal`. */
  readonly allow?: readonly RiskClass[]
  /** The name of the run, in everything that it creates. */
  readonly run: string
}

/** The order of probes: those that change something come last, so that no other observes the changes. */
export function inOrder(probes: readonly Probe[]): Probe[] {
  return [...probes.filter(runsTwice), ...probes.filter((probe) => !runsTwice(probe))]
}

/** Plans a run. A request that is answered with 429 or 503 is retried within the budget, which no plan can know. */
export function planOf(probes: readonly Probe[], target: Target, { allow = [], run }: Allowed): Plan {
  const { method, path } = firstRequest
  const first: PlannedRequest = { probe: 'target', class: 'read', method, path }
  const requests = [first, ...productsToTry(target).map(() => first)]
  const beyond: Plan['beyond'] = { requests: 0, probes: [] }
  const decisions = new Map<Probe, Decision>()
  const taken: Record<Expendable, number> = { pending_rewards: 0, order_events: 0, customers: 0 }
  const sent = [new Set<string>(), new Set<string>()]
  const numbers = new Map<Step, number>()
  const once = new Map<Step, ProbeContext['rows']>()
  const check = targetCheck(probes, target, allow)
  for (const probe of [check, ...inOrder(probes)]) {
    const shared = probe.steps.find((step) => once.has(step))
    const decision = decide(probe, target, allow, taken, shared && once.get(shared))
    decisions.set(probe, decision)
    if (!decision.runs) continue
    const own = requestsOf(probe, { target, run, rows: decision.rows }, sent, numbers).filter(
      ({ step }) => !once.has(step),
    )
    // One is reserved for the last check that the target still answers.
    if (requests.length + own.length + 1 > target.budget.requests) {
      beyond.probes.push(probe.id)
      const why = `the budget of ${target.budget.requests} requests is too small`
      decisions.set(probe, { runs: false, verdict: 'not_called', why, takes: `${own.length} requests more` })
      continue
    }
    for (const { pass, identity } of own) if (identity !== undefined) sent[pass]?.add(identity)
    for (const step of probe.steps) if (step.once) once.set(step, decision.rows)
    if (!shared) for (const kind of kinds(probe)) taken[kind] += probe.uses?.[kind] ?? 0
    requests.push(...own.map(({ request }) => request))
  }
  requests.push(first)
  if (beyond.probes.length > 0) {
    // Shared requests are known only after all are planned.
    const budget = { ...target.budget, requests: Number.POSITIVE_INFINITY }
    const whole = planOf(probes, { ...target, budget }, { allow, run })
    beyond.requests = whole.requests.length - requests.length
  }
  return { requests, beyond, decisions, check }
}

const kinds = ({ uses = {} }: Probe): Expendable[] =>
  (['pending_rewards', 'order_events', 'customers'] as const).filter((kind) => uses[kind] !== undefined)

function decide(
  probe: Probe,
  target: Target,
  allow: readonly RiskClass[],
  taken: Readonly<Record<Expendable, number>>,
  shared: ProbeContext['rows'] | undefined,
): Decision {
  const forbidden = new Set(
    probe.steps.map(({ risk }) => risk).filter((risk) => !isSafe(risk) && !allow.includes(risk)),
  )
  if (forbidden.size > 0) {
    const names = [...forbidden].join(',')
    return {
      runs: false,
      verdict: 'not_allowed',
      why: `it takes requests of class ${names}`,
      takes: `--allow ${names}`,
    }
  }
  const lacks = probe.needs.filter((name) => found(target, name) === undefined)
  if (lacks.length > 0) {
    const names = lacks.join(', ')
    return {
      runs: false,
      verdict: 'not_observable',
      why: `the target lacks ${names}`,
      takes: `add ${names} to the target`,
    }
  }
  if (shared) return { runs: true, rows: shared }
  const rows: Record<Expendable, readonly string[]> = { pending_rewards: [], order_events: [], customers: [] }
  for (const kind of kinds(probe)) {
    const count = probe.uses?.[kind] ?? 0
    rows[kind] = target.expendable[kind].slice(taken[kind], taken[kind] + count)
    const more = count - rows[kind].length
    if (more > 0) {
      const why = `the target has too few expendable.${kind}`
      return { runs: false, verdict: 'not_observable', why, takes: `${more} more of expendable.${kind}` }
    }
  }
  return { runs: true, rows }
}

/**
 * A planned request. One whose bytes are all known has an identity, by which it is sent once in a pass; so has one that
 * depends on answers, as the same step after the same steps has the same result.
 */
interface Own {
  step: Step
  pass: number
  identity?: string | undefined
  request: PlannedRequest
}

function requestsOf(
  probe: Probe,
  context: Omit<ProbeContext, 'answer'>,
  sent: readonly ReadonlySet<string>[],
  numbers: Map<Step, number>,
): Own[] {
  const passes = runsTwice(probe) ? [probe.steps, probe.confirm?.steps ?? probe.steps] : [probe.steps]
  return passes.flatMap((steps, pass) => {
    const own = new Set(runsTwice(probe) ? sent[pass] : [])
    let trail = 'after'
    return steps.flatMap((step): Own[] => {
      if (!numbers.has(step)) numbers.set(step, numbers.size)
      trail += ` ${numbers.get(step)}`
      const path = step.path(context)
      const request = { probe: probe.id, class: step.risk, method: step.method, path }
      const known = steps === probe.steps ? knownRequest(step, context, path) : 'open'
      if (known === 'none') return []
      // A confirming step depends on what its own probe read.
      if (!runsTwice(probe) || (known === 'open' && steps !== probe.steps)) return [{ step, pass, request }]
      const identity = known === 'open' ? trail : identityOf(context.target, known)
      if (own.has(identity)) return []
      own.add(identity)
      return [{ step, pass, identity, request }]
    })
  })
}

/** Thrown in a step that reads an answer: its request is open until there is one. */
const open = new Error('no answer is known yet')

function knownRequest(
  step: Step,
  context: Omit<ProbeContext, 'answer'>,
  path: string,
): ProbeRequest | 'open' | 'none' {
  try {
    const answer = (): never => {
      throw open
    }
    const requested = step.request({ ...context, answer })
    return requested === undefined ? 'none' : { path, ...requested, method: step.method }
  } catch (error) {
    if (error === open) return 'open'
    throw error
  }
}

/** Returns the identity of a request, independent of the product; a digest, as bodies may have megabytes. */
export function identityOf(target: Target, request: ProbeRequest): string {
  const sent = prepare(target, request, '<product>')
  return createHash('sha256').update(JSON.stringify(sent)).digest('base64')
}
