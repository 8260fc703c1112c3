// The replica of a workspace in this process: it applies the entries and snapshots of the log, and reloads when the log
// has another history.
import { parseExact } from '../../json/parse-exact.ts'
import { monotonicNow } from '../../runtime/host.ts'
import { NotSavedError } from '../../workspaces/saver.ts'
import type { Checkpoint, Workspace } from '../../workspaces/workspace.ts'
import { apply, baseOf, deltaSchema, deltaSince, type Delta } from '../delta.ts'
import { LogEnd } from './log-end.ts'
import { writeSnapshot } from './log-snapshot.ts'
import type { Batch } from './batch.ts'
import { patternOf } from './declare-script.ts'
import { keepSnapshot } from './workspace-scripts.ts'
import { sendBatch } from './send-batch.ts'
import type { ReplicaContext } from './replica-context.ts'
import type { Entry, Synced } from './sync.ts'
import { DamagedError } from './tasks.ts'
import { reportDelayMs } from './access-reports.ts'

/** The workspace in this process, up to the last entry of the log that was applied. */
export class Replica {
  readonly #context: ReplicaContext
  #end = new LogEnd()
  /** The last state of the workspace that is known to be persisted. */
  persisted: Checkpoint | undefined
  /** The last `catchUp` found a reset, or another history. */
  wasReset = false
  /** Why direct writes were rolled back; a new object each time. */
  lastLoss: NotSavedError | undefined

  constructor(context: ReplicaContext) {
    this.#context = context
  }

  /** The last entry of the log that was applied; 0 if there is no log. */
  get version(): number {
    return this.#end.version
  }

  /** Sends a batch; without one it only reads the next entries of the log. */
  send(batch: Batch | undefined, numbers: number): Promise<Synced> {
    return sendBatch(this.#context, this.#end, batch, numbers, this.#usedAgo(this.#soon))
  }

  /** Time since the last access at this replica (ms); undefined if a report is younger than `reportEvery`. */
  #usedAgo(reportEvery: number): number | undefined {
    const workspace = this.#context.reportAccessEvery === undefined ? undefined : this.#context.find()
    if (!workspace) return undefined
    const now = monotonicNow()
    const usedAt = workspace.uses > 0 ? now : workspace.usedAt
    return usedAt - this.#end.reportedAccessAt >= reportEvery ? now - usedAt : undefined
  }

  get #soon(): number {
    return Math.min(reportDelayMs, this.#context.reportAccessEvery ?? Infinity)
  }

  /**
   * Whether a report of the last access needs a round trip of its own.
   * @param mayStayOpen a task may stay open: report it soon, as no other replica knows of it yet.
   */
  isAccessReportDue(mayStayOpen = false): boolean {
    return (
      this.#usedAgo(mayStayOpen ? this.#soon : (this.#context.reportAccessEvery ?? Infinity)) !== undefined
    )
  }

  /** Applies the entries of the log that are missing here. */
  async catchUp(first: Synced): Promise<void> {
    const { figures } = this.#context
    let reply = first
    this.wasReset = false
    figures.lagVersions = reply.how === 'none' ? 0 : Math.max(0, reply.head - this.#end.version)
    for (;;) {
      const known = this.#end.version
      if (reply.how === 'foreign') throw this.#damaged()
      if (reply.how === 'none') {
        if (known > 0) {
          figures.histories += 1
          this.wasReset = true
          this.forget()
          this.#context.drop()
        }
        return
      }
      if (reply.how === 'tail' && reply.entries.length === 0) return
      this.#rollBackDirectWrites()
      if (reply.how !== 'tail') {
        if (known > 0 && reply.how === 'reload') {
          figures.histories += 1
          this.wasReset = true
        }
        await this.#reload(reply.snapshot)
      }
      for (const entry of reply.entries) await this.#follow(entry)
      this.persisted = this.currentCheckpoint()
      if (this.#end.version >= reply.head) return
      reply = await this.send(undefined, 0)
    }
  }

  /** Rolls back direct writes that are not persisted: they conflict with entries of other replicas. */
  #rollBackDirectWrites(): void {
    const workspace = this.#context.find()
    if (!workspace || !this.persisted || this.#end.version === 0) return
    if (!this.deltaSince(this.persisted, workspace)) return
    this.reportLostDirectWrites()
    workspace.rollBack(this.persisted)
  }

  /** Reports to callers of `saved()` that direct writes were rolled back. */
  reportLostDirectWrites(): void {
    this.lastLoss = new NotSavedError(
      'Another replica wrote first, so this write was rolled back: await saved(), then write again.',
      'rolled back',
    )
  }

  async #follow({ version, nonce, before, text }: Entry): Promise<void> {
    if (version !== this.#end.version + 1 || (this.#end.version > 0 && before !== this.#end.nonce)) {
      throw this.#damaged(
        new Error(`the log continues at ${version} after ${before}, and not after ${this.#end.version}`),
      )
    }
    await this.#apply(text)
    this.#end.add(nonce, text.length)
  }

