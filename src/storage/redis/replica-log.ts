// The log of one workspace, as this replica reads and extends it: queued tasks run in batches, and run again when another
// replica wrote first.
import { yieldToEventLoop } from '../../runtime/event-loop.ts'
import { scenariosText } from '../../scenarios/scenarios-text.ts'
import type { NotSavedError } from '../../workspaces/saver.ts'
import type { Checkpoint } from '../../workspaces/workspace.ts'
import { baseOf } from '../delta.ts'
import { Replica } from './replica.ts'
import { assignNumbers, Batch, type QueuedTask } from './batch.ts'
import { creationText } from '../checkpoint-text.ts'
import type { ReplicaContext } from './replica-context.ts'
import { StorageUnavailableError } from '../../workspaces/storage.ts'
import { DamagedError, type ReplicaTask } from './tasks.ts'

/** Maximum number of tasks per batch: it limits how long a queued call waits for earlier calls. */
const maxTasks = 256

/** Maximum number of attempts that lose a race. */
const maxAttempts = 20

export class ReplicaLog {
  readonly #context: ReplicaContext
  readonly #replica: Replica
  #queue: QueuedTask[] = []
  #running: Promise<void> | undefined

  constructor(context: ReplicaContext) {
    this.#context = context
    this.#replica = new Replica(context)
  }

  get version(): number {
    return this.#replica.version
  }

  /** Why direct writes were rolled back; a new object each time. */
  get lastLoss(): NotSavedError | undefined {
    return this.#replica.lastLoss
  }

  /** No task is queued, there is no log, and no loss is left to report: the object may be dropped. */
  get isIdle(): boolean {
    return this.#running === undefined && this.#replica.version === 0 && this.lastLoss === undefined
  }

  /** Whether this replica must report its last access. */
  get isAccessReportDue(): boolean {
    return this.#replica.isAccessReportDue()
  }

