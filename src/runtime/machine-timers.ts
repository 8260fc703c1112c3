// Timers on the machine's clock that a test cannot fake: fake timers replace the global functions, and not the imported
// ones.
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers'

/** Longest delay of a timer of Node, about 24 days. */
const maxDelay = 2 ** 31 - 1

/** Runs a function after a time (ms), without keeping the process alive. @returns a function that cancels this. */
export function afterMachineTime(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, Math.min(milliseconds, maxDelay))
  timer.unref()
  return () => clearTimeout(timer)
}

/** Runs a function after the current iteration of the event loop. @returns a function that cancels this. */
export function soon(run: () => void): () => void {
  const immediate = setImmediate(run)
  return () => clearImmediate(immediate)
}

/** Waits for a time on the machine's clock (ms); until it ends or is canceled, it keeps the process alive. */
export function machineWait(milliseconds: number): { ended: Promise<void>; cancel: () => void } {
  let cancel = (): void => undefined
  const ended = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    cancel = () => clearTimeout(timer)
  })
  return { ended, cancel: () => cancel() }
}
