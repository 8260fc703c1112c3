// The scenario engine of a workspace: the active scenarios, which rules match a call, and how often each was used.
import type { EventType } from '../contract/event-types.ts'
import { hash32 } from '../runtime/random.ts'
import { includesCall } from './calls.ts'
import { UnknownScenarioError, whyUnusable } from './catalogue.ts'
import type { ScenarioLibrary } from './library.ts'
import type { EffectContext } from './effect.ts'
import { EventPlan } from './event-plan.ts'
import { misfit, type MatchedCall } from './match.ts'
import { Plan, type ScenarioSource } from './plan.ts'
import type { RuleTotals } from './rule-totals.ts'
import type { Rule, Scenario } from './scenario.ts'
import type { Endpoint } from '../endpoints/define.ts'

/** The counters of a rule in lists. */
export interface RuleUse {
  /** How many calls matched it. */
  calls: number
  /** On how many of those it acted. */
  hits: number
}

/** The initial scenarios of a workspace, in place of the common ones. */
export interface ScenarioStart {
  /** Its own scenarios. */
  own: readonly Scenario[]
  /** The names of its active scenarios. */
  active: readonly string[]
  /** How often its rules were used before, by counter; see `counterOf`. */
  uses?: ReadonlyMap<string, Readonly<RuleUse>>
  /** How many random numbers were drawn before. */
  draws?: number
}

/** The scenarios that are active for a call, in the order that decides, with the source of each activation. */
export type ActiveScenarios = ReadonlyMap<Scenario, ScenarioSource>

/** The scenarios of a call without any. */
export const noScenarios: ActiveScenarios = new Map()

/** A rule of an active scenario. */
export type ActiveRule = readonly [rule: Rule, source: ScenarioSource]

/** The mutable state of a scenario engine at one moment. */
export interface ScenarioState extends Required<ScenarioStart> {
  /** See `ScenarioEngine.round`. */
  round: number
}

/**
 * The scenarios of one workspace: those it has, those that are active, and the counters of their rules.
 *
 * Matching a call and counting it is one synchronous step, so N concurrent calls use up exactly N.
 */
export class ScenarioEngine {
  readonly #library: ScenarioLibrary
  readonly #seed: number
  readonly #totals: RuleTotals | undefined
  readonly #own = new Map<string, Scenario>()
  #active: readonly string[] = []
  #uses = new Map<string, RuleUse>()
  #draws = 0
  #round = 0
  #start: ScenarioStart | undefined
  /** How often its own scenarios or the list of active ones changed. */
  revision = 0

  /**
   * @param library the scenarios of every workspace, and those that are active at the start and after a reset.
   * @param start the initially active ones instead.
   * @param totals counts the uses in all workspaces.
   */
  constructor(library: ScenarioLibrary, seed: number, start?: ScenarioStart, totals?: RuleTotals) {
    this.#library = library
    this.#seed = seed
    this.#start = start
    this.#totals = totals
    this.reset()
  }

  /** The names of the active scenarios. */
  get active(): readonly string[] {
    return this.#active
  }