  /** Queues a task for one of the next batches. */
  enter(task: ReplicaTask): void {
    this.#queue.push({ task, attempts: 0, number: undefined })
    this.#start()
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // A task that was queued meanwhile would otherwise wait forever.
      if (this.#queue.length > 0) this.#start()
      else this.#context.onIdle()
    })
  }

  /** Resolves when no batch is running. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // All tasks of this iteration of the event loop share one round trip.
    await yieldToEventLoop()
    let batch: Batch | undefined
    while (batch !== undefined || this.#queue.length > 0) {
      batch ??= this.#clearing()
      const entering = this.#take(batch)
      const numbers = entering.filter(({ number, task }) => number === undefined && task.isUnnumbered)
      try {
        const reply = await this.#replica.send(batch, numbers.length)
        if (reply.how !== 'none') assignNumbers(numbers, reply)
        const again = batch !== undefined && reply.status === 'lost' ? this.#lose(batch) : []
        entering.unshift(...again)
        if (batch !== undefined && reply.status !== 'lost') this.#complete(batch)
        batch = undefined
        await this.#replica.catchUp(reply)
        this.#context.setDamage(undefined)
        if (this.#replica.wasReset) this.#renumber(entering.splice(0, again.length))
        if (entering.length === 0) continue
        if (this.#replica.version > 0 && !this.#context.find()) {
          // It was deleted in this process, and soon will be at all replicas: the tasks run before or after that.
          this.#replica.forget()
          this.#queue.unshift(...entering)
          continue
        }
        // Another replica may delete a workspace that was just opened.
        for (let tries = 0; tries < maxAttempts && this.#replica.version === 0; tries++) {
          if (!entering.some(({ task }) => task.creates())) break
          await this.#open(entering)
        }
        batch = await this.#runAll(entering).catch((error: unknown) => {
          // Otherwise changes of a half-run batch would become part of the next batch.
          this.#replica.restore()
          throw error
        })
        // Report the access in the same script as the commit, so that eviction cannot come between.
        const mayStayOpen = batch.isAlone || batch.left.length > 0
        if (batch.isEmpty && !this.#replica.isAccessReportDue(mayStayOpen)) batch = this.#complete(batch)
        this.#replica.snapshotIfDue()
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error))
        if (failure instanceof DamagedError) this.#context.setDamage(failure.message)
        if (batch) this.#undo(batch)
        for (const task of batch?.left ?? []) task.fail(failure)
        for (const { task } of [...(batch?.done ?? []), ...entering]) task.fail(failure)
        batch = undefined
      }
    }
  }

  /** Takes the tasks of the next batch from the queue; an exclusive task has a batch of its own. */
  #take(batch: Batch | undefined): QueuedTask[] {
    const [first] = this.#queue
    if (first === undefined || batch?.isAlone) return []
    if (first.task.alone) return batch === undefined ? this.#queue.splice(0, 1) : []
    const alone = this.#queue.findIndex(({ task }) => task.alone)
    return this.#queue.splice(0, Math.min(maxTasks, alone === -1 ? maxTasks : alone))
  }

  /** A batch that persists a reset or a clear made outside of tasks, before the next request numbers are assigned. */
  #clearing(): Batch | undefined {
    const workspace = this.#context.find()
    const { persisted, version } = this.#replica
    if (!workspace || !persisted || version === 0) return undefined
    const flags = clearsSince(persisted, workspace)
    if (flags === '') return undefined
    const batch = new Batch()
    batch.flags = flags
    const directWrites = this.#replica.deltaSince(persisted, workspace)
    if (directWrites) batch.commit(directWrites)
    batch.hasDirectWrites = directWrites !== undefined
    batch.after = this.#replica.currentCheckpoint()
    return batch
  }

  /** Assigns new request numbers to calls from before a reset: they run as if they had arrived later. */
  #renumber(again: readonly QueuedTask[]): void {
    for (const one of again) {
      one.number = undefined
      one.task.renumber()
    }
    this.#queue.unshift(...again)
  }

  /** Rolls back a batch that lost against another replica. Returns the tasks to retry. */
  #lose(batch: Batch): QueuedTask[] {
    this.#context.figures.retries += 1
    this.#undo(batch)
    const again: QueuedTask[] = []
    for (const one of batch.done) {
      one.attempts += 1
      if (one.attempts < maxAttempts) again.push(one)
      else {
        const message = `Other replicas wrote first ${maxAttempts} times in a row, so nothing was changed: retry.`
        one.task.fail(new StorageUnavailableError(message))
      }
    }
    return again
  }

  /** Creates the workspace, unless another replica was faster. */
  async #open(entering: readonly QueuedTask[]): Promise<void> {
    const { find, create: make, register, origin, baseline } = this.#context
    await register()
    const workspace = find() ?? make()
    const base = baseOf(workspace, origin())
    const batch = new Batch()
    // It includes earlier writes of this process.
    batch.commit({
      ...this.#replica.deltaSince(
        { ...workspace.checkpoint(), state: base, isolation: undefined, snapshots: new Map() },
        workspace,
      ),
      at: workspace.clock.now(),
      born: creationText(workspace, origin().state, baseline),
      scenarios: scenariosText(workspace.scenarios.copy(), true),
    })
    const numbers = entering.filter(({ task, number }) => number === undefined && task.isUnnumbered)
    const reply = await this.#replica.send(batch, numbers.length)
    assignNumbers(numbers, reply)
    if (reply.status === 'kept') this.#replica.advance(batch)
    await this.#replica.catchUp(reply)
    this.#replica.persisted = this.#replica.currentCheckpoint()
  }

  /** Runs the tasks of the next batch, in order, on the current state. */
  async #runAll(entering: readonly QueuedTask[]): Promise<Batch> {
    const batch = new Batch(entering.some(({ task }) => task.alone === true))
    const workspace = this.#replica.version === 0 ? undefined : this.#context.find()
    let last = this.#replica.persisted
    const commit = (): boolean => {
      const delta = workspace && last && this.#replica.deltaSince(last, workspace)
      if (!delta) return false
      batch.commit(delta)
      last = workspace.checkpoint()
      return true
    }
    // Only an exclusive task may await: otherwise other work could run between two tasks of a batch.
    batch.hasDirectWrites = commit()
    for (const one of entering) {
      const { task, number } = one
      const running = task.run(workspace && { workspace, number })
      if (running) await running
      commit()
      if (workspace) batch.addHits(workspace.coverage.receiver.takeUnsaved())
      const done = task.done(this.#replica.version + batch.commits.length)
      if (done === 'waiting') batch.left.push(task)
      else {
        if (done.call) batch.keep(this.#context.recordOf(done.call))
        batch.done.push(one)
      }
    }
    batch.after = this.#replica.currentCheckpoint(last)
    const { persisted } = this.#replica
    if (persisted && batch.after) batch.flags = clearsSince(persisted, batch.after)
    return batch
  }

  #undo({ done, left, hasDirectWrites, after }: Batch): void {
    const workspace = this.#context.find()
    const directWrites = workspace && after && this.#replica.deltaSince(after, workspace)
    if (hasDirectWrites || directWrites) this.#replica.reportLostDirectWrites()
    this.#replica.restore()
    for (const task of left) task.rolledBack()
    for (const { task } of done) task.rolledBack()
  }

  /** Completes the tasks of a persisted batch. */
  #complete(batch: Batch): undefined {
    this.#replica.advance(batch)
    this.#replica.persisted = batch.after ?? this.#replica.persisted
    for (const { task } of batch.done) {
      try {
        task.persisted()
      } catch (error) {
        // The batch is persisted in any case: the other tasks must complete.
        task.fail(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }
}

/** The resets and clears since a checkpoint, as flags of the script: j journal, n request numbers, c coverage. */
function clearsSince(before: Checkpoint, now: Pick<Checkpoint, 'resets' | 'clears'>): string {
  const isReset = now.resets !== before.resets
  const isJournalCleared = isReset || now.clears.journal !== before.clears.journal
  const isCoverageCleared = now.clears.coverage !== before.clears.coverage
  return `${isJournalCleared ? 'j' : ''}${isReset ? 'n' : ''}${isCoverageCleared ? 'c' : ''}`
}
