// Timers: waits for a delay or until a signal is aborted.
import { setMaxListeners } from 'node:events'

/**
 * Waits for a time on the machine's clock, or until a signal aborts the wait. Resolves to true if the time has passed.
 * It is for delays that clients are meant to notice, never for anything that a state depends on.
 */
export function wait(milliseconds: number, ...signals: readonly AbortSignal[]): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (timeIsUp: boolean): void => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', early)
      resolve(timeIsUp)
    }
    const early = (): void => done(false)
    if (signals.some((signal) => signal.aborted)) return resolve(false)
    const timer = setTimeout(done, milliseconds, true)
    for (const signal of signals) onAbort(signal, early)
  })
}

/** Waits until one of the signals is aborted. */
export function untilAborted(...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const signal of signals) signal.removeEventListener('abort', done)
      resolve()
    }
    if (signals.some((signal) => signal.aborted)) return resolve()
    for (const signal of signals) onAbort(signal, done)
  })
}

/** Runs a function once a signal is aborted, or immediately if it is already. @returns a function that cancels this. */
export function onceAborted(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) run()
  else onAbort(signal, run)
  return () => signal.removeEventListener('abort', run)
}

/**
 * Listens to a signal that any number of calls may wait for, such as the end of the sandbox. It lifts the limit of
 * listeners, as that many are no leak.
 */
export function onAbort(signal: AbortSignal, listener: () => void): void {
  setMaxListeners(0, signal)
  signal.addEventListener('abort', listener)
}

/** Runs a function after a time on the machine's clock. @returns a function that cancels this. */
export function later(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds)
  return () => clearTimeout(timer)
}

/** Runs a function at an interval, without keeping the process alive. @returns a function that stops this. */
export function every(milliseconds: number, run: () => unknown): () => void {
  const timer = setInterval(run, milliseconds)
  timer.unref()
  return () => clearInterval(timer)
}
