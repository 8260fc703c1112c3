// Waits for a condition about the events of a workspace, on the clock of the machine.
import { machineWait } from '../runtime/machine-timers.ts'

/** Calls a function after each change of events. @returns a function that stops this. */
export type Listen = (listener: () => void) => () => void

/** Waits until a condition holds, or for a time (ms). @returns false if the time has passed. */
export async function waitUntil(
  listen: Listen,
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
      const changed = new Promise<void>((resolve) => {
        stop()
        stop = listen(resolve)
      })
      if (condition()) return true
      if (isOver) return false
      await Promise.race([changed, ended])
    }
  } finally {
    stop()
    end.cancel()
  }
}
