// The file of the write-ahead journal: append, sync, truncate.
import { syncFolder, type Files, type OpenFile } from './files.ts'
import type { DataPaths } from './paths.ts'

/** How a file is written. */
export interface Writing {
  files: Files
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
  #file: OpenFile
  #size: number

  private constructor(writing: Writing, file: OpenFile, size: number) {
    this.#writing = writing
    this.#file = file
    this.#size = size
  }

  /** Opens the journal as it is, or makes an empty one. */
  static async open(writing: Writing): Promise<JournalFile> {
    const file = await writing.files.open(writing.paths.journal, 'a', writing.mode)
    return new JournalFile(writing, file, (await file.stat()).size)
  }

  /** How many bytes it has. */
  get size(): number {
    return this.#size
  }

  /** Adds lines; when that fails, none of them are there. */
  async append(lines: string): Promise<void> {
    try {
      await this.#file.writeFile(lines)
      if (this.#writing.sync) await this.#file.datasync()
    } catch (error) {
      // Half a line, or a whole one whose sender is told that it failed, must not be found after a restart. Where
      // this fails as well, the repair that follows replaces them.
      await this.#file.truncate(this.#size).catch(() => undefined)
      throw error
    }
    this.#size += Buffer.byteLength(lines)
  }

  /** Empties it, as a snapshot holds everything now. Needs no sync: what a snapshot holds is not read from here. */
  async clear(): Promise<void> {
    await this.#file.truncate(0)
    this.#size = 0
  }

  /** Leaves only these lines, which a snapshot does not hold yet. */
  async keep(lines: string): Promise<void> {
    if (lines === '') return this.clear()
    const { files, paths, sync, mode } = this.#writing
    const unfinished = this.#writing.unfinished()
    const file = await files.open(unfinished, 'ax', mode)
    try {
      await file.writeFile(lines)
      if (sync) await file.sync()
      await files.rename(unfinished, paths.journal)
    } catch (error) {
      await file.close()
      await files.unlink(unfinished).catch(() => undefined)
      throw error
    }
    const before = this.#file
    this.#file = file
    this.#size = Buffer.byteLength(lines)
    await before.close()
    // Before the next line is added: it would be in a file that has no name after a power cut.
    if (sync) await syncFolder(files, paths.folder)
  }

  /** Closes it; an empty one is removed. */
  async close(): Promise<void> {
    await this.#file.close()
    if (this.#size === 0) await this.#writing.files.unlink(this.#writing.paths.journal)
  }
}
