// Sends a batch to the engine, and retries until the outcome is known.
import { monotonicNow } from '../../runtime/host.ts'
import type { LogEnd } from './log-end.ts'
import type { Batch } from './batch.ts'
import { patternOf } from './declare-script.ts'
import { syncBatch } from './workspace-scripts.ts'
import { EngineUnavailableError, ForeignKeyError, sentence } from './store-error.ts'
import type { ReplicaContext } from './replica-context.ts'
import { readSynced, writeSync, type Synced } from './sync.ts'
import { StorageUnavailableError } from '../../workspaces/storage.ts'
import { DamagedError } from './tasks.ts'

/** Timeout of a batch while the engine is away (ms). */
const outcomeMs = 5_000

/** Maximum number of log entries in one reply. */
const maxReturned = 500

/**
 * Makes one round trip. A batch that may have been executed is resent until its outcome is known.
 * @param usedAgo time since the last access here (ms), to report with the batch; undefined if the engine knows it.
 */
export async function sendBatch(
  { engine, keys, journal, figures }: ReplicaContext,
  end: LogEnd,
  batch: Batch | undefined,
  numbers: number,
  usedAgo: number | undefined,
): Promise<Synced> {
  const { nonce = '', flags = '', commits = [], calls = [], hits = new Map() } = batch ?? {}
  const sync = {
    version: end.version,
    nonce: end.nonce,
    batch: nonce,
    numbers,
    flags: usedAgo === undefined ? flags : `${flags}u${Math.round(usedAgo)}`,
    journal,
    maxReturned,
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
      const synced = readSynced(await engine.run(syncBatch, keys, writeSync({ ...sync, again })))
      if (usedAgo !== undefined && synced.how !== 'none') end.reportedAccessAt = began - usedAgo
      return synced
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error
      again ||= error.mayHaveRun
      // A batch that only reads has no outcome to wait for.
      const isWriting = batch !== undefined && batch.commits.length + batch.flags.length > 0
      if (error instanceof ForeignKeyError) throw new DamagedError(patternOf(keys), { cause: error })
      if (
        !isWriting ||
        monotonicNow() >= until ||
        !(await engine.waitUntilAvailable(until - monotonicNow()))
      ) {
        throw new StorageUnavailableError(
          again && isWriting
            ? `${sentence(error.message)} The outcome is unknown: check it before you retry.`
            : error.message,
        )
      }
      figures.retries += 1
    }
  }
}
