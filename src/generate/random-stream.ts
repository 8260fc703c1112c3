// A seeded stream of random numbers, restarted for each item: customer 7 does not depend on customers 1 to 6.
import { hash32, mix32 } from '../runtime/random.ts'

export class RandomStream {
  readonly #seed: number
  #at = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  /** Moves to the start of the stream of one item. */
  restart(...words: (string | number)[]): void {
    this.#at = hash32(this.#seed, ...words)
  }

  /** Returns the next number, from 0 up to but not including 1. */
  next(): number {
    this.#at = (this.#at + 0x9e3779b9) >>> 0
    return mix32(this.#at) / 0x1_0000_0000
  }

  /** Returns an integer from `least` to `most`, inclusive; `least` if the range is empty. */
  integer(least: number, most: number): number {
    return most <= least ? least : least + Math.floor(this.next() * (most - least + 1))
  }

  /** Returns true with this probability in percent. */
  percent(chance: number): boolean {
    return this.next() * 100 < chance
  }

  /** Returns one item of a list. */
  pick<const T>(list: readonly [T, ...T[]]): T {
    return list[Math.floor(this.next() * list.length)] ?? list[0]
  }

  digits(length: number): string {
    return String(this.integer(0, 10 ** length - 1)).padStart(length, '0')
  }
}
