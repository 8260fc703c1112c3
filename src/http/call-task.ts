// Runs a call as a task of storage, on the current rows of its workspace. Retries it if these rows were replaced or
// another process wrote first. Moves it if it turns out to belong to another workspace.
import { readCredential } from '../contract/credentials.ts'
import type { Call } from '../call/index.ts'
import { UnusableError } from '../workspaces/closed.ts'
import { isKeyIn, mayOpen, namedWorkspace } from '../workspaces/identify.ts'
import { NotSavedError } from '../workspaces/saver.ts'
import { StorageUnavailableError, type Done, type Place, type Task } from '../workspaces/storage.ts'
import { defaultWorkspace } from '../workspaces/workspace.ts'
import { TooManyWorkspacesError } from '../workspaces/workspaces.ts'
import { applyAfterEffects, complete } from './complete-call.ts'
import { addCorsHeaders } from './cors.ts'
import { errorOf } from './failure.ts'
import { httpDate } from './http-date.ts'
import { bugOutcome, notifyAnswer, recordCall } from './record-call.ts'
import { renderError } from './render-error.ts'
import { answerFailure, requestIdOf, runStages } from './run-stages.ts'
import { ElsewhereError, type ServedCall } from './served-call.ts'
import { notAvailable, refused } from './stages/authenticate.ts'
import { stages } from './stages/index.ts'

type OnAnswer = (call: Call) => void

/** An error that replaces the answer of the stages. */
interface Thrown {
  thrown: unknown
}

/**
 * Runs a call.
 *
 * @param onAnswer called once with the answered call, when the answer may leave.
 * @param error the refusal of a request that must not run; it belongs to workspace `default`, whatever its key names.
 */
export function enterCall(call: ServedCall, onAnswer: OnAnswer, error?: Thrown): void {
  enter(new CallTask(call, onAnswer, 0, error, error && defaultWorkspace))
}

function enter(task: CallTask): void {
  const { service, storeFailure } = task.call
  if (storeFailure) task.fail(storeFailure)
  else service.storage.enter(task)
}

/** How often a call may move to another workspace, as keys may be created and revoked meanwhile. */
const maxMoves = 5

class CallTask implements Task {
  call: ServedCall
  readonly #onAnswer: OnAnswer
  /** The index of the stage to begin with. */
  readonly #from: number
  readonly #error: Thrown | undefined
  /** How often the call moved to another workspace. */
  readonly #moves: number
  #workspace: string | undefined
  #countedBefore: ServedCall['retryState']['counted']
  #isAgain = false
  #isWaiting = false
  #hasMoved = false

  constructor(
    call: ServedCall,
    onAnswer: OnAnswer,
    from: number,
    error?: Thrown,
    workspace?: string,
    moves = 0,
  ) {
    this.call = call
    this.#onAnswer = onAnswer
    this.#from = from
    this.#error = error
    this.#workspace = workspace
    this.#moves = moves
  }

