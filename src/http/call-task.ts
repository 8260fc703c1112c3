// A call as a task of storage: it runs on the current rows of its workspace, again where these were replaced or another
// process wrote first, and moves where it turns out to belong to another workspace.
import { readCredential } from '../contract/credentials.ts'
import type { Call } from '../call/index.ts'
import { UnusableError } from '../workspaces/closed.ts'
import { isKeyIn, mayOpen, namedWorkspace } from '../workspaces/identify.ts'
import { NotSavedError } from '../workspaces/keeper.ts'
import { StorageUnavailableError, type Done, type Place, type Task } from '../workspaces/storage.ts'
import { defaultWorkspace } from '../workspaces/workspace.ts'
import { TooManyWorkspacesError } from '../workspaces/workspaces.ts'
import { applyAfterEffects, complete } from './complete-call.ts'
import { addCorsHeaders } from './cors.ts'
import { errorOf } from './failure.ts'
import { httpDate } from './http-date.ts'
import { bugOutcome, recordCall, tellAnswer } from './record-call.ts'
import { renderError } from './render-error.ts'
import { answerFailure, requestIdOf, runStages } from './run-stages.ts'
import { ElsewhereError, type ServedCall } from './served-call.ts'
import { notAvailable, refused } from './stages/authenticate.ts'
import { stages } from './stages/index.ts'

type OnAnswer = (call: Call) => void

/** An error that is answered in place of what the stages would answer. */
interface Thrown {
  thrown: unknown
}

/** Runs a call. @param onAnswer called once, with the answered call, when its answer may leave. */
export function enterCall(call: ServedCall, onAnswer: OnAnswer): void {
  enter(new CallTask(call, onAnswer, 0))
}

function enter(task: CallTask): void {
  const { service, storeFailure } = task.call
  if (storeFailure) task.fail(storeFailure)
  else service.storage.enter(task)
}

/** How often a call may turn out to belong elsewhere, as keys come and go meanwhile. */
const maxMoves = 5

class CallTask implements Task {
  call: ServedCall
  readonly #onAnswer: OnAnswer
  /** The index of the stage that it begins with. */
  readonly #from: number
  readonly #error: Thrown | undefined
  /** How often it moved to another workspace. */
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

  /** A call that belongs to no workspace would leave a gap in the numbers of the one that it names. */
  #seemsToBeHere(): boolean {
    const { service, client, headers } = this.call
    if (client.workspace || this.workspace === defaultWorkspace) return true
    const { workspaces, environment } = service
    const sent = readCredential(headers.authorization, (id) => service.assumptions[id])
    const here = workspaces.find(this.workspace)
    // No number of a partner's workspace goes to a call of others.
    if (!workspaces.policy.hasPublicKeys && !here?.keys) return false
    const { state } = here ?? { state: workspaces.baseline }
    return !('refusal' in sent) && isKeyIn(state, sent, environment)
  }

  mayOpen(): boolean {
    const { service, client, headers } = this.call
    // A deleted workspace that the program still has a reference to must not get a file again.
    if (client.workspace) return false
    const sent = readCredential(headers.authorization, (id) => service.assumptions[id])
    return !('refusal' in sent) && mayOpen(service.workspaces, this.workspace, sent)
  }

  creates(): boolean {
    const { service, client, headers } = this.call
    if (this.workspace === defaultWorkspace) return true
    if (!service.workspaces.policy.createsOnFirstUse) return false
    if (client.workspace) return true
    const sent = readCredential(headers.authorization, (id) => service.assumptions[id])
    return !('refusal' in sent) && isKeyIn(service.workspaces.baseline, sent, service.environment)
  }

  run(place: Place | 'any' | undefined): void {
    this.#isWaiting = false
    this.#countedBefore = this.call.retryState.counted
    if (!place) {
      // In another workspace its key could be one.
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
      // Here, as a call of another workspace has no number in this one.
      requestIdOf(call)
    } catch (error) {
      if (!(error instanceof ElsewhereError)) throw error
      this.#move(error.workspace)
    }
  }

  /**
   * Puts the call where it runs now. A reset, a restored snapshot or an upload may replace the rows while a call waits, and
   * its key may be changed or deleted. The call then runs again, as if it had come later: it sees all of the old rows or
   * all of the new, never the rights of one and the rows of the other.
   *
   * @returns the index of the stage to begin with.
   */
  #begin(place: Place | undefined): number {
    const { call } = this
    const isGone = call.place !== undefined && call.place.workspace !== place?.workspace
    const isOutdated = this.#from > 0 && (isGone || call.isOutdated)
    // A call that stays in a workspace, whatever its key names, belongs where it was moved to.
    const isRetry = this.#isAgain || isOutdated || this.#moves > 0
    if (isRetry) this.call = call.retry(place)
    else call.place = place
    return this.#isAgain || isOutdated ? 0 : this.#from
  }

  /** Runs the stages; true for a call that waits, which goes on as another task. */
  #waits(from: number): boolean {
    const { call } = this
    const pause = runStages(call, stages, from)
    if (!pause) return false
    const goOn = (next: number, error?: Thrown): void => {
      const task = new CallTask(call, this.#onAnswer, next, error)
      try {
        enter(task)
      } catch (bug) {
        task.#answerBug(bug)
      }
    }
    pause.ready.then(
      () => goOn(pause.next),
      (thrown: unknown) => goOn(0, { thrown }),
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
    this.#onAnswer(recordCall(this.call))
  }

  renumber(): void {
    this.call.retryState.requestId = ''
    this.call.outcome.id = ''
  }

  rolledBack(): void {
    // The task of the workspace that it moved to goes on with it.
    if (this.#hasMoved) return
    this.call.retryState.counted = this.#countedBefore
    this.#isAgain = true
  }

  fail(error: Error): void {
    const { call } = this
    if (this.#hasMoved) return
    if (this.#isWaiting) {
      // Its counts may be persisted: it fails when it goes on, and counts no second time.
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

  /** Refuses the call as one whose key was not looked up, whatever the stages found out by then. */
  #refuse({ message }: Error): void {
    this.call.retryState.requestId = ''
    const call = this.call.retry()
    const { service, outcome, resolution } = call
    renderError(errorOf(notAvailable, call, { message }), call)
    outcome.complete(undefined, resolution.restsOn.text, httpDate(service.workspaces.default.clock.now()))
    addCorsHeaders(call)
    call.end()
    service.recorder.metrics.count(call)
    tellAnswer(call)
    this.#onAnswer(call)
  }

  /** Goes on as a task of another workspace, where the call gets another number. */
  #move(workspace: string, error = this.#error): void {
    // Before it has moved: it is answered here.
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
  // It waited, and goes on where it was.
  if (place) return place.workspace.name
  const sent = readCredential(headers.authorization, (id) => service.assumptions[id])
  return 'refusal' in sent ? defaultWorkspace : namedWorkspace(service.workspaces, sent)
}
