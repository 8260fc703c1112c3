// The calls of one workspace, newest first. It stores as many as its limits allow and drops the oldest, so memory does
// not grow with the length of a run.
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import type { Outcome } from '../call/outcome.ts'
import type { Resolution } from '../call/resolution.ts'
import type { Call } from '../call/index.ts'
import type { IncomingRequest } from '../call/incoming-request.ts'
import { kept, sizeOf, type JournalLimits } from './limits.ts'

/** An event after another one: a call, a reset, or a number of dropped calls. */
export type LaterEvent = { number: number } & ({ call: Call } | { reset: true } | { gone: number })

/**
 * The difference between two successive event numbers. The number in between is for a stream frame that must follow the
 * first of the two events.
 */
const step = 2

/** Maximum number of stored event numbers that are not calls: 800 kB. */
const maxOthers = 100_000

export class Journal {
  readonly #limits: JournalLimits
  /**
   * Ring buffers: the call with number n is at index n modulo the size. They grow up to the limit, and store the three
   * parts separately: one more long-lived object per call would cost time.
   */
  #requests: (IncomingRequest | undefined)[] = []
  #resolutions: (Resolution | undefined)[] = []
  #outcomes: (Outcome | undefined)[] = []
  /** The size of each call at its index: measuring an old one again would read all of it again. */
  #sizes: number[] = []
  /** The event number of each call at its index. */
  #numbers: number[] = []
  /** The numbers of events that were not calls, and the last number of a reset. */
  #others: number[] = []
  #lastReset: number
  readonly #begin: number
  #last: number
  #first = 0
  #next = 0
  #bytes = 0

  /** Secrets that must not be shown of any workspace. */
  readonly secrets: KnownSecrets

  /**
   * @param begin an even number: events have higher ones. It comes from the machine's clock, so that none is repeated.
   */
  constructor(limits: JournalLimits, secrets: KnownSecrets, begin = 0) {
    this.#limits = limits
    this.secrets = secrets
    this.#begin = begin
    this.#last = begin
    this.#lastReset = begin
  }

  /** The number of the last event. */
  get last(): number {
    return this.#last
  }

  /** How many calls it has dropped since it was last cleared. */
  get dropped(): number {
    return this.#first
  }

  get size(): number {
    return this.#next - this.#first
  }

  /** Approximate memory of the calls in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether any call is stored. */
  get isOn(): boolean {
    return this.#limits.entries > 0
  }

  /** Stores the three parts of a call, with only the beginning of long bodies. Returns its event number. */
  add(answered: Call): number {
    const { entries, bytes } = this.#limits
    this.#last += step
    if (entries === 0) return this.#last
    if (this.size === entries) this.#drop()
    this.#put(kept(answered), this.#last)
    // The newest call stays, whatever its size.
    while (this.#bytes > bytes && this.size > 1) this.#drop()
    return this.#last
  }

  /** Appends a call. */
  #put({ request, resolution, outcome }: Call, number: number): void {
    const at = this.#next % this.#limits.entries
    this.#requests[at] = request
    this.#resolutions[at] = resolution
    this.#outcomes[at] = outcome
    const size = sizeOf(request, outcome)
    this.#sizes[at] = size
    this.#numbers[at] = number
    this.#next += 1
    this.#bytes += size
  }

  /**
   * Takes over the contents of a journal elsewhere. Calls that were here before keep their numbers, so that `after`
   * reports the others, including those that came and went meanwhile.
   *
   * @param calls newest first. @param dropped how many older ones that journal no longer has.
   */
  follow(calls: readonly Call[], dropped: number): void {
    const { entries } = this.#limits
    if (entries === 0) return
    const held = calls.slice(0, entries)
    const first = dropped + calls.length - held.length
    const next = first + held.length
    const known = this.#knownOf(held, next)
    this.#last += (next - known) * step
    const numbers = held.map((_, back) => {
      const place = next - 1 - back
      return place >= this.#first && place < known ? this.#numberOf(place) : this.#last - back * step
    })
    this.clear()
    this.#first = first
    this.#next = first
    for (let back = held.length - 1; back >= 0; back--) {
      const call = held[back]
      if (call) this.#put(call, numbers[back] ?? this.#last)
    }
  }

  /** Returns how many of the calls elsewhere were already here: none, if it was cleared meanwhile. */
  #knownOf(held: readonly Call[], next: number): number {
    const newest = this.#at(this.#next - 1)
    if (!newest) return this.#next <= next ? this.#next : 0
    const same = held[next - this.#next]
    const isPast = this.#next <= next - held.length
    return isPast || same?.outcome.id === newest.outcome.id ? this.#next : 0
  }

  /** Assigns the next number to an event that is not a call, and returns it. */
  numberOther(): number {
    this.#last += step
    if (this.#others.length === maxOthers) this.#others.splice(0, maxOthers / 2)
    this.#others.push(this.#last)
    return this.#last
  }

  /** Deletes all calls, as the workspace is reset. Returns the number of that event. */
  reset(): number {
    this.clear()
    return (this.#lastReset = this.numberOther())
  }

  /**
   * Returns the events after one, in order: calls, the last reset, and how many calls were dropped before and after it.
   * For a number from before this journal, all of them; after the last event, none.
   */
  *after(number: number): Generator<LaterEvent> {
    const since = number >= this.#begin ? number - (number % step) : this.#begin
    const reset = this.#lastReset
    if (reset > since) {
      const gone = this.#callsAmong(since, reset)
      if (gone > 0) yield { number: reset - step, gone }
      yield { number: reset, reset: true }
    }
    let first = this.#next
    while (first > this.#first && this.#numberOf(first - 1) > since) first -= 1
    const before = first < this.#next ? this.#numberOf(first) - step : this.#last
    const gone = this.#callsAmong(Math.max(since, reset), before)
    if (gone > 0) yield { number: before, gone }
    for (; first < this.#next; first++) {
      const call = this.#at(first)
      if (call) yield { number: this.#numberOf(first), call }
    }
  }

  /** Returns how many of the events between two numbers were calls. */
  #callsAmong(after: number, upTo: number): number {
    const others = this.#others.filter((other) => other > after && other <= upTo)
    return Math.max(0, (upTo - after) / step - others.length)
  }

  #numberOf(place: number): number {
    return this.#numbers[place % this.#limits.entries] ?? 0
  }

  #at(place: number): Call | undefined {
    const at = place % this.#limits.entries
    const [request, resolution, outcome] = [this.#requests[at], this.#resolutions[at], this.#outcomes[at]]
    return request && resolution && outcome && { request, resolution, outcome }
  }

  /** Returns every call, newest first. */
  *calls(): Generator<Call> {
    for (let number = this.#next - 1; number >= this.#first; number--) {
      const call = this.#at(number)
      if (call) yield call
    }
  }

  find(id: string): Call | undefined {
    for (const call of this.calls()) if (call.outcome.id === id) return call
    return undefined
  }

  clear(): void {
    this.#requests = []
    this.#resolutions = []
    this.#outcomes = []
    this.#sizes = []
    this.#numbers = []
    this.#first = 0
    this.#next = 0
    this.#bytes = 0
  }

  #drop(): void {
    const at = this.#first % this.#limits.entries
    this.#requests[at] = undefined
    this.#resolutions[at] = undefined
    this.#outcomes[at] = undefined
    this.#first += 1
    this.#bytes -= this.#sizes[at] ?? 0
  }
}
