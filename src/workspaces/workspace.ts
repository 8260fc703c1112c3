import type { Clock } from '../runtime/clock.ts'
import type { ScenarioEngine } from '../scenarios/engine.ts'
import type { State } from '../store/state.ts'

/** The workspace that always exists, and that keys without a suffix are for. */
export const defaultWorkspace = 'default'

/** An isolated copy of the state with its own clock, ids and request numbers. */
export class Workspace {
  readonly name: string
  state: State
  clock: Clock
  /** How many requests it has seen; kept outside the state, so restoring a state repeats no request id. */
  requests = 0

  readonly scenarios: ScenarioEngine

  constructor(name: string, state: State, clock: Clock, scenarios: ScenarioEngine) {
    this.name = name
    this.state = state
    this.clock = clock
    this.scenarios = scenarios
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
}