  /** Every scenario of this workspace. */
  list(): Scenario[] {
    return [...new Map([...(this.#library.catalogue ?? []), ...this.#own]).values()]
  }

  find(name: string): Scenario | undefined {
    return this.#own.get(name) ?? this.#library.catalogue?.get(name)
  }

  /** Whether the scenario of this name was registered here. */
  isOwn(name: string): boolean {
    return this.#own.has(name)
  }

  /** Returns why a name is not a scenario that this workspace can use, or undefined if it is one. Reads no file. */
  whyUnknown(name: string): string | undefined {
    const known = [...new Set([...this.#library.names, ...this.#own.keys()])]
    if (!known.includes(name)) return new UnknownScenarioError(name, known).message
    const scenario = this.find(name)
    return scenario && whyUnusable(scenario, this.#library.environment)?.message
  }

  /** The number of resets. Each reset restores the counters of the start. */
  get round(): number {
    return this.#round
  }

  /** Returns the use of a rule, summed over all of its counters. */
  useOf({ id }: Rule): RuleUse {
    const total = { calls: 0, hits: 0 }
    for (const [counter, { calls, hits }] of this.#uses) {
      if (ruleOf(counter) !== id) continue
      total.calls += calls
      total.hits += hits
    }
    return total
  }

  /** Sets all counters of a scenario to zero. @throws the errors of `require`. */
  restart(name: string): Scenario {
    const scenario = this.require(name)
    this.#clear(scenario)
    return scenario
  }

  #clear({ rules }: Pick<Scenario, 'rules'>): void {
    const ids = new Set(rules.map(({ id }) => id))
    for (const counter of this.#uses.keys()) if (ids.has(ruleOf(counter))) this.#uses.delete(counter)
  }

  /** Adds a scenario to this workspace, or replaces the one of its name; its counters start at zero. */
  register(scenario: Scenario): void {
    if (this.#active.includes(scenario.name)) this.#requireUsable(scenario)
    const before = this.find(scenario.name)
    if (before) this.#clear(before)
    this.#own.set(scenario.name, scenario)
    this.revision += 1
    this.#noteActive()
  }

  /** Removes a scenario that was registered here; false if there is none of this name. */
  unregister(name: string): boolean {
    const gone = this.#own.get(name)
    if (!gone) return false
    this.#clear(gone)
    this.#own.delete(name)
    this.revision += 1
    if (this.find(name) === undefined) this.#active = this.#active.filter((active) => active !== name)
    return true
  }

  /**
   * Replaces the list of active scenarios. The counters of newly active ones start at zero.
   * @throws the errors of `require`; then nothing changes.
   */
  activate(names: readonly string[]): void {
    const scenarios = names.map((name) => this.require(name))
    for (const { name, rules } of scenarios) {
      if (!this.#active.includes(name)) for (const rule of rules) this.#uses.delete(counterOf(rule, 'switch'))
    }
    this.#active = [...new Set(names)]
    this.revision += 1
    this.#noteActive()
  }

  /**
   * Changes the list of active scenarios in one step, so that concurrent callers both get their change. Scenarios that
   * are switched on act after those that are already active, which keep their positions.
   * @throws the errors of `require`; then nothing changes.
   */
  switch(on: readonly string[], off: readonly string[]): void {
    for (const name of off) if (!this.#active.includes(name) && !this.find(name)) this.require(name)
    this.activate([...this.#active.filter((name) => !off.includes(name)), ...on])
  }

  /** Returns the state from which another workspace can continue. */
  copy(): ScenarioState {
    return {
      own: [...this.#own.values()],
      active: this.#active,
      uses: copyOf(this.#uses),
      draws: this.#draws,
      round: this.#round,
    }
  }

  /** The state that a reset restores, if it is not the common one. */
  get start(): ScenarioStart | undefined {
    return this.#start
  }

  /** Whether the own scenarios and the list of active ones are those of the start. */
  get isAtStart(): boolean {
    const { own = [], active = this.#library.activeNames } = this.#start ?? {}
    const isOwnSame = own.length === this.#own.size && own.every((one) => this.#own.get(one.name) === one)
    return (
      isOwnSame &&
      active.length === this.#active.length &&
      active.every((name, at) => name === this.#active[at])
    )
  }

  /** Restores the initial own scenarios, active scenarios and counters. */
  reset(): void {
    const { own = [], active = this.#library.activeNames, uses = new Map(), draws = 0 } = this.#start ?? {}
    this.resume({ own, active, uses, draws, round: this.#round + 1 })
  }

  /**
   * Restores the state of an engine: an earlier one of this engine, or that of the same workspace on another machine.
   */
  resume({ own, active, uses, draws, round }: ScenarioState): void {
    this.#own.clear()
    for (const scenario of own) this.#own.set(scenario.name, scenario)
    this.#active = active
    this.#uses = copyOf(uses)
    this.#draws = draws
    this.#round = round
    this.revision += 1
    this.#noteActive()
  }

  /** Replaces the start and resets to it. */
  beginWith(start: ScenarioStart | undefined): void {
    this.#start = start
    this.reset()
  }

  /** @throws {UnknownScenarioError} @throws {UnusableScenarioError} */
  require(name: string): Scenario {
    const scenario = this.find(name)
    if (scenario) return this.#requireUsable(scenario)
    const known = this.list().map((one) => one.name)
    throw new UnknownScenarioError(name, known)
  }

  #requireUsable(scenario: Scenario): Scenario {
    const why = whyUnusable(scenario, this.#library.environment)
    if (why) throw why
    return scenario
  }

  /**
   * Returns the scenarios that are active for a call: those of the request header, then of the API key, then of the
   * active list. A scenario in several of them counts for the first of these.
   *
   * @throws {UnknownScenarioError} for an unknown name in the header.
   * @throws {UnusableScenarioError} for one that the environment cannot use.
   */
  scenariosFor(header: readonly string[], ofKey: readonly string[]): ActiveScenarios {
    const active = new Map<Scenario, ScenarioSource>()
    for (const name of header) active.set(this.require(name), 'header')
    const add = (name: string, source: ScenarioSource): void => {
      const scenario = this.find(name)
      if (scenario && !active.has(scenario)) active.set(scenario, source)
    }
    for (const name of ofKey) add(name, 'key')
    for (const name of this.#active) add(name, 'switch')
    for (const scenario of active.keys()) this.#totals?.note(scenario)
    return active
  }

  /** Matches a call against the rules of its scenarios, counts it, and plans its consequences. */
  plan(rules: readonly ActiveRule[], call: MatchedCall, context: Omit<EffectContext, 'random'>): Plan {
    const plan = new Plan()
    for (const [rule, source] of rules) {
      const total = this.#totals?.of(rule)
      if (total) total.checked += 1
      const misfitting = misfit(rule.when, call)
      if (misfitting !== undefined) {
        plan.verdicts.push({ rule, misfit: misfitting })
        continue
      }
      const { count, acted } = this.#count(rule, source, call.key.id)
      plan.verdicts.push({ rule, call: count, acted, source })
      if (!acted) continue
      plan.rules.push(rule.id)
      plan.offContract ||= rule.offContract
      for (const { effect, value, extra } of rule.effects) {
        if (effect.misfit?.(value, context.endpoint) !== undefined && !rule.offContract) continue
        effect.apply?.(value, plan, { ...context, random: () => this.#random() }, extra)
      }
      if (plan.ending) plan.endedBy ??= rule
    }
    return plan
  }

  /**
   * Matches a new event against the rules of the active scenarios, counts it, and plans its deliveries. Call it in the
   * transaction that creates the event.
   * @param active those of the call that caused the event; without it, the active list.
   * @param keyId the API key of the call.
   * @returns undefined if no rule acts.
   */
  planEvent(
    type: EventType,
    active: ActiveScenarios = this.scenariosFor([], []),
    keyId?: string,
  ): EventPlan | undefined {
    let plan: EventPlan | undefined
    for (const [{ rules }, source] of active) {
      for (const rule of rules) {
        if (!rule.events.has(type)) continue
        const total = this.#totals?.of(rule)
        if (total) total.checked += 1
        if (!this.#count(rule, source, keyId).acted) continue
        plan ??= new EventPlan()
        plan.rules.push(rule.id)
        for (const { effect, value } of rule.effects) effect.applyToEvent?.(value, plan)
        if (plan.isDropped) plan.droppedBy ??= rule.id
      }
    }
    return plan
  }

  /** Counts a call or an event that matches a rule, and decides whether the rule acts on it. */
  #count(rule: Rule, source: ScenarioSource, keyId: string | undefined): { count: number; acted: boolean } {
    const counter = counterOf(rule, source, keyId)
    const use = this.#uses.get(counter) ?? { calls: 0, hits: 0 }
    this.#uses.set(counter, use)
    use.calls += 1
    // The choice depends on seed, rule and count, so the random numbers of other rules do not change it.
    const acted = includesCall(rule.calls, use.calls, () => fraction('calls', this.#seed, rule.id, use.calls))
    if (acted) use.hits += 1
    const total = this.#totals?.of(rule)
    if (total) {
      total.calls += 1
      if (acted) total.hits += 1
    }
    return { count: use.calls, acted }
  }

  /** The active list counts as active even without calls. */
  #noteActive(): void {
    for (const name of this.#active) {
      const scenario = this.find(name)
      if (scenario) this.#totals?.note(scenario)
    }
  }

  /** Returns the next random number of the seed, from 0 up to 1. */
  #random(): number {
    this.#draws += 1
    return fraction('scenario', this.#seed, this.#draws)
  }
}

/** Returns a number from 0 up to 1 that depends on the words alone. */
const fraction = (...words: (string | number)[]): number => hash32(...words) / 0x1_0000_0000

/**
 * Returns the id of a rule's counter: the id of the rule for the active list, otherwise with the header or the key in
 * front.
 */
function counterOf({ id }: Rule, source: ScenarioSource, key = ''): string {
  return source === 'switch' ? id : `${source === 'key' ? `key:${key}` : source} ${id}`
}

/** Returns the rule of a counter; its id has no space. */
const ruleOf = (counter: string): string => counter.slice(counter.lastIndexOf(' ') + 1)

/** Returns the rules of active scenarios for an operation, in the order that decides. */
export function rulesFor(active: ActiveScenarios, { id }: Pick<Endpoint, 'id'>): ActiveRule[] {
  return [...active].flatMap(([{ rules }, source]) =>
    rules.filter(({ operations }) => operations.has(id)).map((rule): ActiveRule => [rule, source]),
  )
}

/** Returns an independent copy of counters. */
function copyOf(uses: ReadonlyMap<string, Readonly<RuleUse>>): Map<string, RuleUse> {
  return new Map([...uses].map(([id, use]) => [id, { ...use }]))
}
