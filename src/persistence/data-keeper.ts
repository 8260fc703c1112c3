// Saves a workspace to its data file as it is written: group commits, rollback and retry when the disk fails.
import { wait } from '../runtime/wait.ts'
import { Pump } from './pump.ts'
import type { Change } from '../store/transaction.ts'
import { NotSavedError, type Durability, type Keeper } from '../workspaces/keeper.ts'
import { GivenUp, type Commit, type Kept, type StateFile } from './state-file.ts'
import { isDiskFailure, ourBug, whyNotSaved } from './files.ts'
import type { Workspace } from '../workspaces/workspace.ts'

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
  /** Waits before something that failed is tried again; false when there is no use in it any more. */
  pause(milliseconds: number): Promise<boolean>
}

const firstPauseMs = 100
const longestPauseMs = 5000

/** How long closing waits for a last snapshot that it can do without, as the journal has it all. */
const patienceMs = 300

/**
 * Keeps a workspace in a data file. What is written in one turn of the event loop, or while something else is being
 * saved, is saved together. What was saved last is remembered as a fork: when saving fails, the workspace goes back to
 * it, and nothing can be written until saving succeeds.
 */
export class DataKeeper implements Keeper {
  readonly #workspace: Workspace
  readonly #options: KeeperOptions
  readonly #pump = new Pump(() => this.#save())
  /** The number of the last commit, also of one that is not saved. */
  #seq: number
  #kept: Kept
  /** Commits that nobody has begun to save. */
  #commits: Commit[] = []
  /** The state is another one, of which the journal knows nothing. */
  #isReplaced = false
  /** The number of the last time when it became another one. */
  #replacedAt = -1
  /** What writing is answered with while the file cannot be written. */
  #failure: NotSavedError | undefined
  lastLoss: NotSavedError | undefined
  #repairing: Promise<void> | undefined
  #closing: Promise<void> | undefined

  private constructor(workspace: Workspace, options: KeeperOptions) {
    this.#workspace = workspace
    this.#options = options
    this.#seq = options.seq
    this.#kept = this.#fork()
  }

