// Processes that share an engine: drivers in this thread, whose clock and renewals the test rules.
import { readStoreAddress } from '../../../src/input/store-address.ts'
import { openEngine } from '../../../src/storage/redis/index.ts'
import type { LeaseTimes } from '../../../src/storage/redis/leases.ts'
import type { Storage } from '../../../src/workspaces/storage.ts'
import type { RunningEngine } from '../../helpers/engine.ts'
import { Printed } from '../../helpers/printed.ts'
import { withTest } from '../../setup/with-test.ts'

export interface EngineProcess {
  storage: Storage
  /** Its events, in order: `wanted acme`, `lost acme`, `end MESSAGE`. */
  events: string[]
  problems: Printed
  /** Renews all leases now; the timer never does. */
  renew(): Promise<void>
  /** Moves its monotonic clock. */
  pass(milliseconds: number): void
}

export interface ProcessOptions {
  who?: string
  prefix?: string
  token?: string
  now?: () => number
  times?: Partial<LeaseTimes>
}

/** Starts a driver on an engine; it is closed after the test. */
export async function startProcess(
  url: string,
  { who = 'process 1 on a', prefix = 'sandbox', ...hooks }: ProcessOptions = {},
): Promise<EngineProcess> {
  const events: string[] = []
  const problems = new Printed()
  let renew: () => unknown = () => undefined
  let monotonic = 0
  const storage = await openEngine({
    address: readStoreAddress(url),
    prefix,
    who,
    events: {
      onWanted: (name) => events.push(`wanted ${name}`),
      onLost: (name) => events.push(`lost ${name}`),
      onEnd: ({ message }) => events.push(`end ${message}`),
      onProblem: (line) => problems.add(`${line}\n`),
    },
    testHooks: {
      ...hooks,
      monotonicNow: () => monotonic,
      every: (_, run) => {
        renew = run
        return () => undefined
      },
    },
  })
  withTest(() => storage.close())
  return {
    storage,
    events,
    problems,
    renew: async () => void (await renew()),
    pass: (milliseconds) => {
      monotonic += milliseconds
    },
  }
}

/** Ends leases in the engine, as its clock does. */
export async function expireLeases(nodes: readonly RunningEngine[], prefix = 'sandbox'): Promise<void> {
  for (const node of nodes)
    await node.cli(
      'EVAL',
      `for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('PEXPIRE', key, 0) end`,
      '0',
      `{${prefix}:*}:lease`,
    )
}
