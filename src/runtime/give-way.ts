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
 * for (const [count, row] of rows.entries()) {
 *   if (count % 8000 === 0) await giveWay(signal)
 *   work(row)
 * }
 */
export async function giveWay(signal?: AbortSignal): Promise<void> {
  stopIfTold(signal)
  await new Promise<void>((resolve) => void setImmediate(resolve))
  stopIfTold(signal)
}

function stopIfTold(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Stopped({ cause: signal.reason })
}
