// Where the log of a workspace ends for a replica that follows it, and whether a snapshot is due there.
import type { SnapshotEvery } from './log-snapshot.ts'

/** Where a log ends for whoever follows it, and how far it has grown since its last snapshot. */
export class LogEnd {
  /** Of the last entry; 0 where there is no log. */
  version = 0
  nonce = ''
  /** How long the last snapshot was that was read or made here. */
  snapshotBytes: number
  /** The last use of the workspace at this replica that the engine was told of, in the machine's own time (ms). */
  toldOfUse = -Infinity
  #entries = 0
  #bytes = 0

  constructor(snapshotBytes = 0) {
    this.snapshotBytes = snapshotBytes
  }

  /** Takes note of one entry more. */
  add(nonce: string, bytes: number): void {
    this.version += 1
    this.nonce = nonce
    this.#entries += 1
    this.#bytes += bytes
  }

  /** A snapshot is made now. */
  countAnew(): void {
    this.#entries = 0
    this.#bytes = 0
  }

  /**
   * A large snapshot waits until the log has grown by as much, so that what is written for a commit does not grow with
   * the rows: with 30,000 of them a commit would take almost three times as long.
   */
  isSnapshotDue({ entries, bytes }: SnapshotEvery): boolean {
    if (this.snapshotBytes > bytes) return this.#bytes >= this.snapshotBytes
    return this.#entries >= entries || this.#bytes >= bytes
  }
}
