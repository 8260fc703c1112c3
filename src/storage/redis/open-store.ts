// Opens the store that `store` names: connects, agrees on the baseline, and follows the workspaces in it.
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
import { usualSnapshots, type SnapshotEvery } from './log-snapshot.ts'
import { RedisStorage } from './redis-storage.ts'
import { readStoreAddress } from '../../input/store-address.ts'
import type { Engine } from './store-engine.ts'
import { EngineAwayError, ForeignKeyError, sentence } from './store-error.ts'
import { StorageUnavailableError, StoreError } from '../../workspaces/storage.ts'
import { ForeignError } from './tasks.ts'

/** Which store, and how it is used. */
export interface StoreOptions {
  /** `redis://…`, with its password. */
  address: string
  prefix: string
  signal?: AbortSignal
  /** Told what is doubtful, a line each. */
  onProblem(line: string): void
  seams?: StoreTestHooks
}

/** Hooks for tests of the store. */
export interface StoreTestHooks {
  connect?: typeof connect
  snapshotEvery?: SnapshotEvery
}

/** How the baseline comes about where this process is the first. */
export interface BaselineInput {
  ingredients: BaselineInputs
  assumptions: Assumptions
  load(): Promise<Beginning & { seed: number }>
  clock(start: ClockStart): Clock
  now(): number
}

/** What the workspaces of the store are followed with. */
export interface FollowInput {
  workspaces: Workspaces
  maxWorkspaces: number
  /** For how long nobody used a workspace that is forgotten, in ms; undefined where none is. */
  ttl: number | undefined
  /** The sandbox ends. */
  closing: AbortSignal
  journalSize: number
  library: ScenarioLibrary
  points: PointCatalogue
  /** Counts for all workspaces. */
  total: Coverage
}

/** A store that this process uses. */
export interface OpenStore {
  /** @throws {StoreError} for another baseline than that of this process. */
  baseline(input: BaselineInput): Promise<SharedBaseline>
  /** @param baseline as the store has it. */
  follow(input: FollowInput, baseline: SharedBaseline): Promise<RedisStorage>
  close(): Promise<void>
}

/** How much of the engine's memory the journal of one workspace takes, in bytes. */
const journalBytes = 1 << 20

/** From here on rows of one replica would seem to be made before those of another. */
const maxAheadMs = 500

/** @throws {StoreError} for an engine that cannot be used. */
export async function openStore({
  address,
  prefix,
  onProblem,
  signal,
  seams = {},
}: StoreOptions): Promise<OpenStore> {
  const read = readStoreAddress(address)
  const { shown } = read
  if (read.username !== undefined && read.password === undefined) {
    throw new StoreError(
      `--store ${shown}: names a user without a password: put it into the address, or into SANDBOX_STORE_PASSWORD`,
      4,
    )
  }
  const engine = await (seams.connect ?? connect)(read, { onProblem, ...(signal ? { signal } : {}) })
  engine.onStatus = (status) =>
    onProblem(
      status.status === 'ok'
        ? `The store ${shown} answers again.`
        : `The store ${shown} is away, and calls are answered 503 until it is back: ${status.reason}.`,
    )
  return {
    async baseline({ ingredients, assumptions, load, clock, now }) {
      await orRefused(shown, warnOfClock(engine, now, shown, onProblem))
      const digests = await digestsOf(ingredients)
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
        snapshotEvery: seams.snapshotEvery ?? usualSnapshots,
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

/** @throws {StoreError} where the engine is away: a start does not wait for it. */
async function orRefused<T>(shown: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof EngineAwayError || error instanceof StorageUnavailableError)) throw error
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
  // It was read somewhere between the two.
  const ahead = before > theirs ? before - theirs : Math.max(0, theirs - after)
  if (ahead < maxAheadMs) return
  onProblem(
    `the clock of this machine and that of the store ${shown} differ by ${Math.round(ahead)} ms: set both by the same time server, as rows of one replica may seem older than those before them`,
  )
}
