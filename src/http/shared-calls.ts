// Calls with a store that several processes share: each is judged in a turn of its workspace, on the state as now, and
// its answer leaves once what it did is kept there.
import { readCredential } from '../contract/credentials.ts'
import { isKeyIn, namedWorkspace } from '../workspaces/identify.ts'
import { defaultWorkspace } from '../workspaces/workspace.ts'
import { TooManyWorkspacesError } from '../workspaces/workspaces.ts'
import { StoreAwayError, type Kept, type Place, type Task } from '../shared-store/turn.ts'
import { bugAnswer, deliver, sendAnswer, tellAnswer } from './deliver.ts'
import { httpDate } from './http-date.ts'
import { errorOf } from './failure.ts'
import { hasBody } from './body/read-body.ts'
import { afterJudging, answerWith, complete, judge, judging, type Waits } from './judge-call.ts'
import { ElsewhereError, type ServedCall } from './served-call.ts'
import { addCorsHeaders } from './cors.ts'
import { renderError } from './render-error.ts'
import { measure } from './send.ts'
import type { SharedCalls } from './service.ts'
import { notAvailable, refused } from './stages/authenticate.ts'
import { refusalOf } from './stages/check-headers.ts'
import { takeBody } from './stages/receive-body.ts'

/**
 * Takes a call into the turn of the workspace that its credential names. Its body is received before, where there is
 * one to wait for: waiting for it in between would take two round trips more.
 */
export function answerShared(call: ServedCall, shared: SharedCalls): void {
  if (!wantsBody(call)) return enter(call, shared, 0)
  takeBody(call, (error) => {
    const { request } = call
    call.early = { body: request.body, isAskedFor: false }
    request.body = undefined
    call.bodyFailure = error
    enter(call, shared, 0)
  })
}

function wantsBody(call: ServedCall): boolean {
  const { request, caller, headers, service } = call
  if (!request.endpoint?.body || !hasBody(caller.body, headers)) return false
  return !refusalOf(call, (id) => service.assumptions[id])
}

function enter(call: ServedCall, shared: SharedCalls, from: number, error?: { thrown: unknown }): void {
  const task = new CallTask(call, shared, from, error)
  if (call.storeFailure) return task.fail(call.storeFailure)
  const following = call.caller.fixed ? undefined : shared.store.followOriginal(task.workspace)
  if (!following) return shared.store.enter(task.workspace, task)
  following.then(
    () => shared.store.enter(task.workspace, task),
    (away: Error) => task.fail(away),
  )
}

/** How often a call may turn out to belong elsewhere, as keys come and go meanwhile. */
const mostMoves = 5

class CallTask implements Task {
  readonly alone = false
  readonly #call: ServedCall
  readonly #shared: SharedCalls
  readonly #from: number
  readonly #moves: number
  /** What is answered in place of what the stages would. */
  readonly #error: { thrown: unknown } | undefined
  readonly workspace: string
  /** It was found to belong here. */
  readonly #isSure: boolean
  #countedBefore: ServedCall['counted']
  #isAgain = false
  #hasLeft = false
  #hasMoved = false

  constructor(
    call: ServedCall,
    shared: SharedCalls,
    from: number,
    error: { thrown: unknown } | undefined,
    workspace?: string,
    moves = 0,
  ) {
    this.#call = call
    this.#shared = shared
    this.#from = from
    this.#error = error
    this.#moves = moves
    this.#isSure = moves > 0
    this.workspace = workspace ?? homeOf(call)
  }

  get isUnnumbered(): boolean {
    const { outcome, request } = this.#call
    return outcome.id === '' && !request.isOfBrowser && (this.#isSure || this.#seemsToBeHere())
  }

  /** A call that turns out to be nobody's would leave a gap in the numbers of the workspace that it names. */
  #seemsToBeHere(): boolean {
    const { service, caller, headers } = this.#call
    if (caller.fixed || this.workspace === defaultWorkspace) return true
    const { workspaces, environment } = service
    const sent = readCredential(headers.authorization, (id) => service.assumptions[id])
    const here = workspaces.find(this.workspace)
    // Where partners are kept apart nobody's call takes a number of one that is not known to be his.
    if (workspaces.areApart && !here?.keys) return false
    const { state } = here ?? { state: workspaces.baseline }
    return !('refusal' in sent) && isKeyIn(state, sent, environment)
  }

  opens(): boolean {
    const { service, caller, headers } = this.#call
    if (this.workspace === defaultWorkspace) return true
    // There only whoever runs the sandbox makes one.
    if (service.workspaces.areApart) return false
    if (caller.fixed) return true
    const sent = readCredential(headers.authorization, (id) => service.assumptions[id])
    return !('refusal' in sent) && isKeyIn(service.workspaces.baseline, sent, service.environment)
  }

