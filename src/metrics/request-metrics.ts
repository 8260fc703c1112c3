// Counts the calls of the API by operation and status, with their durations.
import { receivedStatus, type Call } from '../call/index.ts'

/** Upper bounds of the histogram buckets in ms; one more bucket takes longer calls. */
const bounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

/** Index by the first digit of the status. */
const statusClasses = ['lost', '1xx', '2xx', '3xx', '4xx', '5xx'] as const

/** How many calls took at most so many seconds, including all shorter ones. */
export interface Bucket {
  upTo: number
  count: number
}

export class RequestMetrics {
  readonly #byOperation = new Map<string, number[]>()
  readonly #buckets = [...bounds, Infinity].map(() => 0)
  #milliseconds = 0

  /** Counts a call that has ended. */
  count(call: Call): void {
    const { request, resolution, outcome } = call
    const operation = request.endpoint?.id ?? (resolution.stub ? 'stub' : 'unmatched')
    let counts = this.#byOperation.get(operation)
    if (!counts) this.#byOperation.set(operation, (counts = statusClasses.map(() => 0)))
    const place = Math.floor((receivedStatus(call) ?? 0) / 100)
    counts[place] = (counts[place] ?? 0) + 1
    let bucket = 0
    while (outcome.duration > (bounds[bucket] ?? Infinity)) bucket += 1
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1
    this.#milliseconds += outcome.duration
  }

  /** The number of calls by operation and class of status. */
  *callsByStatus(): Generator<{ operation: string; statusClass: string; count: number }> {
    for (const [operation, counts] of this.#byOperation) {
      for (const [place, statusClass] of statusClasses.entries()) {
        const count = counts[place] ?? 0
        if (count > 0) yield { operation, statusClass, count }
      }
    }
  }

  /** The durations of all calls. */
  durations(): { buckets: Bucket[]; sum: number; count: number } {
    let count = 0
    const buckets = this.#buckets.map((own, place) => ({
      upTo: (bounds[place] ?? Infinity) / 1000,
      count: (count += own),
    }))
    return { buckets, sum: this.#milliseconds / 1000, count }
  }
}
