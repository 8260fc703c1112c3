// The calls of one workspace, newest first. It holds as many as its limits allow and drops the oldest, so that a
// long run costs no more memory than a short one.
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import type { Outcome } from '../call/outcome.ts'
import type { Resolution } from '../call/resolution.ts'
import type { Call } from '../call/index.ts'
import type { IncomingRequest } from '../call/incoming-request.ts'
import { kept, sizeOf, type JournalLimits } from './limits.ts'

/** Something that came after an event that somebody knows: a call, a reset, or so many calls that are gone. */
export type LaterEvent = { number: number } & ({ call: Call } | { reset: true } | { gone: number })

/** From one event to the next: the number between them is for a frame of a stream that has to follow the first. */
const step = 2

/** How many numbers of events that were no calls are known, at most: 800 kB. */
const maxOthers = 100_000

export class Journal {
  readonly #limits: JournalLimits
  /**
   * Rings: the call with number n stands at n modulo the size. They grow up to the limit and not at once, and hold
   * the three parts side by side: an object more for each call would live long enough to cost something.
   */
  #requests: (IncomingRequest | undefined)[] = []
  #resolutions: (Resolution | undefined)[] = []
  #outcomes: (Outcome | undefined)[] = []
  /** What each call takes, at its place in the ring: measuring an old one again would read all of it again. */
  #sizes: number[] = []
  /** The number of each call among all events, at its place in the ring. */
  #numbers: number[] = []
  /** The numbers of events that were no calls, and the last of a reset. */
  #others: number[] = []
  #lastReset: number
  readonly #begin: number
  #last: number
  #first = 0
  #next = 0
  #bytes = 0

  /** How often it was emptied. */
  clears = 0

  /** What must not be shown of any workspace. */
  readonly secrets: KnownSecrets

  /** @param begin an even number: events have higher ones. Of the machine's clock, so that none comes again. */
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

  /** How many calls there were that it no longer has, since it was last cleared. */
  get dropped(): number {
    return this.#first
  }

  get size(): number {
    return this.#next - this.#first
  }

  /** How much memory the calls hold on to, about. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether anything is kept at all. */
  get isOn(): boolean {
    return this.#limits.entries > 0
  }

  /** Keeps the three parts of a call, and of long bodies the beginning. Gives its number among all events. */
  add(answered: Call): number {
    const { entries, bytes } = this.#limits
    this.#last += step
    if (entries === 0) return this.#last
    if (this.size === entries) this.#drop()
    this.#put(kept(answered), this.#last)
    // The newest call stays, however large it is.
    while (this.#bytes > bytes && this.size > 1) this.#drop()
    return this.#last
  }

  /** Puts a call behind the newest one. */
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
   * Becomes what a journal elsewhere is now. Calls that were here before keep their numbers, so that `after` tells
   * of the others, and of those that came and went meanwhile.
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

  /** How many calls there were here of those that there are elsewhere: none, where it was cleared meanwhile. */
  #knownOf(held: readonly Call[], next: number): number {
    const newest = this.#at(this.#next - 1)
    if (!newest) return this.#next <= next ? this.#next : 0
    const same = held[next - this.#next]
    const isPast = this.#next <= next - held.length
    return isPast || same?.outcome.id === newest.outcome.id ? this.#next : 0
  }

  /** The number of an event that is no call. */
  numberOther(): number {
    this.#last += step
    if (this.#others.length === maxOthers) this.#others.splice(0, maxOthers / 2)
    this.#others.push(this.#last)
    return this.#last
  }

  /** Forgets all calls, as the workspace begins again. Gives the number of that event. */
  reset(): number {
    this.clear()
    return (this.#lastReset = this.numberOther())
  }

  /**
   * What came after an event, in order: calls, the last reset, and how many calls are gone before and after it. With
   * a number from before this journal all that it knows; after the last event nothing.
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

  /** How many of the events after one number, up to another, were calls. */
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

  /** Every call, newest first. */
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
    this.clears += 1
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
