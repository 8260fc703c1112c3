// What a run would send, in order, before it sends anything: never fewer requests than it will.
import { createHash } from 'node:crypto'
import { firstRequest, productsToTry } from './asker.ts'
import { prepare, type ProbeRequest } from './prepare.ts'
import { isSafe, runsTwice, type Given, type Probe, type RiskClass, type Step } from './probe.ts'
import { found, type Expendable, type Target } from './target.ts'
import { targetCheck, type Missing } from './target-check.ts'

/** A request that may be sent. */
export interface PlannedRequest {
  /** The id of the probe that it is for; `target` for the first. */
  probe: string
  class: RiskClass
  method: string
  /** `<…>` stands for what comes from an earlier answer. */
  path: string
}

/** What is to become of a probe: it runs with these rows, or has its verdict without a request. */
export type Decision =
  | { readonly runs: true; readonly rows: Given['rows'] }
  | {
      readonly runs: false
      readonly verdict: 'not_allowed' | 'not_observable' | 'not_called'
      readonly why: string
      readonly takes?: string
    }

/** Everything that a run may send. */
export interface Plan {
  /** In the order in which they are sent; those of probes that do not fit into the budget are not among them. */
  requests: PlannedRequest[]
  /** How many the probes that do not fit would send, and which they are. */
  beyond: { requests: number; probes: string[] }
  decisions: ReadonlyMap<Probe, Decision>
  /** Reads the keys and rows that the target names; it comes before all other probes. */
  check: Probe<readonly Missing[]>
}

/** What a run is started with, as far as it decides what is sent. */
export interface Allowed {
  /** The classes that are allowed beside `read` and `refusal`. */
  readonly allow?: readonly RiskClass[]
  /** Names the run in what it makes. */
  readonly run: string
}

/** The order in which probes run: those that change something come last, so that no other sees what they changed. */
export function inOrder(probes: readonly Probe[]): Probe[] {
  return [...probes.filter(runsTwice), ...probes.filter((probe) => !runsTwice(probe))]
}

/** Plans a run. A request that is answered 429 or 503 is sent again within the budget, which no plan can know. */
export function planOf(probes: readonly Probe[], target: Target, { allow = [], run }: Allowed): Plan {
  const { method, path } = firstRequest
  const first: PlannedRequest = { probe: 'target', class: 'read', method, path }
  const requests = [first, ...productsToTry(target).map(() => first)]
  const beyond: Plan['beyond'] = { requests: 0, probes: [] }
  const decisions = new Map<Probe, Decision>()
  const taken: Record<Expendable, number> = { pending_rewards: 0, order_events: 0, customers: 0 }
  const sent = [new Set<string>(), new Set<string>()]
  const numbers = new Map<Step, number>()
  const once = new Map<Step, Given['rows']>()
  const check = targetCheck(probes, target, allow)
  for (const probe of [check, ...inOrder(probes)]) {
    const shared = probe.steps.find((step) => once.has(step))
    const decision = decide(probe, target, allow, taken, shared && once.get(shared))
    decisions.set(probe, decision)
    if (!decision.runs) continue
    const own = requestsOf(probe, { target, run, rows: decision.rows }, sent, numbers).filter(
      ({ step }) => !once.has(step),
    )
    // One is left for the last look at whether the target still answers.
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
    // What they would share with one another is known only once all are planned.
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
  shared: Given['rows'] | undefined,
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
 * A planned request. One that is known to its last byte has an identity, by which it is sent once in a pass; so has one
 * that looks at answers, as the same step after the same steps makes the same of them.
 */
interface Own {
  step: Step
  pass: number
  identity?: string | undefined
  request: PlannedRequest
}

function requestsOf(
  probe: Probe,
  given: Omit<Given, 'answer'>,
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
      const path = step.path(given)
      const request = { probe: probe.id, class: step.risk, method: step.method, path }
      const known = steps === probe.steps ? knownRequest(step, given, path) : 'open'
      if (known === 'none') return []
      // What a confirming step sends is made of what its own probe read.
      if (!runsTwice(probe) || (known === 'open' && steps !== probe.steps)) return [{ step, pass, request }]
      const identity = known === 'open' ? trail : identityOf(given.target, known)
      if (own.has(identity)) return []
      own.add(identity)
      return [{ step, pass, identity, request }]
    })
  })
}

/** Thrown into a step that looks at an answer: what it sends is open until there is one. */
const open = new Error('no answer is known yet')

function knownRequest(
  step: Step,
  given: Omit<Given, 'answer'>,
  path: string,
): ProbeRequest | 'open' | 'none' {
  try {
    const answer = (): never => {
      throw open
    }
    const asked = step.request({ ...given, answer })
    return asked === undefined ? 'none' : { path, ...asked, method: step.method }
  } catch (error) {
    if (error === open) return 'open'
    throw error
  }
}

/** What tells a request from others, whichever product is named; a digest, as bodies may have megabytes. */
export function identityOf(target: Target, request: ProbeRequest): string {
  const sent = prepare(target, request, '<product>')
  return createHash('sha256').update(JSON.stringify(sent)).digest('base64')
}