  async #reload(snapshot: string): Promise<void> {
    this.#end = new LogEnd(snapshot.length)
    if (snapshot === '') return
    const [version = '', nonce = ''] = snapshot.split(' ', 2)
    await this.#apply(snapshot.slice(version.length + nonce.length + 2))
    this.#end.version = Number(version)
    this.#end.nonce = nonce
  }

  /**
   * @throws {DamagedError} for an entry that no sandbox of this format wrote. @throws {ForeignError} for another
   * baseline.
   */
  async #apply(text: string): Promise<void> {
    const { origin, find, create: make, baseline, foreignBaseline } = this.#context
    let delta: Delta
    try {
      delta = deltaSchema.parse(parseExact(text))
    } catch (error) {
      throw this.#damaged(error)
    }
    if (delta.born && delta.born.baseline !== baseline) throw foreignBaseline()
    if (delta.reset) this.wasReset = true
    try {
      await apply(delta, find() ?? make(), origin())
    } catch (error) {
      // A part of the entry may have been applied: the next batch starts from the snapshot.
      this.forget()
      throw this.#damaged(error)
    }
  }

  #damaged(cause?: unknown): DamagedError {
    return new DamagedError(patternOf(this.#context.keys), { cause })
  }

  /** Drops the position in the log, as the workspace is or will be deleted. */
  forget(): void {
    this.#end = new LogEnd()
    this.persisted = undefined
  }

  /** Rolls the workspace back to the last state that is known to be persisted. */
  restore(): void {
    if (this.persisted) this.#context.find()?.rollBack(this.persisted)
    this.persisted = this.currentCheckpoint()
  }

  /** Moves the position after the entries of a persisted batch. */
  advance({ commits }: Batch): void {
    for (const { nonce, text } of commits) this.#end.add(nonce, text.length)
  }

  /** The changes since a checkpoint; undefined for none. */
  deltaSince(before: Checkpoint, workspace: Workspace): Delta | undefined {
    return deltaSince(before, workspace, {
      base: baseOf(workspace, this.#context.origin()),
      withRecords: true,
    })
  }

  /** The current checkpoint. @param same the last one, if no delta followed: saves a fork per read. */
  currentCheckpoint(same?: Checkpoint): Checkpoint | undefined {
    const workspace = this.#context.find()
    if (!workspace || this.#end.version === 0) return undefined
    return same ? { ...same, clears: workspace.clears } : workspace.checkpoint()
  }

  /** Replaces a long log by a snapshot in the background. */
  snapshotIfDue(): void {
    const { engine, keys, figures, origin, find, snapshotEvery, baseline } = this.#context
    const end = this.#end
    if (!end.isSnapshotDue(snapshotEvery)) return
    const workspace = find()
    // The persisted state excludes batches in flight, and the version is that of the persisted state.
    if (!this.persisted || !workspace) return
    end.resetCounts()
    const text = writeSnapshot(workspace, this.persisted, origin(), baseline)
    end.snapshotBytes = text.length
    const from = Math.max(1, end.version - snapshotEvery.kept)
    figures.roundTrips += 1
    // If the snapshot fails, the next attempt follows after as many entries again.
    engine.run(keepSnapshot, keys, [end.version, end.nonce, from, text]).catch(() => undefined)
  }
}
