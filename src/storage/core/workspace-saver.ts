// Persists the writes of one workspace that this process owns: one append for all that wait, a checkpoint when the log has
// grown, and rollback if they cannot be persisted.
import { stringify } from '../../json/stringify.ts'
import { yieldToEventLoop } from '../../runtime/event-loop.ts'
import { NotSavedError, type Saver } from '../../workspaces/saver.ts'
import type { Checkpoint, Workspace } from '../../workspaces/workspace.ts'
import { deltaSince } from './delta.ts'
import { hasWaiting } from './write-document.ts'
import { OwnedElsewhereError, StorageUnavailableError, type Storage } from '../../workspaces/storage.ts'

/** How a workspace is written, and what its owner does about failures. */
export interface WorkspaceSaverOptions {
  storage: Pick<Storage, 'append' | 'checkpoint'>
  /** The name of its file or of the store in messages. */
  name: string
  /** The document of a checkpoint. @param nextRequest the number at which the request numbers of the next owner begin. */
  documentOf(checkpoint: Checkpoint, nextRequest: number): Iterable<string>
  /** Its description in lists, which is read without opening it. */
  about(): string
  /** The smallest log, in bytes, that a checkpoint replaces. */
  minLogBytes: number
  /** The reason of a failure in plain words; undefined for a bug of ours. */
  reasonOf(error: unknown): string | undefined
  /** Whether nothing can be persisted after this failure, however often it is tried. */
  isFinal(error: unknown): boolean
  /** Writes are refused from now on, or accepted again: a line for the log. */
  onProblem(line: string): void
  /** The rows in memory may differ from those that are persisted: the owner forgets the workspace, and reads it again. */
  onUncertain(error: Error): void
  onBug(error: unknown): void
  /** Waits before it tries again; false if that is useless by then. */
  pause(milliseconds: number): Promise<boolean>
}

const [firstPauseMs, longestPauseMs] = [100, 5000]

/** How many request numbers are reserved by one write: after a crash, the next owner begins behind them. */
const reservedNumbers = 1_000_000

/** A writer that waits. */
interface Waiter {
  resolve(): void
  reject(error: Error): void
  /** Whether the write is in the state, whatever replaced it. */
  isLasting: boolean
  /** The number of the last change that it may have seen. */
  change: number
}

export class WorkspaceSaver implements Saver {
  readonly #workspace: Workspace
  readonly #options: WorkspaceSaverOptions
  /** The last state that is persisted. */
  #persisted: Checkpoint
  #hasCheckpoint: boolean
  #logBytes = 0
  #checkpointBytes = 0
  /** The number of changes, and of those that are persisted. */
  #changes = 0
  #saved = 0
  #replacedAt = -1
  #endsKeys = false
  /** The request numbers below are reserved for this owner; persisted up to the second. */
  #reserved: number
  #persistedReserved: number
  /** Whether its persisted description says that attempts wait. */
  #saysWaiting: boolean
  #waiting: Waiter[] = []
  #running: Promise<void> | undefined
  #writing: Promise<void> | undefined
  /** The error for writes while nothing can be written. */
  #refusal: NotSavedError | undefined
  /** Why this process may not have the rows any more. */
  #abandoned: Error | undefined
  #isEnded = false
  lastLoss: NotSavedError | undefined

  /** @param hasCheckpoint whether storage has the state of the workspace, as of a new one it has none. */
  constructor(workspace: Workspace, options: WorkspaceSaverOptions, hasCheckpoint: boolean) {
    this.#workspace = workspace
    this.#options = options
    this.#hasCheckpoint = hasCheckpoint
    this.#reserved = this.#persistedReserved = workspace.requests + 1
    this.#saysWaiting = hasWaiting(workspace.state)
    this.#persisted = workspace.checkpoint()
    if (!hasCheckpoint) this.#changed()
    workspace.saver = this
  }

  /** Whether it can be written, as of the last try. */
  get isWell(): boolean {
    return this.#refusal === undefined
  }