  get workspace(): string {
    return (this.#workspace ??= workspaceOf(this.call))
  }

  get isUnnumbered(): boolean {
    const { retryState, request } = this.call
    return retryState.requestId === '' && !request.isOfBrowser && (this.#moves > 0 || this.#seemsToBeHere())
  }

  /** Avoids a gap in the numbers of the named workspace, which a call without a usable key there would leave. */
  #seemsToBeHere(): boolean {
    const { service, client, headers } = this.call
    if (client.workspace || this.workspace === defaultWorkspace) return true
    const { workspaces, environment } = service
    const sent = readCredential(headers.authorization)
    const here = workspaces.find(this.workspace)
    // A call of another partner must not consume a number of this workspace.
    if (!workspaces.policy.hasPublicKeys && !here?.keys) return false
    const { state } = here ?? { state: workspaces.baseline }
    return !('refusal' in sent) && isKeyIn(state, sent, environment)
  }

  mayOpen(): boolean {
    const { service, client, headers } = this.call
    // A deleted workspace that the program still has a reference to must not get a file again.
    if (client.workspace) return false
    const sent = readCredential(headers.authorization)
    return !('refusal' in sent) && mayOpen(service.workspaces, this.workspace, sent)
  }

  creates(): boolean {
    const { service, client, headers } = this.call
    if (this.workspace === defaultWorkspace) return true
    if (!service.workspaces.policy.createsOnFirstUse) return false
    if (client.workspace) return true
    const sent = readCredential(headers.authorization)
    return !('refusal' in sent) && isKeyIn(service.workspaces.baseline, sent, service.environment)
  }

  run(place: Place | 'any' | undefined): void {
    this.#isWaiting = false
    this.#countedBefore = this.call.retryState.counted
    if (!place) {
      // A call that is fixed to a workspace must fail: in `default` its key might be valid.
      const error = this.call.client.workspace && { thrown: refused(this.call) }
      return this.#move(defaultWorkspace, error)
    }
    const here = place === 'any' ? undefined : place
    const from = this.#begin(here)
    const { call } = this
    try {
      if (this.#error) answerFailure(this.#error.thrown, call)
      else this.#isWaiting = this.#waits(from)
      if (this.#isWaiting) return
      applyAfterEffects(call)
      // The id was assigned before the key was revoked and would reveal the workspace of another partner.
      const isElsewhere = here !== undefined && call.workspace !== here.workspace
      if (isElsewhere && call.service.workspaces.policy.hidesOthers) return this.#move(defaultWorkspace)
      // Must be in `try`: it throws for a call of another workspace, which has no number in this one.
      requestIdOf(call)
    } catch (error) {
      if (!(error instanceof ElsewhereError)) throw error
      this.#move(error.workspace)
    }
  }

  /**
   * Sets the place where the call runs now. While a call waits, a reset, a restored snapshot or an upload may replace
   * the rows, and its key may be changed or deleted. The call is then retried, as if it had come later: it never
   * combines the rights of the old state with the rows of the new.
   *
   * @returns the index of the stage to begin with.
   */
  #begin(place: Place | undefined): number {
    const { call } = this
    const isGone = call.place !== undefined && call.place.workspace !== place?.workspace
    const isOutdated = this.#from > 0 && (isGone || call.isOutdated)
    // A call that moved, or that is fixed to a workspace, must belong to the place where it runs now.
    const isRetry = this.#isAgain || isOutdated || this.#moves > 0
    if (isRetry) this.call = call.retry(place)
    else call.place = place
    return this.#isAgain || isOutdated ? 0 : this.#from
  }

  /** Runs the stages. @returns true for a call that waits; it continues as another task. */
  #waits(from: number): boolean {
    const { call } = this
    const pause = runStages(call, stages, from)
    if (!pause) return false
    const enterNext = (next: number, error?: Thrown): void => {
      const task = new CallTask(call, this.#onAnswer, next, error)
      try {
        enter(task)
      } catch (bug) {
        task.#answerBug(bug)
      }
    }
    pause.ready.then(
      () => enterNext(pause.next),
      (thrown: unknown) => enterNext(0, { thrown }),
    )
    return true
  }

  done(version?: number): Done {
    if (this.#isWaiting) return 'waiting'
    const { call } = this
    const { outcome, request, wrote, workspace } = call
    outcome.commit = version
    complete(call)
    if (version !== undefined) call.end()
    return { wrote: wrote ? workspace : undefined, call: request.isOfBrowser ? undefined : call }
  }

  persisted(): void {
    const { call } = this
    const answer = (): void => {
      this.#onAnswer(recordCall(call))
      if (call.wrote) call.workspace.outbox?.schedule()
    }
    const early = call.wrote ? call.workspace.outbox?.deliverEarly(call.outcome.id) : undefined
    if (early) void early.then(answer)
    else answer()
  }

  renumber(): void {
    this.call.retryState.requestId = ''
    this.call.outcome.id = ''
  }

  rolledBack(): void {
    // The task of the other workspace continues the call.
    if (this.#hasMoved) return
    this.call.retryState.counted = this.#countedBefore
    this.#isAgain = true
  }

  fail(error: Error): void {
    const { call } = this
    if (this.#hasMoved) return
    if (this.#isWaiting) {
      // The scenario counts may be persisted, so the call must not count again: it fails when it continues.
      call.storeFailure = error
      return
    }
    if (error instanceof NotSavedError || error instanceof UnusableError) {
      answerFailure(error, call)
      complete(call)
      return this.persisted()
    }
    const isFull = error instanceof TooManyWorkspacesError
    if (isFull && !call.client.workspace) {
      const refusal = errorOf(notAvailable, call, { message: error.message })
      return this.#move(defaultWorkspace, { thrown: refusal })
    }
    if (error instanceof StorageUnavailableError || isFull) return this.#refuse(error)
    this.#answerBug(error)
  }

  #answerBug(error: unknown): void {
    const { service, request, resolution, outcome } = this.call
    service.onBug(error, outcome.id || 'none')
    this.#onAnswer({ request, resolution, outcome: bugOutcome(service) })
  }

  /** Refuses the call as if its key was never looked up, and discards the results of the stages. */
  #refuse({ message }: Error): void {
    this.call.retryState.requestId = ''
    const call = this.call.retry()
    const { service, outcome, resolution } = call
    renderError(errorOf(notAvailable, call, { message }), call)
    outcome.complete(undefined, resolution.restsOn.text, httpDate(service.workspaces.default.clock.now()))
    addCorsHeaders(call)
    call.end()
    service.recorder.metrics.count(call)
    notifyAnswer(call)
    this.#onAnswer(call)
  }

  /** Continues as a task of another workspace, where the call gets another number. */
  #move(workspace: string, error = this.#error): void {
    // Throw before the flags change, so that this task still answers the bug.
    if (this.#moves >= maxMoves) throw new Error(`a call belongs to no workspace: last to ${workspace}`)
    this.#isWaiting = true
    this.#hasMoved = true
    const before = this.call
    before.place = undefined
    before.retryState.requestId = ''
    enter(new CallTask(before.retry(), this.#onAnswer, 0, error, workspace, this.#moves + 1))
  }
}

/** The workspace that a call runs in first. */
function workspaceOf({ service, client, headers, place }: ServedCall): string {
  if (client.workspace) return client.workspace.name
  // The call waited, and continues in the same workspace.
  if (place) return place.workspace.name
  const sent = readCredential(headers.authorization)
  return 'refusal' in sent ? defaultWorkspace : namedWorkspace(service.workspaces, sent)
}
