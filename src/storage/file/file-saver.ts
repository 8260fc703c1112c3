// Saves a workspace to its data file as it is written: group commits, rollback and retry when the disk fails.
import { onceAborted, wait } from '../../runtime/wait.ts'
import { GroupCommit } from './group-commit.ts'
import { NotSavedError, type Durability, type Keeper } from '../../workspaces/keeper.ts'
import { deltaSince } from '../delta.ts'
import { GivenUp, type FileCheckpoint, type StateFile } from './state-file.ts'
import { isFinal, LostLockError, ourBug, whyNotSaved } from './files.ts'
import type { Workspace } from '../../workspaces/workspace.ts'

/** How a workspace is kept, and who is told of what happens to its file. */
export interface KeeperOptions {
  /** It cannot be written, or can be again. */
  onProblem(line: string): void
  /** It cannot be written any more, and is not tried again. */
  onLost(error: NotSavedError): void
  /** It could not be written for a bug of ours. */
  onBug(error: unknown): void
  file: StateFile
  /** How messages name the file. */
  name: string
  durability: Durability
  /** The last commit that the file knows. */
  seq: number
  /** Settles when the file may be written, where others are at it still. */
  before?: Promise<unknown>
  /** Gives up the first save of a start that is asked to end. */
  signal?: AbortSignal | undefined
  /** Waits before something that failed is tried again; false when there is no use in it any more. */
  pause(milliseconds: number, ...signals: readonly AbortSignal[]): Promise<boolean>
}

/** The last commit of a file that is not there yet. */
const none = -1

const firstPauseMs = 100
const longestPauseMs = 5000

/** How long closing waits for a last snapshot that it can do without, as the journal has it all. */
const patienceMs = 300

/**
 * Keeps a workspace in a data file. What is written in one turn of the event loop, or while something else is being
 * saved, is saved together. What was saved last is remembered as a fork: when saving fails, the workspace goes back to
 * it, and nothing can be written until saving succeeds.
 */
export class FileSaver implements Keeper {
  readonly #workspace: Workspace
  readonly #options: KeeperOptions
  readonly #groupCommit = new GroupCommit(() => this.#save())
  /** The number of the last commit, also of one that is not saved. */
  #seq: number
  /** The last checkpoint that is persisted. */
  #persisted: FileCheckpoint
  /** The number of the last commit in the file: one that changed nothing, such as freezing twice, is not in it. */
  #writtenSeq: number
  /** Its keys are others. */
  #endsKeys = false
  /** The number of the last time when it became another one. */
  #replacedAt = -1
  /** What writing is answered with while the file cannot be written. */
  #failure: NotSavedError | undefined
  lastLoss: NotSavedError | undefined
  #isLost = false
  #unwatch: () => void = () => undefined
  #repairing: Promise<void> | undefined
  #closing: Promise<void> | undefined

  private constructor(workspace: Workspace, options: KeeperOptions) {
    this.#workspace = workspace
    this.#options = options
    this.#seq = options.seq
    this.#writtenSeq = options.seq
    this.#persisted = this.#checkpoint()
  }