  requireWritable(): void {
    if (this.#refusal) throw this.#refusal
    if (this.#isEnded) throw new NotSavedError('The sandbox is closed, so nothing can be saved.', 'not made')
  }

  committed(): void {
    this.#changed()
  }

  numbered(number: number): void {
    if (number < this.#reserved) return
    this.#reserved = Math.ceil((number + 1) / reservedNumbers) * reservedNumbers + 1
    // The call has only begun: its writes are persisted with this.
    this.#changes += 1
  }

  /** Whether its persisted description says that attempts wait, and none do. */
  get saysTooMuch(): boolean {
    return this.#saysWaiting && !hasWaiting(this.#workspace.state)
  }

  /** Persists its description, with the time as that of its last use. Never rejects. */
  async describe(): Promise<void> {
    await this.#running
    // A write that has begun meanwhile has nothing to do with it: the next call of this comes after it.
    if (this.#running || this.#refusal || this.#isEnded || !this.#hasCheckpoint) return
    const describing = this.#describe().finally(() => {
      this.#running = this.#saved === this.#changes ? undefined : this.#run()
    })
    this.#running = describing
    await describing
  }

  async #describe(): Promise<void> {
    const { storage, about } = this.#options
    const waits = hasWaiting(this.#workspace.state)
    try {
      await this.#io(storage.append(this.#workspace.name, undefined, about()))
      this.#saysWaiting = waits
    } catch {
      // The next description says it again; the log has every change.
    }
  }

  /** Settles when nothing is being written; after `abandon` nothing will be. */
  async settled(): Promise<void> {
    await this.#writing?.catch(() => undefined)
  }

  async #io(work: Promise<void> | undefined): Promise<void> {
    this.#writing = work
    await work
  }

  replaced(endsKeys = false): void {
    this.#changed()
    this.#replacedAt = this.#changes
    this.#endsKeys ||= endsKeys
    if (endsKeys) return
    const { name } = this.#options
    const message = `The whole state was replaced before this change was saved to ${name}: it is lost.`
    this.#reject(new NotSavedError(message, 'not made', name), ({ isLasting }) => !isLasting)
  }

  saved(): Promise<void> | undefined {
    if (this.#abandoned) return Promise.reject(this.#abandoned)
    // Changes before a failure were rolled back, and their writers have an error.
    if (this.#refusal || this.#changes === this.#saved) return undefined
    // A caller that replaced the whole state loses nothing by another replacement: two resets are as good as one.
    const isLasting = this.#changes === this.#replacedAt
    const change = this.#changes
    this.#running ??= this.#run()
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject, isLasting, change }))
  }

