// The end of a log as a replica knows it, and whether the log needs a snapshot.
import type { SnapshotEvery } from './log-snapshot.ts'

/** The end of a log as a replica knows it, and how far the log has grown since its last snapshot. */
export class LogEnd {
  /** The version of the last entry; 0 if there is no log. */
  version = 0
  nonce = ''
  /** The size of the last snapshot that was read or written here. */
  snapshotBytes: number
  /** The last access at this replica that was reported to the engine, in monotonic time (ms). */
  reportedAccessAt = -Infinity
  #entries = 0
  #bytes = 0

  constructor(snapshotBytes = 0) {
    this.snapshotBytes = snapshotBytes
  }

  /** Counts an entry. */
  add(nonce: string, bytes: number): void {
    this.version += 1
    this.nonce = nonce
    this.#entries += 1
    this.#bytes += bytes
  }

  /** Counts from the snapshot that is being written. */
  resetCounts(): void {
    this.#entries = 0
    this.#bytes = 0
  }

  /**
   * Large snapshots: only after the log has grown by the snapshot's size, so that the cost of a commit does not grow
   * with the rows. With 30,000 rows a commit would take almost three times as long.
   */
  isSnapshotDue({ entries, bytes }: SnapshotEvery): boolean {
    if (this.snapshotBytes > bytes) return this.#bytes >= this.snapshotBytes
    return this.#entries >= entries || this.#bytes >= bytes
  }
}
