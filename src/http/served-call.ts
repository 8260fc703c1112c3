// One request on its way through the stages: its call, and what is needed only until it is answered.
import type { Assume } from '../contract/assumptions.ts'
import { Outcome } from '../call/outcome.ts'
import { Resolution, none } from '../call/resolution.ts'
import type { InFlightCall } from '../call/index.ts'
import type { KnownHeaders } from '../call/sent-headers.ts'
import type { IncomingRequest } from '../call/incoming-request.ts'
import { monotonicNow } from '../runtime/host.ts'
import type { Plan } from '../scenarios/plan.ts'
import type { Place } from '../shared-store/turn.ts'
import type { State } from '../store/state.ts'
import type { Change, Transaction } from '../store/transaction.ts'
import { beginUse, endUse } from '../workspaces/uses.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Caller } from './caller.ts'
import type { Service } from './service.ts'

/**
 * A call that is not answered yet. What a stage finds out goes into `found`, which is replaced when the call is
 * judged again; everything else here survives that on purpose, and says why.
 */
export class ServedCall implements InFlightCall {
  readonly service: Service
  readonly caller: Caller
  readonly request: IncomingRequest
  /** Not kept: what was sent holds them, too. */
  readonly headers: KnownHeaders
  readonly outcome = new Outcome()
  resolution = new Resolution()
  /** Where the call belongs; calls without a usable key belong to `default`. */
  workspace: Workspace
  /** The state by which it was found out whose call it is and what it may do: set with the key. */
  judgedBy: State | undefined
  /** The body was read, or somebody began to: its stream cannot be read again. */
  bodyTaken = false
  /** The body that was received before any stage asked for it; the journal has it once one did. */
  early: { readonly body: IncomingRequest['body']; isAskedFor: boolean } | undefined
  /** What went wrong with a body that was received early; it is answered in its own place. */
  bodyFailure: unknown
  /** The plan that the scenarios have counted, and where: a call counts once; see `ScenarioEngine.round`. */
  counted: { round: number; plan: Plan } | undefined
  /** It waited as long as the plan says, which it does once. */
  delayed = false
  /** From here on only what is filled after the last wait, from which on no call is judged again. */
  parsed: unknown
  parameters: Readonly<Record<string, unknown>> = nothing
  /** What parameters would be under the other names that an assumption allows. */
  otherwise: Readonly<Record<string, readonly unknown[]>> = nothing
  /** The body, once it was found valid. */
  body: Readonly<Record<string, unknown>> = nothing
  result: unknown
  /** The handler ran and its writes stand. */
  handled = false
  /** Something was written, by the handler or by a scenario. */
  wrote = false
  /** Where it is judged, and its number there, with a store that several processes share. */
  place: Place | undefined
  /** Why what it did before it waited cannot be known to be kept. */
  storeFailure: Error | undefined
  /** Where it is open, from when it entered to when it left. */
  #usedIn: Workspace | undefined
  /** When it began, in the machine's own time. */
  readonly #started = monotonicNow()

  constructor(service: Service, caller: Caller, received: IncomingRequest) {
    this.service = service
    this.caller = caller
    this.request = received
    this.headers = received.headers.known
    this.workspace = homeOf(this)
  }

  /**
   * Whether that by which the call was judged is no longer there: its workspace was reset, restored or replaced
   * meanwhile, or its key was changed or deleted. A workspace that was deleted keeps its state for the calls that it
   * has begun; only where partners are kept apart its keys are ended with it.
   */
  get isOutdated(): boolean {
    const { key } = this.resolution
    if (key === undefined) return false
    const { workspaces } = this.service
    if (workspaces.areApart && !this.caller.fixed && !workspaces.isThere(this.workspace)) return true
    const { state } = this.workspace
    return this.judgedBy !== state || state.get('api_keys', key.id) !== key
  }

  /** The workspace that the call stays in, whatever its key names. */
  get fixed(): Workspace | undefined {
    const { fixed } = this.caller
    return fixed && (this.place?.workspace ?? fixed)
  }

  /** Forgets what was found out, to be judged again; it belongs to nobody until its key is looked at again. */
  startOver(): void {
    this.resolution = new Resolution()
    this.workspace = homeOf(this)
  }

  /** Forgets what became of it, too: what it did was taken back. */
  startAnew(): void {
    this.startOver()
    if (this.early) {
      this.request.body = undefined
      this.early.isAskedFor = false
    }
    this.outcome.forget()
    this.judgedBy = undefined
    this.parsed = undefined
    this.parameters = nothing
    this.otherwise = nothing
    this.body = nothing
    this.result = undefined
    this.handled = false
    this.wrote = false
  }

  /**
   * Takes its number in a workspace, unless nobody looks for it; from here on it belongs there.
   * @throws {ElsewhereError} where it is judged in a turn of another workspace, or has no number in this one.
   */
  enter(workspace: Workspace): void {
    // A call that is judged again has its number already.
    const isUnnumbered = this.outcome.id === '' && !this.request.isOfBrowser
    if (this.place !== undefined) {
      const hasNumber = !isUnnumbered || this.place.number !== undefined
      if (this.place.workspace !== workspace || !hasNumber) throw new ElsewhereError(workspace.name)
    }
    this.workspace = workspace
    if (this.#usedIn !== workspace) {
      this.leave(monotonicNow())
      beginUse(workspace)
      this.#usedIn = workspace
    }
    if (isUnnumbered) {
      this.outcome.id = workspace.nextRequestId(this.place?.number)
    }
    this.outcome.at = workspace.clock.now()
  }

  /**
   * Its answer is sent, or its connection is lost: nothing keeps its workspace any more.
   * @param at in the machine's own time; as soon as it was answered, unless that is given.
   */
  leave(at = this.#started + this.outcome.duration): void {
    if (this.#usedIn) endUse(this.#usedIn, at)
    this.#usedIn = undefined
  }

  /** Reads an assumption, and notes that the answer rests on it. */
  readonly assume: Assume = (id) => {
    this.resolution.restsOn = this.resolution.restsOn.and(id)
    return this.service.assumptions[id]
  }

  /** Ends a transaction of this call; the answer then waits until its writes are kept. */
  commit(tx: Transaction): readonly Change[] {
    const changes = this.workspace.commit(tx)
    if (changes.length === 0) return none
    this.wrote = true
    return changes
  }

  /** Notes where it ended and how long it took, just before its answer leaves. */
  end(): void {
    this.outcome.workspace = this.workspace.name
    this.outcome.duration = monotonicNow() - this.#started
  }
}

/** Shared by all calls: most send neither parameters nor a body. */
const nothing: Readonly<Record<string, never>> = Object.freeze({})

/** Where a call belongs that has no usable key. */
function homeOf({ service: { workspaces }, fixed }: ServedCall): Workspace {
  return fixed ?? workspaces.default
}

/** Thrown where a call turns out to need another turn than the one in which it is judged. */
export class ElsewhereError extends Error {
  readonly workspace: string

  constructor(workspace: string) {
    super(`it belongs to workspace ${workspace}`)
    this.workspace = workspace
  }
}
