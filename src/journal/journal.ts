import type { KnownSecrets } from '../secrets/known-secrets.ts'
import { sizeOf, type ExchangeRecord } from './record.ts'

/** How much of the past a workspace keeps. */
export interface JournalLimits {
  /** Entries; 0 keeps none. */
  entries: number
  bytes: number
}

/**
 * The exchanges of one workspace, newest first. It holds as many as its limits allow and drops the oldest, so that a
 * long run costs no more memory than a short one.
 */
export class Journal {
  readonly #limits: JournalLimits
  /** A ring: the record with number n stands at n modulo the size. It grows up to the limit and not at once. */
  #ring: (ExchangeRecord | undefined)[] = []
  /** What each record takes, at its place in the ring: measuring an old one again would read all of it again. */
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

  /** How many records there were that it no longer has, since it was last cleared. */
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

  /** The record whose place the next one takes, once there are as many as may be: it may be written anew and added. */
  get oldest(): ExchangeRecord | undefined {
    return this.size === this.#limits.entries ? this.#ring[this.#first % this.#limits.entries] : undefined
  }

  add(record: ExchangeRecord): void {
    const { entries, bytes } = this.#limits
    if (entries === 0) return
    if (this.size === entries) this.#drop()
    const size = sizeOf(record)
    const at = this.#next % entries
    this.#ring[at] = record
    this.#sizes[at] = size
    this.#next += 1
    this.#bytes += size
    // The newest record stays, however large it is.
    while (this.#bytes > bytes && this.size > 1) this.#drop()
  }

  /** Every record, newest first. */
  *records(): Generator<ExchangeRecord> {
    for (let number = this.#next - 1; number >= this.#first; number--) {
      const record = this.#ring[number % this.#limits.entries]
      if (record) yield record
    }
  }

  find(id: string): ExchangeRecord | undefined {
    for (const record of this.records()) if (record.id === id) return record
    return undefined
  }

  clear(): void {
    this.#ring = []
    this.#sizes = []
    this.#first = 0
    this.#next = 0
    this.#bytes = 0
  }

  #drop(): void {
    const at = this.#first % this.#limits.entries
    this.#ring[at] = undefined
    this.#first += 1
    this.#bytes -= this.#sizes[at] ?? 0
  }
}
