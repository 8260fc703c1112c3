// How time passes for what waits: tests give a time of their own.
import { monotonicNow } from '../runtime/host.ts'
import { wait } from '../runtime/wait.ts'

export interface Timing {
  wait: typeof wait
  now(): number
}

export const realTiming: Timing = { wait, now: monotonicNow }
