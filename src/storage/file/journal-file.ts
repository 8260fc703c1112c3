// The file of the write-ahead journal: begin, append, sync, truncate.
import { syncFolder, type OpenFile } from './files.ts'
import { giveName, type Fence } from './fence.ts'
import type { DataPaths } from './paths.ts'

/** How to write a file. */
export interface Writing extends Fence {
  paths: DataPaths
  /** Whether writes are flushed to the disk (fsync), and not only passed to the operating system. */
  sync: boolean
  /** The mode of a new file. */
  mode: number
  /** Returns a temporary name for a file that is being written; a new one each time. */
  unfinished(): string
}

/** One line for each commit since the snapshot. Appending costs the same for any number of rows. */
export class JournalFile {
  readonly #writing: Writing
  readonly #header: string
  #file: OpenFile
  #size: number

  private constructor(writing: Writing, header: string, file: OpenFile) {
    this.#writing = writing
    this.#header = header
    this.#file = file
    this.#size = Buffer.byteLength(header)
  }

  /** Creates a journal, replacing an existing one; its header and its name are on the disk when this resolves. */
  static async begin(writing: Writing, header: string): Promise<JournalFile> {
    const file = await replace(writing, header)
    const journal = new JournalFile(writing, header, file)
    await journal.#syncName().catch(async (error: unknown) => {
      await file.close()
      throw error
    })
    return journal
  }

  /** Its size in bytes. */
  get size(): number {
    return this.#size
  }

  /**
   * Appends lines. If this fails, none of them is in the file, unless another process that took the lock over has read
   * them.
   */
  async append(lines: string): Promise<void> {
    try {
      await this.#file.writeFile(lines)
      if (this.#writing.sync) await this.#file.datasync()
      this.#writing.lock.requireOurs()
    } catch (error) {
      // A restart must find no half line, and no whole line whose client got an error. If this fails as well, the
      // repair that follows replaces the file.
      await this.#file.truncate(this.#size).catch(() => undefined)
      throw error
    }
    this.#size += Buffer.byteLength(lines)
  }

  /**
   * Removes all lines except the header after a snapshot. Needs no sync: commits in a snapshot are not read from here.
   */
  async clear(): Promise<void> {
    const size = Buffer.byteLength(this.#header)
    await this.#file.truncate(size)
    this.#size = size
  }

  /** Keeps only these lines, which a snapshot does not contain yet. */
  async keep(lines: string): Promise<void> {
    if (lines === '') return this.clear()
    const text = this.#header + lines
    const before = this.#file
    this.#file = await replace(this.#writing, text)
    this.#size = Buffer.byteLength(text)
    await before.close()
    await this.#syncName()
  }

  /** Before the next line is appended: after a power cut it would be in a file without a name. */
  async #syncName(): Promise<void> {
    const { files, paths, sync } = this.#writing
    if (sync) await syncFolder(files, paths.folder)
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

/** Writes a whole journal to a temporary file and renames it, so that no reader finds half of one. */
async function replace(writing: Writing, text: string): Promise<OpenFile> {
  const { files, paths, sync, mode, unfinished } = writing
  const path = unfinished()
  const file = await files.open(path, 'ax', mode)
  try {
    await file.writeFile(text)
    if (sync) await file.sync()
    await giveName(writing, path, paths.journal)
    return file
  } catch (error) {
    await file.close()
    await files.unlink(path).catch(() => undefined)
    throw error
  }
}
