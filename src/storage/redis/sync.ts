// The arguments and the reply of the script `sync`, which executes one batch.
import type { Reply, ScriptArgument } from './store-engine.ts'

/** A batch, as it is sent. */
export interface Sync {
  /** The last entry of the log that the replica knows. */
  version: number
  nonce: string
  /** The nonce of the batch, and whether it may have been sent before. */
  batch: string
  again: boolean
  /** How many request numbers are wanted. */
  numbers: number
  /** What is to be emptied: j journal, n request numbers, c coverage; and u with how long ago the workspace was used (ms). */
  flags: string
  journal: { readonly entries: number; readonly bytes: number }
  /** How many entries of the log to give. */
  maxGiven: number
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
    sync.maxGiven,
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
  /** Of the commits; `read` where there were none. */
  status: 'kept' | 'lost' | 'read'
  /** The last of the request numbers that were wanted. */
  number: number
  /** By its entries; by a snapshot, as this is another history or the log begins later; there is no log; it is somebody else's. */
  how: 'tail' | 'reload' | 'behind' | 'none' | 'foreign'
  snapshot: string
  /** The version of the last entry. */
  head: number
  entries: Entry[]
}

export function readSynced(reply: Reply): Synced {
  if (!Array.isArray(reply)) throw new Error('the engine gave no list')
  // The script gives nothing else.
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
