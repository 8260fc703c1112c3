// The data file: a snapshot and a journal under one lock. lowdb reads and writes the snapshot as a whole.
import { Low } from 'lowdb'
import { sealLength } from './checksum.ts'
import { ifThere, systemFiles } from './files.ts'
import { JournalFile, type Writing } from './journal-file.ts'
import { basename, join } from 'node:path'
import { removeName } from './fence.ts'
import { isLock, Lock, requireFree, takeLock, type LockOptions } from './lock.ts'
import { dataPaths, realPathOf, unfinishedName, type DataPaths } from './paths.ts'
import { SnapshotFile, type Chunks } from './snapshot-file.ts'

/** How a data file is saved. */
export interface DataFileOptions {
  /** The lock to share, which its owner releases, or the options to take a new one. */
  lock: Lock | Omit<LockOptions, 'files'>
  /** Whether writes are flushed to the disk (fsync), and not only passed to the operating system. */
  sync: boolean
  /** Maximum size in bytes of a snapshot that can be loaded. */
  maxBytes: number
}

/** Thrown if the path leads to something that is not a file. */
export class NotAFileError extends Error {}

/** Only the owner may read a new file: it has keys. */
const ownerOnly = 0o600

/** Reads and writes texts without parsing them. */
export class DataFile {
  readonly paths: DataPaths
  readonly #writing: Writing
  readonly #snapshot: SnapshotFile
  readonly #low: Low<Chunks>
  readonly #release: () => Promise<void>
  /** Aborted with a LostLockError as soon as another sandbox is seen to use the file. */
  readonly lost: AbortSignal
  #journal: JournalFile | undefined

  private constructor(
    paths: DataPaths,
    { sync, maxBytes }: DataFileOptions,
    lock: Lock,
    release: () => Promise<void>,
  ) {
    let count = 0
    const unfinished = (): string => unfinishedName(paths.file, lock.nonce, ++count)
    this.paths = paths
    this.lost = lock.lost
    this.#writing = { files: systemFiles, lock, paths, sync, mode: ownerOnly, unfinished }
    this.#snapshot = new SnapshotFile(this.#writing, maxBytes)
    this.#low = new Low<Chunks>(this.#snapshot, [])
    this.#release = release
  }

  /**
   * Opens a data file, which need not exist, and locks it unless a lock is provided.
   * @throws {NotAFileError} for a folder or device. @throws {LockedError} if another process has the lock.
   */
  static async open(path: string, options: DataFileOptions): Promise<DataFile> {
    const paths = dataPaths(await realPathOf(systemFiles, path))
    const found = await ifThere(systemFiles.stat(paths.file))
    if (found && !found.isFile()) throw new NotAFileError()
    const { lock } = options
    if (lock instanceof Lock) return new DataFile(paths, options, lock, async () => undefined)
    const own = await takeLock(paths.lock, { files: systemFiles, ...lock }, basename(paths.file))
    try {
      // Another process may use the whole folder (--data FOLDER/).
      const ofFolder = join(paths.folder, '.lock')
      if (await isLock(ofFolder)) await requireFree(ofFolder, lock)
    } catch (error) {
      await own.release()
      throw error
    }
    return new DataFile(paths, options, own, () => own.release())
  }

  /** Opens a new data file under a lock that is provided. @param path the resolved path, without links. */
  static at(path: string, options: DataFileOptions & { lock: Lock }): DataFile {
    return new DataFile(dataPaths(path), options, options.lock, async () => undefined)
  }

  /** Returns the current snapshot; undefined if there is none. */
  async read(): Promise<Uint8Array | undefined> {
    await this.#low.read()
    const [bytes] = this.#low.data
    this.#low.data = []
    return typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  }

  /** Returns the previous snapshot with its time; undefined if there is none. */
  async readPrevious(): Promise<{ bytes: Uint8Array; at: Date } | undefined> {
    const { files } = this.#writing
    const bytes = await ifThere(files.readFile(this.paths.previous))
    return bytes && { bytes, at: (await files.stat(this.paths.previous)).mtime }
  }

  /** Returns the end of the previous snapshot; undefined if there is none. */
  async readEndOfPrevious(): Promise<Uint8Array | undefined> {
    return ifThere(this.#writing.files.readEnd(this.paths.previous, sealLength))
  }

  /** Returns the current journal; undefined if there is none. */
  async readJournal(): Promise<Uint8Array | undefined> {
    return ifThere(this.#writing.files.readFile(this.paths.journal))
  }

  /** Whether a journal exists, of this snapshot or of another one. */
  async hasJournal(): Promise<boolean> {
    return (await ifThere(this.#writing.files.stat(this.paths.journal))) !== undefined
  }

  /**
   * Copies files that cannot be used, so that they outlive the next snapshot. The previous snapshot is kept as well.
   */
  async copyAside(which: 'file' | 'journal'): Promise<string> {
    const name = `${this.paths[which]}.unusable`
    if (which === 'file') this.#snapshot.keepsPrevious = false
    await this.#writing.files.copyFile(this.paths[which], name)
    return name
  }

  /** Creates a journal, replacing an existing one, before the snapshot that names it. @param header its first line. */
  async begin(header: string): Promise<void> {
    await this.#journal?.close()
    this.#journal = await JournalFile.begin(this.#writing, header)
  }

  /** Removes the journal after a snapshot that needs none. */
  async end(): Promise<void> {
    await this.#journal?.close()
    this.#journal = undefined
    await removeName(this.#writing, this.#writing.unfinished(), this.paths.journal)
  }

  /**
   * Replaces the snapshot while lines may be appended to the journal; `forget` then removes the lines that it contains.
   * @param chunksOf creates the new snapshot from the checksum of the previous one.
   * @param isAnother whether its state differs from that of the last snapshot.
   */
  async snapshot(chunksOf: (previous: string | undefined) => Chunks, isAnother = true): Promise<void> {
    if (!isAnother) this.#snapshot.keepsPrevious = false
    this.#low.data = chunksOf(await this.#snapshot.checksumBefore())
    try {
      await this.#low.write()
    } finally {
      // The source of the chunks must be free for garbage collection.
      this.#low.data = []
    }
  }

  /** Appends lines to the journal. If this fails, none of them is in it. */
  async append(lines: string): Promise<void> {
    if (!this.#journal) throw new Error('a journal is begun before lines are added')
    await this.#journal.append(lines)
  }

  /** Removes all lines from the journal except those that were appended after the last snapshot began. */
  async forget(after: string): Promise<void> {
    await this.#journal?.keep(after)
  }

  /** Returns the size of the snapshot and the journal in bytes. */
  get sizes(): { snapshot: number; journal: number } {
    return { snapshot: this.#snapshot.size, journal: this.#journal?.size ?? 0 }
  }

  /** Releases the lock if it is the file's own. The journal stays. */
  async close(): Promise<void> {
    try {
      await this.#journal?.close()
    } finally {
      await this.#release()
    }
  }
}