  /**
   * Saves the state of a workspace once, which shows whether the file can be written, and keeps it from here on.
   * @throws the failure of the file system.
   */
  static async start(workspace: Workspace, options: KeeperOptions): Promise<FileSaver> {
    const keeper = new FileSaver(workspace, options)
    await options.file.start(keeper.#persisted, options.signal)
    workspace.keeper = keeper
    const { lost } = options.file
    // Also where nothing is written, so that nobody reads for long what is not there any more.
    keeper.#unwatch = onceAborted(lost, () => keeper.#lose(lost.reason))
    return keeper
  }

  /**
   * Keeps a workspace from here on, at once: its file is written once there is something to write, of a new one as
   * soon as may be.
   */
  static begin(workspace: Workspace, options: KeeperOptions, isNew: boolean): FileSaver {
    const keeper = new FileSaver(workspace, options)
    workspace.keeper = keeper
    if (!isNew) return keeper
    keeper.#persisted = { ...keeper.#persisted, seq: none }
    keeper.#groupCommit.ask()
    return keeper
  }

  /**
   * Settles once there is a file; undefined where there is one.
   * @throws {NotSavedError} by rejecting while it cannot be written.
   */
  written(): Promise<void> | undefined {
    if (this.isWritten) return undefined
    return this.#failure ? Promise.reject(this.#failure) : this.#groupCommit.saved(true)
  }

  /** Whether there is a file. */
  get isWritten(): boolean {
    return this.#persisted.seq !== none
  }

  /** Whether all that was written here is in the file. */
  get hasSaved(): boolean {
    return this.#seq === this.#persisted.seq
  }

  /** Whether the file can be written, as far as is known. */
  get isWell(): boolean {
    return this.#failure === undefined
  }

  requireWritable(): void {
    if (this.#failure) throw this.#failure
    if (this.#closing) throw new NotSavedError('The sandbox is closed, so nothing can be saved.', 'not made')
  }

  committed(): void {
    this.#seq += 1
    if (this.#options.durability !== 'exit') this.#groupCommit.ask()
  }

  replaced(keepsWrites = false): void {
    this.#seq += 1
    if (this.#options.durability === 'exit') return
    this.#replacedAt = this.#seq
    this.#endsKeys ||= keepsWrites
    if (keepsWrites) return this.#groupCommit.ask()
    const { name } = this.#options
    const message = `The whole state was replaced before this change was saved to ${name}: it is gone.`
    this.#groupCommit.drop(new NotSavedError(message, 'not made', name))
    this.#groupCommit.ask()
  }

  saved(): Promise<void> | undefined {
    // What was written before a failure is taken back, and its writers know.
    if (this.#failure || this.#options.durability === 'exit' || this.#seq === this.#persisted.seq)
      return undefined
    // Who replaced the whole state loses nothing when it is replaced once more: two resets are as good as one.
    return this.#groupCommit.saved(this.#seq === this.#replacedAt)
  }

  /**
   * Saves what is left as one snapshot, and gives the file back. Nothing can be written from here on.
   * @param hasTime whether nobody waits for it.
   * @throws {NotSavedError} when something is not kept that should be.
   */
  close(hasTime = false): Promise<void> {
    return (this.#closing ??= this.#close(hasTime))
  }

  /** Gives the file back as it is, as it will be removed; then nobody waits for it any more. */
  abandon(): Promise<void> {
    return (this.#closing ??= this.#abandon())
  }

  async #abandon(): Promise<void> {
    await this.#groupCommit.idle()
    await this.#repairing
    await this.#giveBack()
  }

  async #close(hasTime: boolean): Promise<void> {
    const { file, durability, name, onProblem } = this.#options
    await this.#groupCommit.idle()
    await this.#repairing
    try {
      // Only without a journal is the file closed all the time, and one that nobody wrote to.
      const isClosed = durability === 'exit' || !file.hasStarted
      if (!this.#failure && !(isClosed && this.hasSaved)) await this.#saveLast(hasTime)
    } catch (error) {
      const reason = this.#reasonOf(error)
      if (durability === 'exit') throw new NotSavedError(`${name} was not saved: ${reason}.`, 'taken back')
      if (error instanceof GivenUp) return
      const where =
        error instanceof LostLockError ? 'What was acknowledged is in it.' : 'Its journal has it all.'
      onProblem(`${name} was not saved at the end: ${reason}. ${where}`)
    } finally {
      await this.#giveBack()
    }
  }

  async #giveBack(): Promise<void> {
    this.#unwatch()
    // All that is left to go wrong is tidying up.
    await this.#options.file.close().catch(() => undefined)
  }

  async #saveLast(hasTime: boolean): Promise<void> {
    const giveUp = new AbortController()
    const done = new AbortController()
    if (this.#options.durability !== 'exit' && !hasTime) {
      void wait(patienceMs, done.signal).then((timeIsUp) => timeIsUp && giveUp.abort())
    }
    await this.#options.file.end(this.#checkpoint(), giveUp.signal).finally(() => done.abort())
  }

  /** One save of the group commit. */
  async #save(): Promise<void> {
    await this.#options.before
    const [workspace, endsKeys] = [this.#workspace, this.#endsKeys]
    const delta = deltaSince(this.#persisted, workspace, { base: workspace.state, withRecords: false })
    const next = this.#checkpoint()
    this.#endsKeys = false
    try {
      const isWhole = !this.isWritten || delta?.replaced === true
      if (isWhole) await this.#options.file.save(next, endsKeys)
      else if (delta) await this.#options.file.append(delta, this.#writtenSeq, next)
      if (isWhole || delta) this.#writtenSeq = next.seq
    } catch (error) {
      throw this.#fail(error)
    }
    this.#persisted = next
  }

  #checkpoint(): FileCheckpoint {
    const workspace = this.#workspace
    const { keys, scenarios } = workspace
    return {
      ...workspace.checkpoint(),
      keys,
      hasStartScenarios: scenarios.isAtStart,
      seq: this.#seq,
    }
  }

  /** Takes back what is not saved, and refuses to write until something can be saved again. */
  #fail(error: unknown): NotSavedError {
    const { name, onProblem } = this.#options
    const reason = this.#reasonOf(error)
    const { own, active } = this.#persisted.scenarios
    // The counts of scenarios stay: a file never has them.
    const scenarios = { ...this.#workspace.scenarios.copy(), own, active }
    this.#workspace.rollBack({ ...this.#persisted, scenarios })
    this.#persisted = { ...this.#checkpoint(), seq: this.#persisted.seq }
    if (isFinal(error)) {
      this.#lose(error)
    } else {
      this.#failure = new NotSavedError(
        `${name} cannot be written (${reason}): nothing can be changed until it can. Reading goes on.`,
        'not made',
        name,
      )
      onProblem(this.#failure.message)
      this.#repairing = this.#repair()
    }
    // Who has the file now may have read it before it was taken back.
    const message = isFinal(error)
      ? `The change may or may not be in ${name}: ${reason}.`
      : `The change could not be saved to ${name} (${reason}), so it was taken back.`
    return (this.lastLoss = new NotSavedError(message, 'taken back', name))
  }

  /** Tries to save what is kept, until it succeeds. A whole snapshot is right whatever the failure has left. */
  async #repair(): Promise<void> {
    const { name, onProblem, pause } = this.#options
    for (let delay = firstPauseMs; await pause(delay); delay = Math.min(2 * delay, longestPauseMs)) {
      try {
        // A new number, as the file may hold commits that were taken back.
        const next = { ...this.#persisted, seq: ++this.#seq }
        await this.#options.file.save(next)
        this.#persisted = next
        this.#writtenSeq = next.seq
        this.#failure = undefined
        return onProblem(`${name} can be written again.`)
      } catch (error) {
        if (isFinal(error)) return this.#lose(error)
      }
    }
  }

  #lose(error: unknown): void {
    if (this.#isLost) return
    this.#isLost = true
    const { name, durability, onLost } = this.#options
    const fate =
      durability === 'exit' ? 'What was changed since the start is lost' : 'What was acknowledged is in it'
    const next =
      error instanceof LostLockError
        ? 'end one of the two, or give each a file of its own with --data'
        : 'start again once the disk is well'
    this.#failure = new NotSavedError(
      `${name} cannot be written any more: ${this.#reasonOf(error)}. ${fate}; ${next}.`,
      'not made',
      name,
    )
    // Whoever closes it is told by that.
    if (!this.#closing) onLost(this.#failure)
  }

  #reasonOf(error: unknown): string {
    const reason = whyNotSaved(error)
    if (reason !== undefined) return reason
    if (!(error instanceof GivenUp)) this.#options.onBug(error)
    return ourBug
  }
}
