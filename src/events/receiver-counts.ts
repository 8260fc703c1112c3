// Counts the attempts that covered each point of a receiver.
import { countedPoints, receiverPoints, type ReceiverPoint, type ReceiverPointId } from './receiver-points.ts'

/** The id of a count among those of contract points, which have the id of an operation in front. */
const countId = (id: ReceiverPointId): string => `receiver/${id}`

export class ReceiverCounts {
  readonly #hits = new Map<ReceiverPointId, number>()
  readonly #total: ReceiverCounts | undefined
  /** Called with the points of each attempt that this total counts. */
  onCount: ((ids: readonly ReceiverPointId[]) => void) | undefined
  /** The counts that a shared store does not have yet. */
  #unsaved = new Map<string, number>()

  /** @param total also counts everything that is counted here. */
  constructor(total?: ReceiverCounts) {
    this.#total = total
  }

  /** Counts the points of one attempt. */
  count(ids: readonly ReceiverPointId[]): void {
    for (const id of ids) {
      this.#add(id, 1)
      this.#unsaved.set(countId(id), (this.#unsaved.get(countId(id)) ?? 0) + 1)
    }
    if (ids.length > 0) this.#total?.onCount?.(ids)
  }

  /** Returns the counts since the last time, by id, for a shared store. */
  takeUnsaved(): ReadonlyMap<string, number> {
    const unsaved = this.#unsaved
    if (unsaved.size > 0) this.#unsaved = new Map()
    return unsaved
  }

  /** Replaces the counts by those of a shared store. */
  set(counts: ReadonlyMap<string, number>): void {
    for (const { id } of receiverPoints) this.#add(id, (counts.get(countId(id)) ?? 0) - this.#of(id))
  }

  clear(): void {
    this.set(new Map())
    this.#unsaved = new Map()
  }

  /** Every point with its count. */
  list(): ReceiverPoint[] {
    return countedPoints(this.#hits)
  }

  #of(id: ReceiverPointId): number {
    return this.#hits.get(id) ?? 0
  }

  #add(id: ReceiverPointId, count: number): void {
    this.#hits.set(id, this.#of(id) + count)
    if (this.#total) this.#total.#add(id, count)
  }
}
