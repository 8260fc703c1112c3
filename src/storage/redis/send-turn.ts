// Sends a turn to the engine, and asks until its outcome is known.
import { monotonicNow } from '../../runtime/host.ts'
import type { LogEnd } from './log-end.ts'
import type { Turn } from './pending-turn.ts'
import { patternOf, syncTurn } from './scripts.ts'
import { EngineAwayError, ForeignKeyError, sentence } from './store-error.ts'
import type { ReplicaContext } from './replica-context.ts'
import { readSynced, writeSync, type Synced } from './sync.ts'
import { StorageUnavailableError } from '../../workspaces/storage.ts'
import { DamagedError } from './turn.ts'

/** How long whoever waits for an outcome waits for the engine to come back. */
const outcomeMs = 5_000

/** How many entries of a log are given at once. */
const mostGiven = 500

/**
 * One round trip; what may have been done is asked for again until it is known. @param usedAgo how long ago the workspace was
 * used here (ms), to be told with it; undefined where the engine knows.
 */
export async function sendTurn(
  { engine, keys, journal, figures }: ReplicaContext,
  end: LogEnd,
  turn: Turn | undefined,
  numbers: number,
  usedAgo: number | undefined,
): Promise<Synced> {
  const { nonce = '', flags = '', commits = [], calls = [], hits = new Map() } = turn ?? {}
  const sync = {
    version: end.version,
    nonce: end.nonce,
    turn: nonce,
    numbers,
    flags: usedAgo === undefined ? flags : `${flags}u${Math.round(usedAgo)}`,
    journal,
    mostGiven,
    commits,
    calls,
    hits,
  }
  const began = monotonicNow()
  const until = began + outcomeMs
  let again = false
  for (;;) {
    try {
      figures.roundTrips += 1
      const synced = readSynced(await engine.run(syncTurn, keys, writeSync({ ...sync, again })))
      if (usedAgo !== undefined && synced.how !== 'none') end.toldOfUse = began - usedAgo
      return synced
    } catch (error) {
      if (!(error instanceof EngineAwayError)) throw error
      again ||= error.mayHaveRun
      // Of what only looked at the state there is no outcome to wait for.
      const isWriting = turn !== undefined && turn.commits.length + turn.flags.length > 0
      if (error instanceof ForeignKeyError) throw new DamagedError(patternOf(keys), { cause: error })
      if (!isWriting || monotonicNow() >= until || !(await engine.untilBack(until - monotonicNow()))) {
        throw new StorageUnavailableError(
          again && isWriting
            ? `${sentence(error.message)} Whether this was done is not known: look before you try again.`
            : error.message,
        )
      }
      figures.retries += 1
    }
  }
}
