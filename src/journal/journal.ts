// The exchanges of one workspace, newest first. It holds as many as its limits allow and drops the oldest, so that a
// long run costs no more memory than a short one.
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import type { Became } from '../exchange/became.ts'
import type { Found } from '../exchange/found.ts'
import type { Exchange } from '../exchange/index.ts'
import type { Received } from '../exchange/received.ts'
import { kept, sizeOf, type JournalLimits } from './limits.ts'

export class Journal {
  readonly #limits: JournalLimits
  /**
   * Rings: the exchange with number n stands at n modulo the size. They grow up to the limit and not at once, and hold
   * the three parts side by side: an object more for each exchange would live long enough to cost something.
   */
  #received: (Received | undefined)[] = []
  #found: (Found | undefined)[] = []
  #became: (Became | undefined)[] = []
  /** What each exchange takes, at its place in the ring: measuring an old one again would read all of it again. */
  #sizes: number[] = []
  #first = 0
  #next = 0
  #bytes = 0

  /** What must not be shown of any workspace. */
  readonly secrets: KnownSecrets

  constructor(limits: JournalLimits, secrets: KnownSecrets) {
    this.#limits = limits
    this.secrets = secrets
  }

  /** How many exchanges there were that it no longer has, since it was last cleared. */
  get dropped(): number {
    return this.#first
  }

  get size(): number {
    return this.#next - this.#first
  }

  /** Whether anything is kept at all. */
  get isOn(): boolean {
    return this.#limits.entries > 0
  }

  /** Keeps the three parts of an exchange, and of long bodies the beginning. */
  add(answered: Exchange): void {
    const { entries, bytes } = this.#limits
    if (entries === 0) return
    if (this.size === entries) this.#drop()
    const { received, found, became } = kept(answered)
    const at = this.#next % entries
    this.#received[at] = received
    this.#found[at] = found
    this.#became[at] = became
    const size = sizeOf(received, became)
    this.#sizes[at] = size
    this.#next += 1
    this.#bytes += size
    // The newest exchange stays, however large it is.
    while (this.#bytes > bytes && this.size > 1) this.#drop()
  }

  /** Every exchange, newest first. */
  *exchanges(): Generator<Exchange> {
    for (let number = this.#next - 1; number >= this.#first; number--) {
      const at = number % this.#limits.entries
      const [received, found, became] = [this.#received[at], this.#found[at], this.#became[at]]
      if (received && found && became) yield { received, found, became }
    }
  }

  find(id: string): Exchange | undefined {
    for (const exchange of this.exchanges()) if (exchange.became.id === id) return exchange
    return undefined
  }

  clear(): void {
    this.#received = []
    this.#found = []
    this.#became = []
    this.#sizes = []
    this.#first = 0
    this.#next = 0
    this.#bytes = 0
  }

  #drop(): void {
    const at = this.#first % this.#limits.entries
    this.#received[at] = undefined
    this.#found[at] = undefined
    this.#became[at] = undefined
    this.#first += 1
    this.#bytes -= this.#sizes[at] ?? 0
  }
}
