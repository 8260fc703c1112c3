// A batch: tasks that share one round trip, and their changes, until the engine confirms them.
import { stringify } from '../../json/stringify.ts'
import { uniqueName } from '../../runtime/host.ts'
import type { Checkpoint } from '../../workspaces/workspace.ts'
import type { Delta } from '../delta.ts'
import type { Synced } from './sync.ts'
import type { CallRecord } from './replica-context.ts'
import type { ReplicaTask } from './tasks.ts'

export interface QueuedTask {
  readonly task: ReplicaTask
  attempts: number
  number: number | undefined
}

/** Tasks that ran, and whose changes are not persisted yet. */
export class Batch {
  readonly nonce = uniqueName()
  readonly isAlone: boolean
  /** Tasks that complete once the batch is persisted. */
  readonly done: QueuedTask[] = []
  /** Tasks that continue elsewhere: they are notified when the batch is rolled back. */
  readonly left: ReplicaTask[] = []
  readonly commits: { nonce: string; text: string }[] = []
  readonly calls: string[] = []
  readonly hits = new Map<string, number>()
  flags = ''
  /** The state of the workspace once the batch is persisted. */
  after: Checkpoint | undefined
  /** The batch persists direct writes: those that this process made outside of tasks. */
  hasDirectWrites = false

  constructor(isAlone = false) {
    this.isAlone = isAlone
  }

  /** The batch has nothing to persist. */
  get isEmpty(): boolean {
    return this.commits.length + this.calls.length + this.hits.size === 0 && this.flags === ''
  }

  commit(delta: Delta): void {
    this.commits.push({ nonce: uniqueName(), text: stringify(delta) })
  }

  keep({ journal, coverage }: CallRecord): void {
    this.calls.push(journal)
    for (const id of coverage) this.#addHit(id, 1)
  }

  /** Adds counts of coverage, by the ids of points. */
  addHits(counts: ReadonlyMap<string, number>): void {
    for (const [id, count] of counts) this.#addHit(id, count)
  }

  #addHit(id: string, count: number): void {
    this.hits.set(id, (this.hits.get(id) ?? 0) + count)
  }
}

export function assignNumbers(unnumbered: readonly QueuedTask[], { number }: Synced): void {
  for (const [place, one] of unnumbered.entries()) one.number = number - unnumbered.length + place + 1
}
