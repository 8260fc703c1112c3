// Opens the store of the option `store`: connects, agrees on the baseline, and follows its workspaces.
import type { Assumptions } from '../../contract/assumptions.ts'
import type { PointCatalogue } from '../../coverage/points/catalogue.ts'
import { exercisedBy } from '../../coverage/counting.ts'
import { readCall, writeCall } from '../../journal/call-text.ts'
import type { ScenarioLibrary } from '../../scenarios/library.ts'
import type { Beginning } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import type { Coverage } from '../../coverage/counting.ts'
import type { Clock, ClockStart } from '../../runtime/clock.ts'
import { digestsOf, openBaseline, type BaselineInputs, type SharedBaseline } from './shared-baseline.ts'
import { connect } from './connect.ts'
import { defaultSnapshots, type SnapshotEvery } from './log-snapshot.ts'
import { RedisStorage } from './redis-storage.ts'
import { readStoreAddress } from '../../input/store-address.ts'
import type { Engine } from './store-engine.ts'
import { EngineUnavailableError, ForeignKeyError, sentence } from './store-error.ts'
import { StorageUnavailableError, StoreError } from '../../workspaces/storage.ts'
import { ForeignError } from './tasks.ts'

/** Which store to use, and how. */
export interface StoreOptions {
  /** `redis://…`, with its password. */
  address: string
  prefix: string
  signal?: AbortSignal
  /** Called with each warning, one line each. */
  onProblem(line: string): void
  testHooks?: StoreTestHooks
}

/** Hooks for tests of the store. */
export interface StoreTestHooks {
  connect?: typeof connect
  snapshotEvery?: SnapshotEvery
}

/** How to create the baseline if this process is the first. */
export interface BaselineInput {
  inputs: BaselineInputs
  assumptions: Assumptions
  load(): Promise<Beginning & { seed: number }>
  clock(start: ClockStart): Clock
  now(): number
}

/** The options for following workspaces of the store. */
export interface DriverContext {
  workspaces: Workspaces
  maxWorkspaces: number
  /** The idle timeout of workspaces in ms; undefined for none. */
  ttl: number | undefined
  /** Aborted when the sandbox closes. */
  closing: AbortSignal
  journalSize: number
  library: ScenarioLibrary
  points: PointCatalogue
  /** Counts for all workspaces. */
  total: Coverage
}

/** A store that this process uses. */
export interface OpenStore {
  /** @throws {StoreError} if its baseline differs from that of this process. */
  baseline(input: BaselineInput): Promise<SharedBaseline>
  /** @param baseline the one in the store. */
  follow(input: DriverContext, baseline: SharedBaseline): Promise<RedisStorage>
  close(): Promise<void>
}

/** Approximate memory of the engine for the journal of one workspace, in bytes. */
const journalBytes = 1 << 20

/** With a larger difference, rows of one replica would seem older than earlier rows of another. */
const maxClockDifferenceMs = 500

/** @throws {StoreError} for an engine that cannot be used. */
export async function openStore({
  address,
  prefix,
  onProblem,
  signal,
  testHooks = {},
}: StoreOptions): Promise<OpenStore> {
  const read = readStoreAddress(address)
  const { shown } = read
  if (read.username !== undefined && read.password === undefined) {
    throw new StoreError(
      `--store ${shown}: names a user without a password: put it into the address, or into SANDBOX_STORE_PASSWORD`,
      4,
    )
  }
  const engine = await (testHooks.connect ?? connect)(read, { onProblem, ...(signal ? { signal } : {}) })
  engine.onStatus = (status) =>
    onProblem(
      status.status === 'ok'
        ? `The store ${shown} answers again.`
        : `The store ${shown} is away, and calls are answered 503 until it is back: ${status.reason}.`,
    )
  return {
    async baseline({ inputs, assumptions, load, clock, now }) {
      await orRefused(shown, warnOfClock(engine, now, shown, onProblem))
      const digests = await digestsOf(inputs)
      return orRefused(shown, openBaseline({ engine, prefix, shown, digests, assumptions, load, clock, now }))
    },
    async follow({ workspaces, maxWorkspaces, ttl, closing, journalSize, library, points, total }, baseline) {
      const catalogue = await library.load()
      const known = { catalogue, baseline: workspaces.baseline }
      const store = new RedisStorage({
        engine,
        prefix,
        workspaces,
        maxWorkspaces,
        ttl,
        closing,
        journal: { entries: journalSize, bytes: journalBytes },
        snapshotEvery: testHooks.snapshotEvery ?? defaultSnapshots,
        baseline,
        total,
        onProblem,
        recordOf: (call) => ({ journal: writeCall(call, known), coverage: exercisedBy(call, points) }),
        readCall: (text, { state }) => readCall(text, { ...known, state }),
      })
      await orRefused(shown, store.begin())
      return store
    },
    close: () => {
      engine.onStatus = undefined
      return engine.close()
    },
  }
}

/** @throws {StoreError} if the engine is away: a start does not wait for it. */
async function orRefused<T>(shown: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof EngineUnavailableError || error instanceof StorageUnavailableError)) throw error
    if (error instanceof ForeignError || error instanceof ForeignKeyError)
      throw new StoreError(`--store ${shown}: ${error.message}`, 3)
    throw new StoreError(`--store ${shown}: ${sentence(error.message)} Start again once it answers.`, 4)
  }
}

async function warnOfClock(
  engine: Engine,
  now: () => number,
  shown: string,
  onProblem: (line: string) => void,
): Promise<void> {
  const before = now()
  const theirs = await engine.time()
  const after = now()
  // The engine read its clock between the two.
  const ahead = before > theirs ? before - theirs : Math.max(0, theirs - after)
  if (ahead < maxClockDifferenceMs) return
  onProblem(
    `the clock of this machine and that of the store ${shown} differ by ${Math.round(ahead)} ms: set both by the same time server, as new rows may have older times than earlier rows`,
  )
}
