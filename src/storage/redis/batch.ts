// A batch: the tasks that share one round trip, and the changes that they made, until the engine confirms them.
import { stringify } from '../../json/stringify.ts'
import { uniqueName } from '../../runtime/host.ts'
import type { Commit } from '../delta.ts'
import type { Settled } from './settled.ts'
import type { Synced } from './sync.ts'
import type { CallRecord } from './replica-context.ts'
import type { ReplicaTask } from './tasks.ts'

export interface QueuedTask {
  readonly task: ReplicaTask
  attempts: number
  number: number | undefined
}

/** What was done, and is not kept yet. */
export class Batch {
  readonly nonce = uniqueName()
  readonly isAlone: boolean
  /** Those who wait for it to be kept. */
  readonly done: QueuedTask[] = []
  /** Those who went on elsewhere, and are told when what they did is taken back. */
  readonly left: ReplicaTask[] = []
  readonly commits: { nonce: string; text: string }[] = []
  readonly calls: string[] = []
  readonly hits = new Map<string, number>()
  flags = ''
  /** Where the workspace stands once it is kept. */
  judged: Settled | undefined
  /** Something was written in this process beside all tasks. */
  hasDirect = false

  constructor(isAlone = false) {
    this.isAlone = isAlone
  }

  /** There is nothing that would have to be kept. */
  get isEmpty(): boolean {
    return this.commits.length + this.calls.length + this.hits.size === 0 && this.flags === ''
  }

  commit(commit: Commit): void {
    this.commits.push({ nonce: uniqueName(), text: stringify(commit) })
  }

  keep({ journal, coverage }: CallRecord): void {
    this.calls.push(journal)
    for (const id of coverage) this.hits.set(id, (this.hits.get(id) ?? 0) + 1)
  }
}

export function assignNumbers(unnumbered: readonly QueuedTask[], { number }: Synced): void {
  for (const [place, one] of unnumbered.entries()) one.number = number - unnumbered.length + place + 1
}
