// Long work that gives way: a loop over thousands of rows would otherwise keep signals and timers waiting until it
// ends.

/** Thrown by work that was told to stop before it was done. */
export class Stopped extends Error {
  constructor(options?: ErrorOptions) {
    super('stopped before it was done', options)
    // The name by which anybody who aborts work knows that it was they.
    this.name = 'AbortError'
  }
}

/**
 * Lets the event loop turn once: signals are handled, timers fire, connections are accepted.
 *
 * @throws {Stopped} when the work was told to stop, before or meanwhile.
 * @example
 * while (!isDone()) await giveWay(signal)
 */
export async function giveWay(signal?: AbortSignal): Promise<void> {
  stopIfTold(signal)
  await new Promise<void>((resolve) => void setImmediate(resolve))
  stopIfTold(signal)
}

/** How long work goes on before anything else gets a turn, in milliseconds. */
const turnLength = 8

/**
 * A turn of long work that consists of many small steps.
 *
 * @example
 * const turn = new Turn(signal)
 * for (const row of rows) {
 *   if (turn.isOver) await turn.next()
 *   work(row)
 * }
 */
export class Turn {
  readonly #signal: AbortSignal | undefined
  #end = performance.now() + turnLength

  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /** Looking at the time costs 50 ns, and steps may be of any length. */
  get isOver(): boolean {
    return performance.now() >= this.#end
  }

  /** Lets everything else have its turn. @throws {Stopped} when the work was told to stop. */
  async next(): Promise<void> {
    await giveWay(this.#signal)
    this.#end = performance.now() + turnLength
  }
}

/** Does work that yields after each of its steps; between them, everything else gets its turns. */
export async function inTurns<T>(work: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  const turn = new Turn(signal)
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (turn.isOver) await turn.next()
  }
}

/** Does such work at once. */
export function atOnce<T>(work: Generator<void, T>): T {
  let step = work.next()
  while (step.done !== true) step = work.next()
  return step.value
}

function stopIfTold(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Stopped({ cause: signal.reason })
}
