// Saves a workspace to its data file: group commits, rollback and retry if the disk fails.
import { onceAborted, wait } from '../../runtime/wait.ts'
import { GroupCommit } from './group-commit.ts'
import { NotSavedError, type Durability, type Saver } from '../../workspaces/saver.ts'
import { deltaSince } from '../delta.ts'
import { GivenUp, type FileCheckpoint, type StateFile } from './state-file.ts'
import { isFinal, LostLockError, ourBug, whyNotSaved } from './files.ts'
import type { Workspace } from '../../workspaces/workspace.ts'

/** How a workspace is saved, and callbacks for problems of its file. */
export interface SaverOptions {
  /** Called when the file cannot be written, and when it can be again. */
  onProblem(line: string): void
  /** Called when the file can never be written again, and no retry follows. */
  onLost(error: NotSavedError): void
  /** Called when a bug of ours prevented a save. */
  onBug(error: unknown): void
  file: StateFile
  /** The name of the file in messages. */
  name: string
  durability: Durability
  /** The number of the last commit in the file. */
  seq: number
  /** Settles when the file may be written, if other work on it is still running. */
  before?: Promise<unknown>
  /** Aborts the first save of a start that is being stopped. */
  signal?: AbortSignal | undefined
  /** Waits before a retry; resolves to false if a retry is useless by then. */
  pause(milliseconds: number, ...signals: readonly AbortSignal[]): Promise<boolean>
}

/** The number of the last commit of a file that does not exist yet. */
const none = -1

const firstPauseMs = 100
const longestPauseMs = 5000

/** Timeout in ms for the last snapshot on close, which is optional, as the journal has every change. */
const closeTimeoutMs = 300

/**
 * Saves a workspace to its data file. Writes of one iteration of the event loop, and those that arrive during a save,
 * are saved together. It remembers the last saved state as a fork: if a save fails, the workspace is rolled back to it,
 * and writes are refused until a save succeeds.
 */
export class FileSaver implements Saver {
  readonly #workspace: Workspace
  readonly #options: SaverOptions
  readonly #groupCommit = new GroupCommit(() => this.#save())
  /** The number of the last commit, including one that is not saved. */
  #seq: number
  /** The last checkpoint that is persisted. */
  #persisted: FileCheckpoint
  /**
   * The number of the last commit in the file. A commit that changed nothing, such as freezing twice, is not in the
   * file.
   */
  #writtenSeq: number
  /** The keys of the workspace have changed. */
  #endsKeys = false
  /** The number of the last reset or restore. */
  #replacedAt = -1
  /** The error for writes while the file cannot be written. */
  #failure: NotSavedError | undefined
  lastLoss: NotSavedError | undefined
  #isLost = false
  #unwatch: () => void = () => undefined
  #repairing: Promise<void> | undefined
  #closing: Promise<void> | undefined

  private constructor(workspace: Workspace, options: SaverOptions) {
    this.#workspace = workspace
    this.#options = options
    this.#seq = options.seq
    this.#writtenSeq = options.seq
    this.#persisted = this.#checkpoint()
  }

  /**
   * Saves the state of a workspace once, which shows whether the file can be written, and then saves every change.
   * @throws the failure of the file system.
   */
  static async start(workspace: Workspace, options: SaverOptions): Promise<FileSaver> {
    const saver = new FileSaver(workspace, options)
    await options.file.start(saver.#persisted, options.signal)
    workspace.saver = saver
    const { lost } = options.file
    // Retries even without writes, so that no client reads lost state for long.
    saver.#unwatch = onceAborted(lost, () => saver.#lose(lost.reason))
    return saver
  }

  /**
   * Saves every change from now on. It writes the file after the first change, and that of a new workspace as soon as
   * possible.
   */
  static begin(workspace: Workspace, options: SaverOptions, isNew: boolean): FileSaver {
    const saver = new FileSaver(workspace, options)
    workspace.saver = saver
    if (!isNew) return saver
    saver.#persisted = { ...saver.#persisted, seq: none }
    saver.#groupCommit.ask()
    return saver
  }

  /**
   * Settles when the file exists; undefined if it already does.
   * @throws {NotSavedError} by rejecting while it cannot be written.
   */
  written(): Promise<void> | undefined {
    if (this.isWritten) return undefined
    return this.#failure ? Promise.reject(this.#failure) : this.#groupCommit.saved(true)
  }

  /** Whether the file exists. */
  get isWritten(): boolean {
    return this.#persisted.seq !== none
  }

  /** Whether every change is in the file. */
  get hasSaved(): boolean {
    return this.#seq === this.#persisted.seq
  }

  /** Whether the file can be written, according to the last attempt. */
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
    const message = `The whole state was replaced before this change was saved to ${name}: it is lost.`
    this.#groupCommit.drop(new NotSavedError(message, 'not made', name))
    this.#groupCommit.ask()
  }

