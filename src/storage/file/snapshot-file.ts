// The snapshot of a data file, replaced atomically: write aside, sync, rename. An adapter of lowdb.
import type { Adapter } from 'lowdb'
import { isSystemError } from '../../runtime/host.ts'
import { sealLength, sealOf } from './checksum.ts'
import { giveName } from './fence.ts'
import { ifThere, linkOrCopy, syncFolder, TooLargeError, type OpenFile } from './files.ts'
import type { Writing } from './journal-file.ts'

/** A text, or its bytes, in chunks: a large state is longer than the longest text there can be. */
export type Chunks = Iterable<string | Uint8Array>

/**
 * A reader finds either the old or the new one, whenever the machine stops. lowdb's own adapters write no file where
 * NODE_ENV is `test`, follow no link, keep no mode and sync nothing.
 */
export class SnapshotFile implements Adapter<Chunks> {
  readonly #writing: Writing
  readonly #maxBytes: number
  #size = 0
  /** Whether what is there becomes the previous one; not when it is unusable, or holds no other state. */
  keepsPrevious = true

  constructor(writing: Writing, maxBytes: number) {
    this.#writing = writing
    this.#maxBytes = maxBytes
  }

  /** How many bytes the last one had. */
  get size(): number {
    return this.#size
  }

  /** Null when there is no file. */
  async read(): Promise<Chunks | null> {
    const { files, paths } = this.#writing
    const found = await ifThere(files.stat(paths.file))
    if (found === undefined) return null
    if (found.size > this.#maxBytes) throw new TooLargeError()
    return [await files.readFile(paths.file)]
  }

  /** The checksum of what will be the previous one when this one is replaced; undefined where it has none. */
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
        if (replaced && this.keepsPrevious) await this.#keepPrevious()
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

  /** Each chunk that is written lets the event loop turn. */
  async #writeChunks(file: OpenFile, chunks: Chunks): Promise<number> {
    let size = 0
    for (const chunk of chunks) {
      size += Buffer.byteLength(chunk)
      if (size > this.#maxBytes) throw new TooLargeError()
      await file.writeFile(chunk)
    }
    return size
  }

  /** A file that is replaced keeps its mode and, as far as this process may, its owner. False when there is none. */
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

  async #keepPrevious(): Promise<void> {
    const { files, paths, unfinished } = this.#writing
    const name = unfinished()
    try {
      await linkOrCopy(files, paths.file, name)
      await giveName(this.#writing, name, paths.previous)
    } finally {
      // Renaming leaves it where both are names of one file already, as after a crash before the snapshot had its name.
      await ifThere(files.unlink(name))
    }
  }
}
