// The arguments and the reply of the script `sync`, which executes one batch.
import type { Reply, ScriptArgument } from './store-engine.ts'

/** A batch in the form that is sent. */
export interface Sync {
  /** The last entry of the log that the replica knows. */
  version: number
  nonce: string
  /** The nonce of the batch, and whether it may have been sent before. */
  batch: string
  again: boolean
  /** How many request numbers are requested. */
  numbers: number
  /** The parts to clear: j journal, n request numbers, c coverage; and u with the time since the last access (ms). */
  flags: string
  journal: { readonly entries: number; readonly bytes: number }
  /** Maximum number of log entries in the reply. */
  maxReturned: number
  commits: readonly { readonly nonce: string; readonly text: string }[]
  /** Calls for the journal. */
  calls: readonly string[]
  /** How often each contract point was exercised. */
  hits: ReadonlyMap<string, number>
}

export function writeSync(sync: Sync): ScriptArgument[] {
  const { commits, calls, hits, journal } = sync
  return [
    sync.version,
    sync.nonce,
    sync.batch,
    sync.again ? 1 : 0,
    sync.numbers,
    sync.flags,
    journal.entries,
    journal.bytes,
    sync.maxReturned,
    commits.length,
    ...commits.flatMap(({ nonce, text }) => [nonce, text]),
    calls.length,
    ...calls,
    hits.size,
    ...[...hits].flat(),
  ]
}

/** An entry of the log. */
export interface Entry {
  version: number
  nonce: string
  /** The nonce of the entry before. */
  before: string
  text: string
}

/** The outcome of a batch, and how the log continues. */
export interface Synced {
  /** The outcome of the commits; `read` if there were none, or `lost` if a reset came before the calls. */
  status: 'kept' | 'lost' | 'read'
  /** The last of the requested request numbers. */
  number: number
  /**
   * How to catch up: by entries; by a snapshot, as this is another history or the log begins later; there is no log;
   * another program wrote it.
   */
  how: 'tail' | 'reload' | 'behind' | 'none' | 'foreign'
  snapshot: string
  /** The version of the last entry. */
  head: number
  entries: Entry[]
}

export function readSynced(reply: Reply): Synced {
  if (!Array.isArray(reply)) throw new Error('the store returned no list')
  // The script returns no other value.
  const [status, number, how, snapshot, head = 0, ...given] = reply as readonly (string | number)[]
  const entries: Entry[] = []
  for (let at = 0; at < given.length; at += 4) {
    const [version, nonce, before, text] = given.slice(at, at + 4)
    entries.push({
      version: Number(version),
      nonce: String(nonce),
      before: String(before),
      text: String(text),
    })
  }
  return {
    status: status as Synced['status'],
    number: Number(number),
    how: how as Synced['how'],
    snapshot: String(snapshot),
    head: Number(head),
    entries,
  }
}