  /**
   * Saves the state of a workspace once, which shows whether the file can be written, and keeps it from here on.
   * @throws the failure of the file system.
   */
  static async start(workspace: Workspace, options: KeeperOptions): Promise<DataKeeper> {
    const keeper = new DataKeeper(workspace, options)
    await options.file.start(keeper.#kept)
    workspace.keeper = keeper
    return keeper
  }

  /** Whether the file can be written, as far as is known. */
  get isWell(): boolean {
    return this.#failure === undefined
  }

  requireWritable(): void {
    if (this.#failure) throw this.#failure
    if (this.#closing) throw new NotSavedError('The sandbox is closed, so nothing can be saved.', 'not made')
  }

  committed(changes: readonly Change[]): void {
    const { state, clock } = this.#workspace
    this.#seq += 1
    if (this.#options.durability === 'exit') return
    this.#commits.push({
      seq: this.#seq,
      ids: state.ids,
      ...(clock.changed ? { clock: clock.read() } : {}),
      ops: changes.map(({ collection, id, after }) => ({ collection, id, ...(after ? { row: after } : {}) })),
    })
    this.#pump.ask()
  }

  replaced(): void {
    this.#seq += 1
    if (this.#options.durability === 'exit') return
    this.#commits = []
    this.#isReplaced = true
    this.#replacedAt = this.#seq
    const message = `The whole state was replaced before this change was saved to ${this.#options.name}: it is gone.`
    this.#pump.drop(new NotSavedError(message, 'not made'))
    this.#pump.ask()
  }

  saved(): Promise<void> | undefined {
    // What was written before a failure is taken back, and its writers know.
    if (this.#failure || this.#options.durability === 'exit' || this.#seq === this.#kept.seq) return undefined
    // Who replaced the whole state loses nothing when it is replaced once more: two resets are as good as one.
    return this.#pump.saved(this.#seq === this.#replacedAt)
  }

  /**
   * Saves what is left as one snapshot, and gives the file back. Nothing can be written from here on.
   * @throws {NotSavedError} when something is not kept that should be.
   */
  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    const { file, durability, name, onProblem } = this.#options
    await this.#pump.idle()
    await this.#repairing
    try {
      // Only without a journal is the file closed all the time.
      const isSaved = durability === 'exit' && this.#seq === this.#kept.seq
      if (!this.#failure && !isSaved) await this.#saveLast()
    } catch (error) {
      const reason = this.#reasonOf(error)
      if (durability === 'exit') throw new NotSavedError(`${name} was not saved: ${reason}.`, 'taken back')
      if (error instanceof GivenUp) return
      onProblem(`${name} was not saved at the end: ${reason}. Its journal has it all.`)
    } finally {
      // All that is left to go wrong is tidying up.
      await file.close().catch(() => undefined)
    }
  }

  async #saveLast(): Promise<void> {
    const giveUp = new AbortController()
    const done = new AbortController()
    if (this.#options.durability !== 'exit') {
      void wait(patienceMs, done.signal).then((timeIsUp) => timeIsUp && giveUp.abort())
    }
    await this.#options.file.end(this.#fork(), giveUp.signal).finally(() => done.abort())
  }

  /** One turn of the pump. */
  async #save(): Promise<void> {
    const [commits, isReplaced] = [this.#commits, this.#isReplaced]
    if (commits.length === 0 && !isReplaced) return
    const next = this.#fork()
    this.#commits = []
    this.#isReplaced = false
    try {
      if (isReplaced) await this.#options.file.save(next)
      else await this.#options.file.append(commits, this.#kept.seq, next)
    } catch (error) {
      throw this.#fail(error)
    }
    this.#kept = next
  }

  #fork(): Kept {
    const { state, clock } = this.#workspace
    return { state: state.fork(), clock: clock.fork(), seq: this.#seq }
  }

  /** Takes back what is not saved, and refuses to write until something can be saved again. */
  #fail(error: unknown): NotSavedError {
    const { name, onProblem } = this.#options
    const reason = this.#reasonOf(error)
    this.#workspace.goBack(this.#kept.state.fork(), this.#kept.clock.fork())
    this.#commits = []
    this.#isReplaced = false
    if (isDiskFailure(error)) {
      this.#lose(reason)
    } else {
      this.#failure = new NotSavedError(
        `${name} cannot be written (${reason}): nothing can be changed until it can. Reading goes on.`,
        'not made',
      )
      onProblem(this.#failure.message)
      this.#repairing = this.#repair()
    }
    const message = `The change could not be saved to ${name} (${reason}), so it was taken back.`
    return (this.lastLoss = new NotSavedError(message, 'taken back'))
  }

  /** Tries to save what is kept, until it succeeds. A whole snapshot is right whatever the failure has left. */
  async #repair(): Promise<void> {
    const { name, onProblem, pause } = this.#options
    for (let delay = firstPauseMs; await pause(delay); delay = Math.min(2 * delay, longestPauseMs)) {
      try {
        // A new number, as the file may hold commits that were taken back.
        const next = { ...this.#kept, seq: ++this.#seq }
        await this.#options.file.save(next)
        this.#kept = next
        this.#failure = undefined
        return onProblem(`${name} can be written again.`)
      } catch (error) {
        if (isDiskFailure(error)) return this.#lose(this.#reasonOf(error))
      }
    }
  }

  #lose(reason: string): void {
    const { name, onLost } = this.#options
    this.#failure = new NotSavedError(
      `${name} cannot be written any more: ${reason}. What was acknowledged is in it; start again once the disk is well.`,
      'not made',
    )
    onLost(this.#failure)
  }

  #reasonOf(error: unknown): string {
    const reason = whyNotSaved(error)
    if (reason !== undefined) return reason
    if (!(error instanceof GivenUp)) this.#options.onBug(error)
    return ourBug
  }
}
