// Time slices for long work: yields to the event loop, so that a loop over thousands of rows does not delay signals and
// timers.

/** Thrown by work that was aborted before its end. */
export class Stopped extends Error {
  constructor(options?: ErrorOptions) {
    super('aborted', options)
    // Callers who abort work recognize their abort by this name.
    this.name = 'AbortError'
  }
}

/**
 * Yields to the event loop once: signals are handled, timers fire, connections are accepted.
 *
 * @throws {Stopped} if the work was aborted, before or meanwhile.
 * @example
 * while (!isDone()) await yieldToEventLoop(signal)
 */
export async function yieldToEventLoop(signal?: AbortSignal): Promise<void> {
  throwIfAborted(signal)
  await new Promise<void>((resolve) => void setImmediate(resolve))
  throwIfAborted(signal)
}

/** The length of a time slice, in milliseconds. */
const sliceLength = 8

/**
 * A time slice of long work that consists of many small steps.
 *
 * @example
 * const slice = new TimeSlice(signal)
 * for (const row of rows) {
 *   if (slice.isOver) await slice.next()
 *   work(row)
 * }
 */
export class TimeSlice {
  readonly #signal: AbortSignal | undefined
  #end = performance.now() + sliceLength

  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /** Whether the slice is over. It reads the time, which costs 50 ns, as steps may be of any length. */
  get isOver(): boolean {
    return performance.now() >= this.#end
  }

  /** Yields to the event loop. @throws {Stopped} if the work was aborted. */
  async next(): Promise<void> {
    await yieldToEventLoop(this.#signal)
    this.#end = performance.now() + sliceLength
  }
}

/** Runs a generator to its end, and yields to the event loop between its steps. */
export async function runInSlices<T>(work: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  const slice = new TimeSlice(signal)
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (slice.isOver) await slice.next()
  }
}

/** Runs a generator to its end synchronously. */
export function runToEnd<T>(work: Generator<void, T>): T {
  let step = work.next()
  while (step.done !== true) step = work.next()
  return step.value
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Stopped({ cause: signal.reason })
}
