// The data file: a snapshot and a journal under one lock; lowdb reads and writes the snapshot, one whole at a time.
import { Low } from 'lowdb'
import { sealLength } from './checksum.ts'
import { ifThere, systemFiles } from './files.ts'
import { JournalFile, type Writing } from './journal-file.ts'
import { basename, join } from 'node:path'
import { removeName } from './fence.ts'
import { isLock, Lock, requireFree, takeLock, type LockOptions } from './lock.ts'
import { dataPaths, realPathOf, unfinishedName, type DataPaths } from './paths.ts'
import { SnapshotFile, type Chunks } from './snapshot-file.ts'

/** How a data file is kept. */
export interface DataFileOptions {
  /** Its lock, which stays whose it is, or how it takes one of its own. */
  lock: Lock | Omit<LockOptions, 'files'>
  /** Whether writes are brought to the disk, and not only to the system. */
  sync: boolean
  /** How large a snapshot may be that can be read again. */
  maxBytes: number
}

/** Thrown for a path of something that is no file. */
export class NotAFileError extends Error {}

/** Only whom it belongs to may read a new file: it holds keys. */
const ownerOnly = 0o600

/** Knows nothing of what the texts mean. */
export class DataFile {
  readonly paths: DataPaths
  readonly #writing: Writing
  readonly #snapshot: SnapshotFile
  readonly #low: Low<Chunks>
  readonly #release: () => Promise<void>
  /** Aborted, for a LostLockError, once another sandbox is seen to use it. */
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
   * Takes the lock of a data file, which need not be there yet, unless it is given one.
   * @throws {NotAFileError} for a folder or device. @throws {LockedError} when another process has it.
   */
  static async open(path: string, options: DataFileOptions): Promise<DataFile> {
    const paths = dataPaths(await realPathOf(systemFiles, path))
    const found = await ifThere(systemFiles.stat(paths.file))
    if (found && !found.isFile()) throw new NotAFileError()
    const { lock } = options
    if (lock instanceof Lock) return new DataFile(paths, options, lock, async () => undefined)
    const own = await takeLock(paths.lock, { files: systemFiles, ...lock }, basename(paths.file))
    try {
      // All of its folder may be in use (--data FOLDER/).
      const ofFolder = join(paths.folder, '.lock')
      if (await isLock(ofFolder)) await requireFree(ofFolder, lock)
    } catch (error) {
      await own.release()
      throw error
    }
    return new DataFile(paths, options, own, () => own.release())
  }

  /** One that is given its lock, where no file is yet. @param path as the file system has it: through no link. */
  static at(path: string, options: DataFileOptions & { lock: Lock }): DataFile {
    return new DataFile(dataPaths(path), options, options.lock, async () => undefined)
  }

  /** The snapshot as it is; undefined when there is none. */
  async read(): Promise<Uint8Array | undefined> {
    await this.#low.read()
    const [bytes] = this.#low.data
    this.#low.data = []
    return typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  }

  /** The snapshot before that, and when it was made; undefined when there is none. */
  async readPrevious(): Promise<{ bytes: Uint8Array; at: Date } | undefined> {
    const { files } = this.#writing
    const bytes = await ifThere(files.readFile(this.paths.previous))
    return bytes && { bytes, at: (await files.stat(this.paths.previous)).mtime }
  }

  /** The end of the snapshot before that; undefined when there is none. */
  async readEndOfPrevious(): Promise<Uint8Array | undefined> {
    return ifThere(this.#writing.files.readEnd(this.paths.previous, sealLength))
  }

  /** The journal as it is; undefined when there is none. */
  async readJournal(): Promise<Uint8Array | undefined> {
    return ifThere(this.#writing.files.readFile(this.paths.journal))
  }

  /** Whether there is a journal, whosever. */
  async hasJournal(): Promise<boolean> {
    return (await ifThere(this.#writing.files.stat(this.paths.journal))) !== undefined
  }

  /** Copies what cannot be used, so that it outlives the next snapshot. The previous snapshot stays as well. */
  async keepAside(which: 'file' | 'journal'): Promise<string> {
    const name = `${this.paths[which]}.unusable`
    if (which === 'file') this.#snapshot.keepsPrevious = false
    await this.#writing.files.copyFile(this.paths[which], name)
    return name
  }

  /** Begins a journal in place of one that is there, before the snapshot that names it. @param header its first line. */
  async begin(header: string): Promise<void> {
    await this.#journal?.close()
    this.#journal = await JournalFile.begin(this.#writing, header)
  }

  /** Removes the journal, once a snapshot needs none. */
  async end(): Promise<void> {
    await this.#journal?.close()
    this.#journal = undefined
    await removeName(this.#writing, this.#writing.unfinished(), this.paths.journal)
  }

  /**
   * Replaces the snapshot while lines may be added to the journal; `forget` then takes out what it holds.
   * @param chunksOf makes the new one, given the checksum of the one before it.
   * @param isAnother whether its state is another one than that of the last snapshot.
   */
  async snapshot(chunksOf: (previous: string | undefined) => Chunks, isAnother = true): Promise<void> {
    if (!isAnother) this.#snapshot.keepsPrevious = false
    this.#low.data = chunksOf(await this.#snapshot.checksumBefore())
    try {
      await this.#low.write()
    } finally {
      // Whatever the chunks come from must not be kept in memory.
      this.#low.data = []
    }
  }

  /** Adds lines to the journal; when that fails, none of them are there. */
  async append(lines: string): Promise<void> {
    if (!this.#journal) throw new Error('a journal is begun before lines are added')
    await this.#journal.append(lines)
  }

  /** Takes everything out of the journal but the lines that were added after the last snapshot was begun. */
  async forget(after: string): Promise<void> {
    await this.#journal?.keep(after)
  }

  /** How many bytes the snapshot and the journal have. */
  get sizes(): { snapshot: number; journal: number } {
    return { snapshot: this.#snapshot.size, journal: this.#journal?.size ?? 0 }
  }

  /** Gives the lock back, if it is its own. The journal stays. */
  async close(): Promise<void> {
    try {
      await this.#journal?.close()
    } finally {
      await this.#release()
    }
  }
}
