// A log that this process writes: a file of lines, appended and synced.
import { ownerOnly, type FileContext } from './file-context.ts'
import type { OpenFile } from './files.ts'

export class LogFile {
  readonly #context: FileContext
  readonly #path: string
  readonly #file: OpenFile
  #size: number
  #isPartial = false
  #isUncertain = false

  private constructor(context: FileContext, path: string, file: OpenFile, size: number) {
    this.#context = context
    this.#path = path
    this.#file = file
    this.#size = size
  }

  /**
   * Creates a log. It gets its name when its first lines are on the disk, so no process finds a part of them, and no
   * process without the lock can create one.
   */
  static async begin(
    context: FileContext,
    { name, generation, lines }: { name: string; generation: number; lines: string },
  ): Promise<LogFile> {
    const path = context.layout.log(name, generation)
    const unfinished = context.unfinished(name)
    const file = await context.files.open(unfinished, 'ax', ownerOnly)
    try {
      await file.writeFile(lines)
      await file.sync()
      await context.giveName(unfinished, path)
      return new LogFile(context, path, file, Buffer.byteLength(lines))
    } catch (error) {
      await file.close().catch(() => undefined)
      await context.removeUnfinished(unfinished)
      throw error
    }
  }

  get size(): number {
    return this.#size
  }

  /** Whether another line can follow. */
  get canAppend(): boolean {
    return !this.#isPartial && !this.#isUncertain
  }

  /** Whether it may have a line for which `append` rejected. */
  get isUncertain(): boolean {
    return this.#isUncertain
  }

  /** Appends a line. If this rejects, the line is not in the log unless `isUncertain`. */
  async append(line: string): Promise<void> {
    try {
      await this.#file.writeFile(line)
    } catch (error) {
      // The log ends with a part of the line, which no reader counts, but no line can follow it.
      this.#isPartial = await this.#file.truncate(this.#size).then(
        () => false,
        () => true,
      )
      throw error
    }
    // From here on a process that takes the lock over may read the line, so it must not be truncated.
    this.#isUncertain = true
    await this.#file.datasync()
    this.#context.lock.requireOurs()
    this.#isUncertain = false
    this.#size += Buffer.byteLength(line)
  }

  /** Sets the time of the last use. */
  async touch(at: Date): Promise<void> {
    await this.#context.files.utimes(this.#path, at, at)
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}