  judge(place: Place | undefined): void {
    const call = this.#call
    this.#hasLeft = false
    this.#countedBefore = call.counted
    if (!place) {
      // Elsewhere the key that it was sent with could be one.
      const error = call.caller.fixed && { thrown: refused(call) }
      return this.#goElsewhere(defaultWorkspace, error)
    }
    const isGone = call.place !== undefined && call.place.workspace !== place.workspace
    const isOutdated = this.#from > judging && (isGone || call.isOutdated)
    call.place = place
    if (this.#isAgain || isOutdated) call.startAnew()
    // One that stays in a workspace, whatever its key names, belongs where it was moved to.
    else if (this.#isSure) call.startOver()
    try {
      if (this.#error) answerWith(this.#error.thrown, call)
      else {
        const from = this.#isAgain || isOutdated ? Math.min(judging, this.#from) : this.#from
        this.#hasLeft = !judge(from, call, this.#waits)
      }
      if (this.#hasLeft) return
      afterJudging(call)
      // It has its number from before its key was ended: whose the workspace is now is not to read of it.
      const isNobodys = call.workspace !== place.workspace
      if (isNobodys && call.service.workspaces.areApart) return this.#goElsewhere(defaultWorkspace)
      // Known now, so that it is known that it belongs here.
      complete(call)
    } catch (error) {
      if (!(error instanceof ElsewhereError)) throw error
      this.#goElsewhere(error.workspace)
    }
  }

  done(version: number): Kept | 'left' {
    if (this.#hasLeft) return 'left'
    const call = this.#call
    const { outcome, request } = call
    outcome.commit = version
    complete(call)
    if (request.isOfBrowser) return {}
    measure(outcome)
    call.end()
    return { journal: this.#shared.write(call), coverage: this.#shared.exercisedBy(call) }
  }

  kept(): void {
    deliver(this.#call)
  }

  renumber(): void {
    this.#call.outcome.id = ''
  }

  undone(): void {
    // What becomes of it elsewhere is none of this turn.
    if (this.#hasMoved) return
    this.#call.counted = this.#countedBefore
    this.#isAgain = true
  }

  fail(error: Error): void {
    const call = this.#call
    if (this.#hasMoved) return
    if (this.#hasLeft) {
      // It waits, and what was counted of it may be kept: it is told when it comes back, and counts no second time.
      call.storeFailure = error
      return
    }
    const { fixed } = call.caller
    const isFull = error instanceof TooManyWorkspacesError
    if (isFull && !fixed) {
      const refusal = errorOf(notAvailable, call, { message: error.message })
      return this.#goElsewhere(defaultWorkspace, { thrown: refusal })
    }
    const { service, outcome } = call
    if (!(error instanceof StoreAwayError || isFull)) {
      service.onBug(error, outcome.id || 'none')
      return sendAnswer(call, bugAnswer(service))
    }
    // Before anybody looked whose call it is, whatever was found out by then.
    call.startAnew()
    outcome.id = ''
    outcome.commit = undefined
    renderError(errorOf(notAvailable, call, { message: error.message }), call)
    outcome.complete(
      undefined,
      call.resolution.restsOn.text,
      httpDate(service.workspaces.default.clock.now()),
    )
    addCorsHeaders(call)
    call.end()
    service.metrics.count(call)
    tellAnswer(call)
    sendAnswer(call, outcome)
  }

  get #waits(): Waits {
    const shared = this.#shared
    return {
      goOn: (next, call) => enter(call, shared, next),
      fail: (thrown, call) => enter(call, shared, judging, { thrown }),
    }
  }

  /** Goes on in a turn of another workspace, where it takes another number. */
  #goElsewhere(workspace: string, error = this.#error): void {
    const call = this.#call
    // Before it has moved: it is answered here.
    if (this.#moves >= mostMoves) throw new Error(`a call belongs nowhere: last to ${workspace}`)
    this.#hasLeft = true
    this.#hasMoved = true
    call.place = undefined
    call.startAnew()
    call.outcome.id = ''
    const from = Math.min(this.#from, judging)
    const task = new CallTask(call, this.#shared, from, error, workspace, this.#moves + 1)
    this.#shared.store.enter(workspace, task)
  }
}

/** The workspace in whose turn a call is judged first. */
function homeOf({ service, caller, headers, place }: ServedCall): string {
  if (caller.fixed) return caller.fixed.name
  // It waited, and goes on where it was.
  if (place) return place.workspace.name
  const sent = readCredential(headers.authorization, (id) => service.assumptions[id])
  return 'refusal' in sent ? defaultWorkspace : namedWorkspace(service.workspaces, sent)
}
