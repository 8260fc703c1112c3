// How late the event loop is, by a timer of Node's own that runs from the first reading on.
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'

/** How often the timer is due. Between two of these nothing is seen. */
const everyMs = 10

/** Shares of the readings of a window, such as the half of them that were less late. */
export const quantiles = [0.5, 0.9, 0.99, 1] as const

/** Delays in seconds: the quantiles since the reading before, sum and count since the first. */
export interface DelayReading {
  /** NaN while there is nothing to go by. */
  quantiles: { quantile: number; seconds: number }[]
  sum: number
  count: number
}

export class EventLoopDelay {
  #measured: IntervalHistogram | undefined
  #sum = 0
  #count = 0

  /** What was measured since the last reading. The first one begins: who never asks pays for no timer. */
  read(): DelayReading {
    const measured = (this.#measured ??= started())
    const { count, mean } = measured
    if (count > 0) this.#sum += count * delayOf(mean)
    this.#count += count
    const reading = {
      quantiles: quantiles.map((quantile) => ({
        quantile,
        seconds: count === 0 ? NaN : delayOf(measured.percentile(quantile * 100)),
      })),
      sum: this.#sum,
      count: this.#count,
    }
    measured.reset()
    return reading
  }

  stop(): void {
    this.#measured?.disable()
    this.#measured = undefined
  }
}

function started(): IntervalHistogram {
  const histogram = monitorEventLoopDelay({ resolution: everyMs })
  histogram.enable()
  return histogram
}

/** What is measured is the time from one firing to the next, which the wanted distance is part of. */
function delayOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - everyMs / 1000)
}
