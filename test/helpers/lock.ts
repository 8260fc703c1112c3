import { LockedError, lockTimes, type LockTimes, type Processes } from '../../src/storage/files/lock.ts'

/** A clock that moves only while a caller waits. */
export interface FakeTimes extends LockTimes {
  /** The number of reads of a lock by a waiting start. */
  looks: number
  /** Actions while a start waits for the lock. */
  onLook: (look: number) => unknown
  /** Lets more time pass, as where the process was stopped. */
  pass(milliseconds: number): void
  /** Renews every lock that was taken, until each has compared and written. */
  renew(): Promise<void>
}

export function fakeTimes(): FakeTimes {
  let time = 1_000_000
  const renewals = new Set<() => unknown>()
  const times: FakeTimes = {
    ...lockTimes,
    looks: 0,
    onLook: () => undefined,
    pass: (milliseconds) => void (time += milliseconds),
    now: () => time,
    wait: async (milliseconds, ...signals) => {
      time += milliseconds
      await times.onLook(++times.looks)
      await new Promise(setImmediate)
      return !signals.some((signal) => signal.aborted)
    },
    every: (_milliseconds, run) => {
      renewals.add(run)
      return () => renewals.delete(run)
    },
    renew: async () => {
      await Promise.all([...renewals].map((run) => run()))
    },
  }
  return times
}

/** The only process of a container. */
export const container = (host: string): Processes => ({
  pid: 1,
  namespace: `pid of ${host}`,
  host,
  mark: (pid) => (pid === 1 ? `start of ${host}` : undefined),
})

/** The error of its refusal. */
export const inUseBy = (who: string, isThisProcess = false): LockedError =>
  new LockedError(who, isThisProcess)
