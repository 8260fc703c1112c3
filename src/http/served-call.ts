// A call while it is served: the call itself, and the data that its stages need only until it is answered.
import type { Assume } from '../contract/assumptions.ts'
import type { EventSource } from '../contract/event-types.ts'
import type { InFlightCall } from '../call/index.ts'
import type { IncomingRequest } from '../call/incoming-request.ts'
import { Outcome } from '../call/outcome.ts'
import { none, Resolution } from '../call/resolution.ts'
import type { KnownHeaders } from '../call/sent-headers.ts'
import { machineTimeOf, monotonicNow } from '../runtime/host.ts'
import type { EventCause } from '../events/emit-events.ts'
import { noScenarios } from '../scenarios/engine.ts'
import type { State } from '../store/state.ts'
import type { Change, Transaction } from '../store/transaction.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Client } from './client.ts'
import { RetryState } from './retry-state.ts'
import type { Service } from './service.ts'

/** One attempt to answer a request. A retry is a new `ServedCall` with the same `RetryState`. */
export class ServedCall implements InFlightCall {
  readonly service: Service
  readonly client: Client
  /** The request, with its body once a stage has read it. */
  request: IncomingRequest
  readonly resolution = new Resolution()
  readonly outcome = new Outcome()
  readonly retryState: RetryState
  readonly headers: KnownHeaders
  /** The workspace of the call; calls without a usable key belong to `default`. */
  workspace: Workspace
  /** The state that its key was looked up in. */
  identifiedIn: State | undefined
  parsed: unknown
  parameters: Readonly<Record<string, unknown>> = nothing
  /** The values that parameters would have under the other names that an assumption allows. */
  otherwise: Readonly<Record<string, readonly unknown[]>> = nothing
  /** The body, once it is validated. */
  body: Readonly<Record<string, unknown>> = nothing
  result: unknown
  /** The handler ran and its writes are committed. */
  handled = false
  /** The handler or a scenario changed rows. */
  wrote = false
  readonly #arrived: IncomingRequest

  constructor(service: Service, client: Client, request: IncomingRequest, retryState = new RetryState()) {
    this.service = service
    this.client = client
    this.request = request
    this.retryState = retryState
    this.headers = request.headers.known
    this.workspace = client.workspace ?? service.workspaces.default
    this.outcome.id = retryState.requestId
    this.#arrived = request
  }

  /** A new attempt to answer the same request. It shares only `retryState` with this one. */
  retry(): ServedCall {
    const next = new ServedCall(this.service, this.client, this.#arrived, this.retryState)
    next.outcome.at = this.outcome.at
    return next
  }

  /**
   * Whether the state in which the key was looked up is outdated: the workspace was reset, restored or replaced while
   * the call waited, or its key was changed or deleted. Calls that began before the deletion of a workspace continue on
   * its state; only without public keys, the deletion also revokes the keys.
   */
  get isOutdated(): boolean {
    const { key } = this.resolution
    if (key === undefined) return false
    const { workspaces } = this.service
    const isRevoked = !workspaces.policy.hasPublicKeys && !workspaces.stillExists(this.workspace)
    if (isRevoked && !this.client.workspace) return true
    const { state } = this.workspace
    return this.identifiedIn !== state || state.get('api_keys', key.id) !== key
  }

  /** The workspace that the call must run in, even if its key names another one; undefined if the key decides. */
  get fixed(): Workspace | undefined {
    return this.client.workspace
  }

  /** Assigns the call to a workspace, with a request id there. */
  enter(workspace: Workspace): void {
    const { outcome, request, retryState } = this
    this.workspace = workspace
    retryState.use(workspace)
    if (retryState.requestId === '' && !request.isOfBrowser) retryState.requestId = workspace.nextRequestId()
    outcome.id = retryState.requestId
    outcome.at = workspace.clock.now()
  }

  /** Reads an assumption, and records that the answer rests on it. */
  readonly assume: Assume = (id) => {
    this.resolution.restsOn = this.resolution.restsOn.and(id)
    return this.service.assumptions[id]
  }

  /**
   * Commits a transaction of this call; the answer then waits until its writes are persisted.
   * @param source the cause of its webhook events.
   */
  commit(tx: Transaction, source: EventSource): readonly Change[] {
    const { workspace } = this
    const changes = workspace.commit(tx, workspace.outbox && this.#causeOf(source))
    if (changes.length === 0) return none
    this.wrote = true
    return changes
  }

  /** The cause of the events of this call. Its scenarios are those with which it was counted. */
  #causeOf(source: EventSource): EventCause {
    const { counted } = this.retryState
    const scenarios = { active: counted?.active ?? noScenarios, keyId: this.resolution.key?.id }
    return { source, requestId: this.outcome.id, scenarios }
  }

  /** Records the workspace, the duration and whether the client is gone, just before the answer leaves. */
  end(): void {
    this.outcome.workspace = this.workspace.name
    this.outcome.test = this.workspace.test
    this.outcome.isClientGone = this.client.isGone
    const { startedAt } = this.retryState
    this.outcome.machineTime = machineTimeOf(startedAt)
    this.outcome.duration = monotonicNow() - startedAt
  }
}

/** One object for all calls, as most send neither parameters nor a body. */
const nothing: Readonly<Record<string, never>> = Object.freeze({})
