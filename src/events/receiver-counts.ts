// Counts the attempts that covered each point of a receiver.
import { countedPoints, type ReceiverPoint, type ReceiverPointId } from './receiver-points.ts'

export class ReceiverCounts {
  readonly #hits = new Map<ReceiverPointId, number>()
  readonly #total: ReceiverCounts | undefined
  /** Called with the points of each attempt that this total counts. */
  onCount: ((ids: readonly ReceiverPointId[]) => void) | undefined

  /** @param total also counts everything that is counted here. */
  constructor(total?: ReceiverCounts) {
    this.#total = total
  }

  /** Counts the points of one attempt. */
  count(ids: readonly ReceiverPointId[]): void {
    for (const id of ids) this.#add(id, 1)
    if (ids.length > 0) this.#total?.onCount?.(ids)
  }

  clear(): void {
    for (const [id, hits] of this.#hits) this.#add(id, -hits)
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
