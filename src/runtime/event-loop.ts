// Yields to the event loop, so that signals, timers and sockets are handled during long work. Fake timers do not stop it.
import { setImmediate } from 'node:timers'

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

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Stopped({ cause: signal.reason })
}
