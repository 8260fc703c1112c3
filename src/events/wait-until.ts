// Waits for a condition about the events of a workspace, on the clock of the machine.
import { machineWait } from '../runtime/machine-timers.ts'

/** How long a wait lets other processes of a shared store write before it reads again (ms). */
const pollMs = 50

/** The changes after which a condition is checked again. */
export interface ChangeSource {
  /** Calls a function after the next changes of events. @returns a function that stops this. */
  listen(listener: () => void): () => void
  /** Reads what other processes wrote; undefined if there are none. */
  refresh(): Promise<void> | undefined
}

/** Waits until a condition holds, or for a time (ms). @returns false if the time has passed. */
export async function waitUntil(
  changes: ChangeSource,
  condition: () => boolean,
  milliseconds: number,
): Promise<boolean> {
  // Not a comparison of times, which a test may fake.
  let isOver = milliseconds === 0
  const end = machineWait(milliseconds)
  const ended = end.ended.finally(() => {
    isOver = true
  })
  let stop = (): void => undefined
  try {
    for (;;) {
      // Before the read, so that a change between the two is noticed.
      const changed = new Promise<void>((resolve) => {
        stop()
        stop = changes.listen(resolve)
      })
      const refreshing = changes.refresh()
      await refreshing
      if (condition()) return true
      if (isOver) return false
      const poll = refreshing && machineWait(pollMs)
      await Promise.race([changed, ended, ...(poll ? [poll.ended] : [])])
      poll?.cancel()
    }
  } finally {
    stop()
    end.cancel()
  }
}