  saved(): Promise<void> | undefined {
    // Changes before a failure are rolled back, and their writers have an error.
    if (this.#failure || this.#options.durability === 'exit' || this.#seq === this.#persisted.seq)
      return undefined
    // A caller that replaced the whole state loses nothing by another replacement: two resets are as good as one.
    return this.#groupCommit.saved(this.#seq === this.#replacedAt)
  }

  /**
   * Saves all changes as one snapshot and releases the file. No write is accepted after this.
   * @param hasTime whether no client waits for the result.
   * @throws {NotSavedError} if a change that was acknowledged could not be saved.
   */
  close(hasTime = false): Promise<void> {
    return (this.#closing ??= this.#close(hasTime))
  }

  /** Releases the file without a snapshot, as it will be removed; rejects all waiting writes. */
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
      // Only without a journal can the file be closed already, and only if nothing was written to it.
      const isClosed = durability === 'exit' || !file.hasStarted
      if (!this.#failure && !(isClosed && this.hasSaved)) await this.#saveLast(hasTime)
    } catch (error) {
      const reason = this.#reasonOf(error)
      if (durability === 'exit') throw new NotSavedError(`${name} was not saved: ${reason}.`, 'rolled back')
      if (error instanceof GivenUp) return
      const where =
        error instanceof LostLockError ? 'It has every acknowledged change.' : 'Its journal has every change.'
      onProblem(`${name} was not saved at the end: ${reason}. ${where}`)
    } finally {
      await this.#giveBack()
    }
  }

  async #giveBack(): Promise<void> {
    this.#unwatch()
    // Only cleaning up can still fail.
    await this.#options.file.close().catch(() => undefined)
  }

  async #saveLast(hasTime: boolean): Promise<void> {
    const giveUp = new AbortController()
    const done = new AbortController()
    if (this.#options.durability !== 'exit' && !hasTime) {
      void wait(closeTimeoutMs, done.signal).then((timeIsUp) => timeIsUp && giveUp.abort())
    }
    await this.#options.file.end(this.#checkpoint(), giveUp.signal).finally(() => done.abort())
  }

  /** Saves one group commit. */
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

  /** Rolls back all unsaved changes, and refuses writes until a save succeeds. */
  #fail(error: unknown): NotSavedError {
    const { name, onProblem } = this.#options
    const reason = this.#reasonOf(error)
    const { own, active } = this.#persisted.scenarios
    // The counters of scenarios stay: a file never has them.
    const scenarios = { ...this.#workspace.scenarios.copy(), own, active }
    this.#workspace.rollBack({ ...this.#persisted, scenarios })
    this.#persisted = { ...this.#checkpoint(), seq: this.#persisted.seq }
    if (isFinal(error)) {
      this.#lose(error)
    } else {
      this.#failure = new NotSavedError(
        `${name} cannot be written (${reason}): changes are refused until it can; reads continue.`,
        'not made',
        name,
      )
      onProblem(this.#failure.message)
      this.#repairing = this.#repair()
    }
    // The current holder of the file may have read it before the rollback.
    const message = isFinal(error)
      ? `The change may or may not be in ${name}: ${reason}.`
      : `The change could not be saved to ${name} (${reason}), so it was rolled back.`
    return (this.lastLoss = new NotSavedError(message, 'rolled back', name))
  }

  /** Retries until a save succeeds. A complete snapshot is right for any state that the failure left. */
  async #repair(): Promise<void> {
    const { name, onProblem, pause } = this.#options
    for (let delay = firstPauseMs; await pause(delay); delay = Math.min(2 * delay, longestPauseMs)) {
      try {
        // A new number, as the file may have commits that were rolled back.
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
      durability === 'exit' ? 'Changes since the start are lost' : 'It has every acknowledged change'
    const next =
      error instanceof LostLockError
        ? 'stop one of the two, or give each its own file with --data'
        : 'start again when the disk works'
    this.#failure = new NotSavedError(
      `${name} cannot be written any more: ${this.#reasonOf(error)}. ${fate}; ${next}.`,
      'not made',
      name,
    )
    // The close reports its own failure.
    if (!this.#closing) onLost(this.#failure)
  }

  #reasonOf(error: unknown): string {
    const reason = whyNotSaved(error)
    if (reason !== undefined) return reason
    if (!(error instanceof GivenUp)) this.#options.onBug(error)
    return ourBug
  }
}
