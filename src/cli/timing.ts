// Timers for timeouts and polling, which tests replace.
import { monotonicNow } from '../runtime/host.ts'
import { wait } from '../runtime/wait.ts'

export interface Timing {
  wait: typeof wait
  now(): number
}

export const realTiming: Timing = { wait, now: monotonicNow }
