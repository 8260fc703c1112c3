// The recent calls of a workspace: the newest ones, without bodies, and which of them are new.
import { numberOf } from './in-order.ts'
import type { StreamedEntry } from './source.ts'

/** The maximum number of calls. */
export const maxCalls = 50_000

export class RecentCalls {
  /** Oldest first. */
  #all: StreamedEntry[] = []
  #ids = new Set<string>()
  #watching = new Set<() => void>()
  /** How many are gone, and why that is; undefined when nothing was lost. */
  gone: string | undefined
  /** The number of calls that came too fast for the stream. */
  dropped = 0
  /** How many came since the page was opened. */
  added = 0
  /** How many of all met no endpoint, and how many were refused: those that the filter of that outcome shows. */
  readonly counts = { unmatched: 0, refused: 0 }

  get size(): number {
    return this.#all.length
  }

  /** @param place counted from the newest. */
  at(place: number): StreamedEntry | undefined {
    return this.#all[this.#all.length - 1 - place]
  }

  /** @param skipped how many of the newest to leave out. */
  *newestFirst(skipped = 0): Generator<StreamedEntry> {
    for (let place = skipped; place < this.size; place++) {
      const call = this.at(place)
      if (call) yield call
    }
  }

  find(id: string): StreamedEntry | undefined {
    return this.#ids.has(id) ? this.#all.findLast((call) => call.id === id) : undefined
  }

  /** Adds new calls, oldest first. */
  add(calls: readonly StreamedEntry[]): void {
    for (const call of calls) {
      if (this.#ids.has(call.id)) continue
      this.#note(call)
      this.#all.push(call)
      this.added += 1
    }
    // Now and then, as moving so many takes long.
    if (this.#all.length > maxCalls * 1.1) {
      for (const { id } of this.#all.splice(0, this.#all.length - maxCalls)) this.#ids.delete(id)
    }
    this.#tell()
  }

  /** Adds earlier calls, oldest first. The stream sends newer calls by itself. */
  addOlder(calls: readonly StreamedEntry[]): void {
    const [oldest] = this.#all
    const before = oldest ? calls.filter(({ id }) => numberOf(id) < numberOf(oldest.id)) : calls
    for (const call of before) this.#note(call)
    this.#all = [...before, ...this.#all]
    this.#tell()
  }

  /** Counts calls that came too fast for the stream. */
  addDropped(count: number): void {
    this.dropped += count
    this.#tell()
  }

  /** Drops all of them. @param why such as `The workspace was reset.`; omitted if another message says it. */
  clear(why?: string): void {
    if (this.#all.length > 0) this.gone = why
    this.#all = []
    this.#ids.clear()
    Object.assign(this.counts, { unmatched: 0, refused: 0 })
    this.dropped = 0
    this.#tell()
  }

  /** Tells of each change. */
  watch(tell: () => void): () => void {
    this.#watching.add(tell)
    return () => this.#watching.delete(tell)
  }

  #note({ id, outcome }: StreamedEntry): void {
    this.#ids.add(id)
    if (outcome === 'unmatched') this.counts.unmatched += 1
    else if (outcome === 'refused') this.counts.refused += 1
  }

  #tell(): void {
    for (const tell of this.#watching) tell()
  }
}
