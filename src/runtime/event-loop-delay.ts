// Measures the delay of the event loop with a timer of Node that starts with the first reading.
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'

/** The interval of the timer, in milliseconds. A delay that begins and ends between two firings is not measured. */
const everyMs = 10

/** The quantiles of the measurements in a window; 0.5 is the median. */
export const quantiles = [0.5, 0.9, 0.99, 1] as const

/** Delays in seconds. The quantiles cover the time since the previous reading; sum and count cover all time. */
export interface DelayReading {
  /** NaN without any measurement. */
  quantiles: { quantile: number; seconds: number }[]
  sum: number
  count: number
}

export class EventLoopDelay {
  #measured: IntervalHistogram | undefined
  #sum = 0
  #count = 0

  /**
   * Returns the measurements since the previous reading. The first reading starts the timer, so that a sandbox whose
   * metrics are never read does not run one.
   */
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

/** Converts a measurement. It is the time between two firings, so it includes the interval of the timer. */
function delayOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - everyMs / 1000)
}
