// The file of the write-ahead journal: begin, append, sync, truncate.
import { syncFolder, type OpenFile } from './files.ts'
import { giveName, type Fence } from './fence.ts'
import type { DataPaths } from './paths.ts'

/** How a file is written. */
export interface Writing extends Fence {
  paths: DataPaths
  /** Whether writes are brought to the disk, and not only to the system. */
  sync: boolean
  /** The mode of a new file. */
  mode: number
  /** A name for a file that is being written; a new one each time. */
  unfinished(): string
}

/** A line for each commit since the snapshot. Adding to it costs the same for any number of rows. */
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

  /** Begins a journal in place of one that is there; its header and its name are on the disk then. */
  static async begin(writing: Writing, header: string): Promise<JournalFile> {
    const file = await replace(writing, header)
    const journal = new JournalFile(writing, header, file)
    await journal.#syncName().catch(async (error: unknown) => {
      await file.close()
      throw error
    })
    return journal
  }

  /** How many bytes it has. */
  get size(): number {
    return this.#size
  }

  /** Adds lines; when that fails, none of them are there, unless somebody has read them who took the lock over. */
  async append(lines: string): Promise<void> {
    try {
      await this.#file.writeFile(lines)
      if (this.#writing.sync) await this.#file.datasync()
      this.#writing.lock.requireOurs()
    } catch (error) {
      // Half a line, or a whole one whose sender is told that it failed, must not be found after a restart. Where
      // this fails as well, the repair that follows replaces them.
      await this.#file.truncate(this.#size).catch(() => undefined)
      throw error
    }
    this.#size += Buffer.byteLength(lines)
  }

  /**
   * Takes all lines out but the header, as a snapshot holds everything now. Needs no sync: what a snapshot holds is
   * not read from here.
   */
  async clear(): Promise<void> {
    const size = Buffer.byteLength(this.#header)
    await this.#file.truncate(size)
    this.#size = size
  }

  /** Leaves only these lines, which a snapshot does not hold yet. */
  async keep(lines: string): Promise<void> {
    if (lines === '') return this.clear()
    const text = this.#header + lines
    const before = this.#file
    this.#file = await replace(this.#writing, text)
    this.#size = Buffer.byteLength(text)
    await before.close()
    await this.#syncName()
  }

  /** Before a line is added: it would be in a file that has no name after a power cut. */
  async #syncName(): Promise<void> {
    const { files, paths, sync } = this.#writing
    if (sync) await syncFolder(files, paths.folder)
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

/** Writes a whole journal aside and then gives it its name, so that there never is half of one. */
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
