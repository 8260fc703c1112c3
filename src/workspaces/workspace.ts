import type { Clock } from '../runtime/clock.ts'
import { idAt } from '../runtime/ids.ts'
import type { ScenarioEngine } from '../scenarios/engine.ts'
import type { State } from '../store/state.ts'
import { Transaction, type Change } from '../store/transaction.ts'
import type { Keeper } from './keeper.ts'

/** The workspace that always exists, and that keys without a suffix are for. */
export const defaultWorkspace = 'default'

/** An isolated copy of the state with its own clock, ids and request numbers. */
export class Workspace {
  readonly name: string
  /** Decides the ids to come. */
  readonly seed: number
  readonly scenarios: ScenarioEngine
  /** How many requests it has seen; kept outside the state, so restoring a state repeats no request id. */
  requests = 0
  /** Who keeps its state elsewhere too, such as in a file. */
  keeper: Keeper | undefined
  #state: State
  #clock: Clock

  constructor(name: string, seed: number, state: State, clock: Clock, scenarios: ScenarioEngine) {
    this.name = name
    this.seed = seed
    this.#state = state
    this.#clock = clock
    this.scenarios = scenarios
  }

  /** The rows as they are now. Another object after each `replace`, which is how a reader can tell. */
  get state(): State {
    return this.#state
  }

  get clock(): Clock {
    return this.#clock
  }

  /** What a key of the baseline is followed by to be a key of this workspace. */
  get keySuffix(): string {
    return this.name === defaultWorkspace ? '' : `.${this.name}`
  }

  /** The id of the next request, such as `req_default_1`. */
  nextRequestId(): string {
    this.requests += 1
    return `req_${this.name}_${this.requests}`
  }

  /** Begins a transaction on the state; it ends with `commit` or with its own `rollback`. */
  begin(): Transaction {
    return new Transaction(this.#state, (place, prefix) => idAt(this.seed, place, prefix))
  }

  /** Ends a transaction: its writes stand. Every change of a row passes here. */
  commit(tx: Transaction): readonly Change[] {
    const { changes } = tx
    if (changes.length > 0) this.keeper?.committed(changes)
    return changes
  }

  /** Puts another state in place of this one, all at once, and another clock if one is given. */
  replace(state: State, clock?: Clock): void {
    this.#state = state
    if (clock) this.#clock = clock
    this.keeper?.replaced()
  }
}
