// The queue of one reader of the stream: how events are grouped into frames, and which exceed the limit and are only
// counted.
import { eventText } from '../runtime/server-events.ts'
import type { NamedRow } from '../workspaces/watchers.ts'

/** Maximum size of the queue in bytes, including data that was sent and not read yet. */
const maxWaiting = 256_000

/** Minimum size of a frame in bytes, in addition to its data. */
const frameSize = 64

/** A frame that is being built. Its number is that of the last call in it, or of the first event if it has no calls. */
interface Frame {
  event: 'request' | 'change' | 'reset' | 'dropped'
  number: number
  /** Entries as JSON. */
  calls: string[]
  /** Rows as JSON; one that changes twice is reported once. */
  rows: Set<string>
  /** Number of dropped calls. */
  count: number
  size: number
}

/**
 * Frames in order. Calls are reported in order, or as dropped at their position, and never across a reset; changed rows
 * between two resets are one frame. A reader that resumes after the number of a frame misses nothing: when the frame
 * leaves, every call with a lower number has left or was counted.
 */
export class Frames {
  #waiting: Frame[] = []
  #size = 0
  /** Bytes that were sent and not read yet. */
  #unread = 0
  /** An event was dropped, and nothing has left since: creating the text of the next one would be useless. */
  #isFull = false
  #lastNumber = 0

  /** Adds a call; one that exceeds the limit is counted. */
  call(number: number, text: () => string): void {
    if (!this.fits(number, text)) this.dropped(number, 1)
  }

  /** Like `call`; returns false for a call that exceeds the limit, which is then dropped without being counted. */
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

  /** Counts so many calls, up to the one of a number, as dropped. */
  dropped(number: number, count: number): void {
    const last = this.#waiting.at(-1)
    const joined = last?.event === 'dropped' ? last : this.#begin('dropped', number)
    joined.number = number
    joined.count += count
  }

  /** Adds rows; those that exceed the limit are omitted. */
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

  /**
   * Tells the reader to read everything again. Without room, it replaces a waiting reset that only dropped calls follow;
   * their count is sent before it.
   */
  reset(number: number): void {
    const [before, dropped] = this.#waiting.slice(-2)
    if (!this.#hasRoom(frameSize) && before?.event === 'reset' && dropped?.event === 'dropped') {
      this.#waiting.splice(-2)
      this.#size -= 2 * frameSize
      this.dropped(dropped.number, dropped.count)
    }
    this.#begin('reset', number)
  }

  /** Returns the next frame as text; undefined if the queue is empty. */
  next(): string | undefined {
    const frame = this.#waiting.shift()
    if (!frame) return undefined
    // A frame that began before one that left with later calls has the number after that.
    this.#lastNumber = Math.max(frame.number, this.#lastNumber + 1)
    const text = eventText({ id: this.#lastNumber, event: frame.event, data: dataOf(frame) })
    this.#size -= frame.size
    this.#unread += Buffer.byteLength(text)
    this.#isFull = false
    return text
  }

  /** The reader has read everything that was sent. */
  taken(): void {
    this.#unread = 0
    this.#isFull = false
  }

  #hasRoom(size: number): boolean {
    return this.#size + this.#unread + size + frameSize <= maxWaiting
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
