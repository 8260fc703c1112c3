// What waits for one reader of the stream: in which frames it will be told, and what is too much and only counted.
import type { NamedRow } from '../workspaces/watchers.ts'

/** How much may wait, in bytes, with what the reader was given and has not taken. */
const maxWaiting = 256_000

/** What a frame takes beside its data, in bytes, at least: events without any are so many bytes. */
const frameSize = 64

/** A frame in the making. Its number is that of the last call in it, or of the first event where it has no calls. */
interface Frame {
  event: 'request' | 'change' | 'reset' | 'dropped'
  number: number
  /** Entries as JSON. */
  calls: string[]
  /** Rows as JSON; one that changes twice is told once. */
  rows: Set<string>
  /** How many calls are dropped. */
  count: number
  size: number
}

/**
 * Frames in order. Calls are told in their order, or as dropped in their place, and never on the other side of a reset;
 * changed rows between two resets are one frame. Whoever goes on after the number of a frame misses nothing: when it
 * leaves, every call with a lower number has left or was counted.
 */
export class Frames {
  #waiting: Frame[] = []
  #size = 0
  /** What was given and is not taken yet, in bytes. */
  #given = 0
  /** Something was refused, and nothing has left since: asking the next one for its text would be for nothing. */
  #isFull = false
  #lastNumber = 0

  /** A call; what does not fit is counted. */
  call(number: number, text: () => string): void {
    if (!this.fits(number, text)) this.dropped(number, 1)
  }

  /** As `call`; false for a call that does not fit, which is then forgotten. */
  fits(number: number, text: () => string): boolean {
    if (this.#isFull) return false
    const item = text()
    const size = Buffer.byteLength(item)
    if (!this.#hasRoom(size)) {
      this.#isFull = true
      return false
    }
    const frame = this.#sinceReset().findLast(({ event }) => event === 'request' || event === 'dropped')
    const joined = frame?.event === 'request' ? frame : this.#begin('request', number)
    joined.number = number
    joined.calls.push(item)
    this.#grow(joined, size)
    return true
  }

  /** So many calls, up to the one of a number, are not told. */
  dropped(number: number, count: number): void {
    const last = this.#waiting.at(-1)
    const joined = last?.event === 'dropped' ? last : this.#begin('dropped', number)
    joined.number = number
    joined.count += count
  }

  /** Rows; those that do not fit are left out. */
  changed(number: number, rows: readonly NamedRow[]): void {
    for (const { collection, id } of rows) {
      const item = JSON.stringify({ collection, id })
      const size = Buffer.byteLength(item)
      if (!this.#hasRoom(size)) return
      const waiting = this.#sinceReset().find(({ event }) => event === 'change')
      if (waiting?.rows.has(item)) continue
      const frame = waiting ?? this.#begin('change', number)
      frame.rows.add(item)
      this.#grow(frame, size)
    }
  }

  /** One that waits with nothing after it but calls that were dropped is part of this one, where there is no room. */
  reset(number: number): void {
    const [before, dropped] = this.#waiting.slice(-2)
    if (!this.#hasRoom(frameSize) && before?.event === 'reset' && dropped?.event === 'dropped') {
      this.#waiting.splice(-2)
      this.#size -= 2 * frameSize
      this.dropped(dropped.number, dropped.count)
    }
    this.#begin('reset', number)
  }

  /** The next frame, as it is written; undefined when nothing waits. */
  next(): string | undefined {
    const frame = this.#waiting.shift()
    if (!frame) return undefined
    // A frame that was begun before one which left with later calls has the number after that.
    this.#lastNumber = Math.max(frame.number, this.#lastNumber + 1)
    const text = `id: ${this.#lastNumber}\nevent: ${frame.event}\ndata: ${dataOf(frame)}\n\n`
    this.#size -= frame.size
    this.#given += Buffer.byteLength(text)
    this.#isFull = false
    return text
  }

  /** The reader has taken what it was given. */
  taken(): void {
    this.#given = 0
    this.#isFull = false
  }

  #hasRoom(size: number): boolean {
    return this.#size + this.#given + size + frameSize <= maxWaiting
  }

  #sinceReset(): Frame[] {
    return this.#waiting.slice(this.#waiting.findLastIndex(({ event }) => event === 'reset') + 1)
  }

  #begin(event: Frame['event'], number: number): Frame {
    const frame: Frame = { event, number, calls: [], rows: new Set(), count: 0, size: frameSize }
    this.#waiting.push(frame)
    this.#size += frameSize
    return frame
  }

  #grow(frame: Frame, size: number): void {
    // With a comma.
    frame.size += size + 1
    this.#size += size + 1
  }
}

function dataOf({ event, calls, rows, count }: Frame): string {
  if (event === 'request') return `{"requests":[${calls.join()}]}`
  if (event === 'change') return `{"changes":[${[...rows].join()}]}`
  return event === 'dropped' ? JSON.stringify({ count }) : '{}'
}
