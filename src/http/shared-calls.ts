// Calls with a store that several processes share: each runs as a task of its workspace, on the current state, and its
// answer leaves once its writes are in the store.
import { readCredential } from '../contract/credentials.ts'
import type { Call } from '../call/index.ts'
import { isKeyIn, namedWorkspace } from '../workspaces/identify.ts'
import { defaultWorkspace } from '../workspaces/workspace.ts'
import { TooManyWorkspacesError } from '../workspaces/workspaces.ts'
import { StoreAwayError, type Kept, type Place, type Task } from '../storage/redis/turn.ts'
import { hasBody } from './body/read-body.ts'
import { applyAfterEffects, complete } from './complete-call.ts'
import { addCorsHeaders } from './cors.ts'
import { errorOf } from './failure.ts'
import { httpDate } from './http-date.ts'
import { bugOutcome, recordCall, tellAnswer } from './record-call.ts'
import { renderError } from './render-error.ts'
import { answerFailure, runStages } from './run-stages.ts'
import { ElsewhereError, type ServedCall } from './served-call.ts'
import type { SharedCalls } from './service.ts'
import { notAvailable, refused } from './stages/authenticate.ts'
import { refusalOf } from './stages/check-headers.ts'
import { stages } from './stages/index.ts'
import { receive } from './stages/receive-body.ts'

/**
 * Runs a call as a task of the workspace that its credential names. Its body is received before, where there is one:
 * waiting for it in between would take two round trips more.
 */
export async function answerShared(call: ServedCall, shared: SharedCalls): Promise<Call> {
  if (wantsBody(call)) await receive(call)
  return new Promise((answered) => enter(call, { shared, answered }, 0))
}

function wantsBody(call: ServedCall): boolean {
  const { request, client, service } = call
  if (!request.endpoint?.body || !hasBody(client.body)) return false
  return !refusalOf(call, (id) => service.assumptions[id])
}

/** What all tasks of one call share. */
interface Context {
  shared: SharedCalls
  /** Takes the call once it is answered. */
  answered: (call: Call) => void
}

/** An error that is answered in place of what the stages would answer. */
interface Thrown {
  thrown: unknown
}

function enter(call: ServedCall, context: Context, from: number, error?: Thrown): void {
  const { store } = context.shared
  const task = new CallTask(call, context, from, error)
  if (call.storeFailure) return task.fail(call.storeFailure)
  const following = call.client.workspace ? undefined : store.followOriginal(task.workspace)
  if (!following) return store.enter(task.workspace, task)
  following.then(
    () => store.enter(task.workspace, task),
    (away: Error) => task.fail(away),
  )
}

/** How often a call may turn out to belong elsewhere, as keys come and go meanwhile. */
const maxMoves = 5

class CallTask implements Task {
  readonly alone = false
  #call: ServedCall
  readonly #context: Context
  readonly #from: number
  readonly #moves: number
  /** What is answered in place of what the stages would. */
  readonly #error: Thrown | undefined
  readonly workspace: string
  /** It was found to belong here. */
  readonly #isSure: boolean
  #countedBefore: ServedCall['retryState']['counted']
  #isAgain = false
  #hasLeft = false
  #hasMoved = false

  constructor(
    call: ServedCall,
    context: Context,
    from: number,
    error: Thrown | undefined,
    workspace?: string,
    moves = 0,
  ) {
    this.#call = call
    this.#context = context
    this.#from = from
    this.#error = error
    this.#moves = moves
    this.#isSure = moves > 0
    this.workspace = workspace ?? homeOf(call)
  }

  get isUnnumbered(): boolean {
    const { retryState, request } = this.#call
    return retryState.requestId === '' && !request.isOfBrowser && (this.#isSure || this.#seemsToBeHere())
  }

  /** A call that turns out to be nobody's would leave a gap in the numbers of the workspace that it names. */
  #seemsToBeHere(): boolean {
    const { service, client, headers } = this.#call
    if (client.workspace || this.workspace === defaultWorkspace) return true
    const { workspaces, environment } = service
    const sent = readCredential(headers.authorization, (id) => service.assumptions[id])
    const here = workspaces.find(this.workspace)
    // Where partners are kept apart nobody's call takes a number of one that is not known to be his.
    if (!workspaces.policy.hasPublicKeys && !here?.keys) return false
    const { state } = here ?? { state: workspaces.baseline }
    return !('refusal' in sent) && isKeyIn(state, sent, environment)
  }

  opens(): boolean {
    const { service, client, headers } = this.#call
    if (this.workspace === defaultWorkspace) return true
    // There only whoever runs the sandbox makes one.
    if (!service.workspaces.policy.createsOnFirstUse) return false
    if (client.workspace) return true
    const sent = readCredential(headers.authorization, (id) => service.assumptions[id])
    return !('refusal' in sent) && isKeyIn(service.workspaces.baseline, sent, service.environment)
  }

