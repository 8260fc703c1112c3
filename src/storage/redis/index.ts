// Opens storage in Redis or Valkey: connects, and checks that the engine can be used.
import type { StoreAddress } from '../../input/store-address.ts'
import { monotonicNow, randomSecret, systemHost } from '../../runtime/host.ts'
import { every } from '../../runtime/wait.ts'
import { StoreError } from '../../workspaces/storage.ts'
import type { Storage, StorageEvents } from '../../workspaces/storage.ts'
import { connect } from './connect.ts'
import type { Engine } from './store-engine.ts'
import { EngineUnavailableError, sentence } from './store-error.ts'
import { defaultTimes, type LeaseTimes } from './leases.ts'
import { OwnedStorage, type OwnedStorageContext } from './owned-storage.ts'

/** Which engine to use, and how. */
export interface EngineOptions {
  readonly address: StoreAddress
  readonly prefix: string
  /** This process in the messages of other processes, such as `process 4711 on build-7`. */
  readonly who: string
  readonly events: StorageEvents
  /** Aborts the connecting. */
  readonly signal?: AbortSignal
  /** Replace the machine in tests. */
  readonly testHooks?: Partial<Pick<OwnedStorageContext, 'now' | 'monotonicNow' | 'every' | 'token'>> & {
    readonly times?: Partial<LeaseTimes>
  }
}

/** With a larger difference, a workspace may seem idle to one process while another uses it. */
const maxClockDifferenceMs = 500

/** @throws {StoreError} for an engine that cannot be used. */
export async function openEngine({
  address,
  prefix,
  who,
  events,
  signal,
  testHooks = {},
}: EngineOptions): Promise<Storage> {
  const { shown } = address
  if (address.username !== undefined && address.password === undefined) {
    throw new StoreError(
      `--store ${shown}: names a user without a password: put it into the address, or into SANDBOX_STORE_PASSWORD`,
      4,
    )
  }
  const { times, ...hooks } = testHooks
  const context = {
    prefix,
    shown,
    who,
    events,
    token: randomSecret(16),
    now: systemHost().now,
    monotonicNow,
    every,
    ...hooks,
    times: { ...defaultTimes, ...times },
  }
  const onProblem = (line: string): void => events.onProblem(line)
  const engine = await connect(address, { onProblem, ...(signal && { signal }) })
  try {
    await warnOfClock(engine, context)
  } catch (error) {
    await engine.close()
    if (!(error instanceof EngineUnavailableError)) throw error
    throw new StoreError(`--store ${shown}: ${sentence(error.message)} Start again once it answers.`, 4)
  }
  return new OwnedStorage({ engine, ...context })
}

async function warnOfClock(
  engine: Engine,
  { now, shown, events }: Pick<OwnedStorageContext, 'now' | 'shown' | 'events'>,
): Promise<void> {
  const before = now()
  const theirs = await engine.time()
  const after = now()
  // The engine read its clock between the two.
  const difference = before > theirs ? before - theirs : Math.max(0, theirs - after)
  if (difference < maxClockDifferenceMs) return
  events.onProblem(
    `the clock of this machine and that of the store ${shown} differ by ${Math.round(difference)} ms: set both by the same time server, as new rows may have older times than earlier rows`,
  )
}