  /** Persists what is left, and writes a checkpoint if the log has anything: then the workspace is read fast. */
  async end(): Promise<void> {
    this.#isEnded = true
    while (this.#running) await this.#running
    const { clock, requests } = this.#workspace
    // A clock that was set goes on from its last time.
    const isMoving = clock.changed && !clock.frozen
    const isNumbered = this.#reserved > this.#persistedReserved
    const isPersisted = this.#logBytes === 0 && this.#hasCheckpoint && !isMoving && !isNumbered
    if (this.#refusal || isPersisted) return
    try {
      await this.#checkpoint(this.#workspace.checkpoint(), requests + 1)
    } catch (error) {
      const { name, onProblem } = this.#options
      onProblem(`${name} was not rewritten at the end: ${this.#reason(error)}. Its log has every change.`)
    }
  }

  /** Accepts no more writes, and rejects those that wait: the workspace is deleted, or owned elsewhere. */
  abandon(error: NotSavedError): void {
    this.#abandoned = error
    this.#refusal = error
    this.#isEnded = true
    this.#reject(error, () => true)
  }

  #changed(): void {
    this.#changes += 1
    this.#running ??= this.#run()
  }

  /** Writes that arrive while others are persisted share the next append. */
  async #run(): Promise<void> {
    // All writes of this iteration of the event loop are persisted together.
    await yieldToEventLoop()
    while (this.#saved !== this.#changes && !this.#refusal) {
      const [waiting, changes] = [this.#waiting, this.#changes]
      this.#waiting = []
      try {
        await this.#save()
        this.#saved = changes
        // Also calls that began meanwhile, unless they saw a later change.
        const later = this.#waiting.filter(({ change }) => change <= changes)
        this.#waiting = this.#waiting.filter(({ change }) => change > changes)
        for (const { resolve } of [...waiting, ...later]) resolve()
      } catch (error) {
        this.#waiting.unshift(...waiting)
        this.#fail(error)
      }
    }
    this.#running = undefined
  }

  async #save(): Promise<void> {
    const { storage, minLogBytes, about } = this.#options
    const workspace = this.#workspace
    const next = workspace.checkpoint()
    const reserved = this.#reserved
    const isReplaced = workspace.state !== this.#persisted.forkedFrom
    const isLogFull = this.#logBytes > Math.max(minLogBytes, this.#checkpointBytes)
    const waits = hasWaiting(workspace.state)
    if (!this.#hasCheckpoint || isReplaced || this.#endsKeys || isLogFull) {
      this.#endsKeys = false
      await this.#checkpoint(next)
      this.#saysWaiting = waits
    } else {
      const delta = {
        at: workspace.clock.now(),
        ...deltaSince(this.#persisted, workspace),
        ...(reserved > this.#persistedReserved ? { next_request: reserved } : {}),
      }
      // Other processes look for workspaces whose attempts wait.
      const isNews = waits && !this.#saysWaiting
      if (Object.keys(delta).length > 1) {
        const text = stringify(delta)
        await this.#io(storage.append(workspace.name, text, ...(isNews ? [about()] : [])))
        this.#logBytes += text.length
        this.#saysWaiting ||= isNews
      }
    }
    this.#persistedReserved = reserved
    this.#persisted = next
  }

  async #checkpoint(next: Checkpoint, nextRequest = this.#reserved): Promise<void> {
    const { storage, documentOf, about } = this.#options
    let bytes = 0
    const document = documentOf(next, nextRequest)
    const counted = (function* () {
      for (const chunk of document) {
        bytes += chunk.length
        yield chunk
      }
    })()
    await this.#io(storage.checkpoint(this.#workspace.name, counted, about()))
    this.#hasCheckpoint = true
    this.#checkpointBytes = bytes
    this.#logBytes = 0
  }

  /** Rolls back what is not persisted, and refuses writes until it can be. */
  #fail(error: unknown): void {
    const { name, isFinal, onProblem, onUncertain } = this.#options
    const reason = this.#reason(error)
    const { own, active } = this.#persisted.scenarios
    // The counters of scenarios stay: storage never has them.
    const scenarios = { ...this.#workspace.scenarios.copy(), own, active }
    this.#workspace.rollBack({ ...this.#persisted, scenarios })
    this.#persisted = this.#workspace.checkpoint()
    this.#saved = this.#changes
    const isUncertain = isFinal(error) || error instanceof OwnedElsewhereError || isAway(error)
    const loss = isUncertain
      ? `The change may or may not be in ${name}: ${reason}.`
      : `The change could not be saved to ${name} (${reason}), so it was rolled back.`
    this.lastLoss = new NotSavedError(loss, 'rolled back', name)
    this.#refusal = new NotSavedError(
      `${name} cannot be written (${reason}): changes are refused until it can; reads continue.`,
      'not made',
      name,
    )
    this.#reject(isAway(error) || error instanceof OwnedElsewhereError ? error : this.lastLoss, () => true)
    if (isUncertain) return onUncertain(error instanceof Error ? error : this.lastLoss)
    onProblem(this.#refusal.message)
    void this.#repair()
  }

  /** Tries until a checkpoint is written, which is right whatever a failed append left. */
  async #repair(): Promise<void> {
    const { name, isFinal, onProblem, onUncertain, pause } = this.#options
    for (let delay = firstPauseMs; await pause(delay); delay = Math.min(2 * delay, longestPauseMs)) {
      if (this.#isEnded) return
      try {
        await this.#checkpoint(this.#persisted)
        this.#refusal = undefined
        if (this.#saved !== this.#changes) this.#running ??= this.#run()
        return onProblem(`${name} can be written again.`)
      } catch (error) {
        if (isFinal(error) || error instanceof OwnedElsewhereError)
          return onUncertain(error instanceof Error ? error : new Error(this.#reason(error)))
      }
    }
  }

  #reject(error: Error, isMeant: (waiter: Waiter) => boolean): void {
    const rejected = this.#waiting.filter(isMeant)
    this.#waiting = this.#waiting.filter((waiter) => !isMeant(waiter))
    for (const { reject } of rejected) reject(error)
  }

  #reason(error: unknown): string {
    const reason = this.#options.reasonOf(error)
    if (reason === undefined) this.#options.onBug(error)
    return reason ?? 'this is a bug of the sandbox'
  }
}

const isAway = (error: unknown): error is StorageUnavailableError => error instanceof StorageUnavailableError
