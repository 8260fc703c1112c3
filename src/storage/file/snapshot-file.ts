// The snapshot of a data file, replaced atomically: write aside, sync, rename. An adapter of lowdb.
import type { Adapter } from 'lowdb'
import { isSystemError } from '../../runtime/host.ts'
import { sealLength, sealOf } from './checksum.ts'
import { giveName } from './fence.ts'
import { ifThere, linkOrCopy, syncFolder, TooLargeError, type OpenFile } from './files.ts'
import type { Writing } from './journal-file.ts'

/** A text or its bytes in chunks: a large state exceeds the maximum length of a string. */
export type Chunks = Iterable<string | Uint8Array>

/**
 * A reader finds either the old or the new snapshot, even if the machine stops. The adapters of lowdb write no file if
 * NODE_ENV is `test`, follow no links, keep no mode and sync nothing.
 */
export class SnapshotFile implements Adapter<Chunks> {
  readonly #writing: Writing
  readonly #maxBytes: number
  #size = 0
  /** Whether the current snapshot becomes the previous one; not if it is unusable or has the same state. */
  keepsPrevious = true

  constructor(writing: Writing, maxBytes: number) {
    this.#writing = writing
    this.#maxBytes = maxBytes
  }

  /** Size of the last snapshot in bytes. */
  get size(): number {
    return this.#size
  }

  /** Null if the file does not exist. */
  async read(): Promise<Chunks | null> {
    const { files, paths } = this.#writing
    const found = await ifThere(files.stat(paths.file))
    if (found === undefined) return null
    if (found.size > this.#maxBytes) throw new TooLargeError()
    return [await files.readFile(paths.file)]
  }

  /**
   * Returns the checksum of the current snapshot, which the next one names as its predecessor; undefined if it has
   * none.
   */
  async checksumBefore(): Promise<string | undefined> {
    const { files, paths } = this.#writing
    const path = this.keepsPrevious ? paths.file : paths.previous
    const end = await ifThere(files.readEnd(path, sealLength))
    return end && sealOf(end)?.checksum
  }

  async write(chunks: Chunks): Promise<void> {
    const { files, paths, sync, mode } = this.#writing
    const unfinished = this.#writing.unfinished()
    const file = await files.open(unfinished, 'wx', mode)
    let size: number
    try {
      try {
        size = await this.#writeChunks(file, chunks)
        const replaced = await this.#takeAfter(file)
        if (sync) await file.sync()
        if (replaced && this.keepsPrevious) await this.#retainPrevious()
      } finally {
        await file.close()
      }
      await giveName(this.#writing, unfinished, paths.file)
    } catch (error) {
      await files.unlink(unfinished).catch(() => undefined)
      throw error
    }
    if (sync) await syncFolder(files, paths.folder)
    this.keepsPrevious = true
    this.#size = size
  }

  /** Yields to the event loop after each chunk. */
  async #writeChunks(file: OpenFile, chunks: Chunks): Promise<number> {
    let size = 0
    for (const chunk of chunks) {
      size += Buffer.byteLength(chunk)
      if (size > this.#maxBytes) throw new TooLargeError()
      await file.writeFile(chunk)
    }
    return size
  }

  /** The new file keeps the mode and, if this process may set it, the owner of the old one. False if there is none. */
  async #takeAfter(file: OpenFile): Promise<boolean> {
    const before = await ifThere(this.#writing.files.stat(this.#writing.paths.file))
    if (before === undefined) return false
    const after = await file.stat()
    const mode = before.mode & 0o7777
    if ((after.mode & 0o7777) !== mode) await file.chmod(mode)
    if (after.uid !== before.uid || after.gid !== before.gid) {
      await file.chown(before.uid, before.gid).catch((error: unknown) => {
        if (!isSystemError(error) || error.code !== 'EPERM') throw error
      })
    }
    return true
  }

  async #retainPrevious(): Promise<void> {
    const { files, paths, unfinished } = this.#writing
    const name = unfinished()
    try {
      await linkOrCopy(files, paths.file, name)
      await giveName(this.#writing, name, paths.previous)
    } finally {
      // Renaming changes nothing if both names refer to the same file, as after a crash before the snapshot had its
      // name.
      await ifThere(files.unlink(name))
    }
  }
}
