// Which attempts are being made. Those to one endpoint begin in order, and a slow one does not hold up the next.
import { afterMachineTime } from '../runtime/machine-timers.ts'
import type { Attempt } from './attempts.ts'

/** An attempt that takes longer (ms) does not hold up later ones to the same endpoint. */
const slowMs = 1_000

/** Maximum number of attempts that are being made at the same time. */
const maxInFlight = 100

export class Lanes {
  /** Attempts that are being made, by event and number. */
  readonly #inFlight = new Set<string>()
  /** How many attempts to an endpoint are made that are not slow: only concurrent ones are several. */
  readonly #busy = new Map<string, number>()

  /** Whether an attempt may begin now. */
  isFree(eventId: string, { n, endpoint_id: endpoint }: Attempt): boolean {
    const isBusy = this.#inFlight.size >= maxInFlight || this.#busy.has(endpoint ?? '')
    return !isBusy && !this.#inFlight.has(keyOf(eventId, n))
  }

  /** Whether no attempt to any of these endpoints may begin now. */
  areBusy(endpoints: readonly { readonly id: string }[]): boolean {
    return this.#inFlight.size >= maxInFlight || endpoints.every(({ id }) => this.#busy.has(id))
  }

  /** Marks an attempt as being made. @param onSlow called if the next one may begin before its end. @returns ends it. */
  begin(eventId: string, { n, endpoint_id: endpoint }: Attempt, onSlow: () => void): () => void {
    const lane = endpoint ?? ''
    const key = keyOf(eventId, n)
    this.#inFlight.add(key)
    this.#add(lane, 1)
    let isSlow = false
    const cancel = afterMachineTime(slowMs, () => {
      isSlow = true
      this.#add(lane, -1)
      onSlow()
    })
    return () => {
      cancel()
      this.#inFlight.delete(key)
      if (!isSlow) this.#add(lane, -1)
    }
  }

  #add(lane: string, count: number): void {
    const left = (this.#busy.get(lane) ?? 0) + count
    if (left > 0) this.#busy.set(lane, left)
    else this.#busy.delete(lane)
  }
}

const keyOf = (eventId: string, n: number): string => `${eventId}/${n}`