  judge(place: Place | undefined): void {
    this.#hasLeft = false
    this.#countedBefore = this.#call.retryState.counted
    if (!place) {
      // In another workspace its key could be one.
      const error = this.#call.client.workspace && { thrown: refused(this.#call) }
      return this.#goElsewhere(defaultWorkspace, error)
    }
    const from = this.#begin(place)
    const call = this.#call
    try {
      if (this.#error) answerFailure(this.#error.thrown, call)
      else this.#hasLeft = this.#waits(from)
      if (this.#hasLeft) return
      applyAfterEffects(call)
      // Its number is from before its key was revoked, and would reveal the workspace of another partner.
      const isNobodys = call.workspace !== place.workspace
      if (isNobodys && call.service.workspaces.policy.hidesOthers) return this.#goElsewhere(defaultWorkspace)
      // Completed now, so that a call of another workspace is found out here.
      complete(call)
    } catch (error) {
      if (!(error instanceof ElsewhereError)) throw error
      this.#goElsewhere(error.workspace)
    }
  }

  /** Puts the call where it runs now. @returns the index of the stage to begin with. */
  #begin(place: Place): number {
    const call = this.#call
    const isGone = call.place !== undefined && call.place.workspace !== place.workspace
    const isOutdated = this.#from > 0 && (isGone || call.isOutdated)
    // A call that stays in a workspace, whatever its key names, belongs where it was moved to.
    const isRetry = this.#isAgain || isOutdated || this.#isSure
    if (isRetry) this.#call = call.retry(place)
    else call.place = place
    return this.#isAgain || isOutdated ? 0 : this.#from
  }

  /** Runs the stages; true for a call that waits, which goes on in another task. */
  #waits(from: number): boolean {
    const call = this.#call
    const pause = runStages(call, stages, from)
    pause?.ready.then(
      () => enter(call, this.#context, pause.next),
      (thrown: unknown) => enter(call, this.#context, 0, { thrown }),
    )
    return pause !== undefined
  }

  done(version: number): Kept | 'left' {
    if (this.#hasLeft) return 'left'
    const call = this.#call
    const { outcome, request } = call
    const { shared } = this.#context
    outcome.commit = version
    complete(call)
    if (request.isOfBrowser) return {}
    call.end()
    return { journal: shared.write(call), coverage: shared.exercisedBy(call) }
  }

  kept(): void {
    this.#context.answered(recordCall(this.#call))
  }

  renumber(): void {
    this.#call.retryState.requestId = ''
    this.#call.outcome.id = ''
  }

  undone(): void {
    // A call that moved is the business of its new task.
    if (this.#hasMoved) return
    this.#call.retryState.counted = this.#countedBefore
    this.#isAgain = true
  }

  fail(error: Error): void {
    const call = this.#call
    if (this.#hasMoved) return
    if (this.#hasLeft) {
      // It waits, and its counts may be persisted: it fails when it goes on, and counts no second time.
      call.storeFailure = error
      return
    }
    const isFull = error instanceof TooManyWorkspacesError
    if (isFull && !call.client.workspace) {
      const refusal = errorOf(notAvailable, call, { message: error.message })
      return this.#goElsewhere(defaultWorkspace, { thrown: refusal })
    }
    const { service, request, resolution, outcome } = call
    if (!(error instanceof StoreAwayError || isFull)) {
      service.onBug(error, outcome.id || 'none')
      return this.#context.answered({ request, resolution, outcome: bugOutcome(service) })
    }
    this.#refuse(error)
  }

  /** Refuses the call as one whose key was not looked up, whatever was found out by then. */
  #refuse({ message }: Error): void {
    this.#call.retryState.requestId = ''
    const call = this.#call.retry()
    const { service, outcome, resolution } = call
    renderError(errorOf(notAvailable, call, { message }), call)
    outcome.complete(undefined, resolution.restsOn.text, httpDate(service.workspaces.default.clock.now()))
    addCorsHeaders(call)
    call.end()
    service.recorder.metrics.count(call)
    tellAnswer(call)
    this.#context.answered(call)
  }

  /** Goes on in a task of another workspace, where it gets another number. */
  #goElsewhere(workspace: string, error = this.#error): void {
    // Before it has moved: it is answered here.
    if (this.#moves >= maxMoves) throw new Error(`a call belongs nowhere: last to ${workspace}`)
    this.#hasLeft = true
    this.#hasMoved = true
    const before = this.#call
    before.place = undefined
    before.retryState.requestId = ''
    const task = new CallTask(before.retry(), this.#context, 0, error, workspace, this.#moves + 1)
    this.#context.shared.store.enter(workspace, task)
  }
}

/** The workspace that a call runs in first. */
function homeOf({ service, client, headers, place }: ServedCall): string {
  if (client.workspace) return client.workspace.name
  // It waited, and goes on where it was.
  if (place) return place.workspace.name
  const sent = readCredential(headers.authorization, (id) => service.assumptions[id])
  return 'refusal' in sent ? defaultWorkspace : namedWorkspace(service.workspaces, sent)
}
