// One workspace in files that this process owns: its document, the log that it appends to, and the older logs.
//
// The order of the operations on names keeps the files readable whenever the process stops:
//
// - A log gets its name with its first lines in it. Its header says after which delta it continues. A line of an older log
//   beyond that delta does not count: a former owner wrote it when it was no owner any more.
// - A checkpoint begins a new log, then writes the document which names that log, then removes the older logs.
// - Removing a workspace removes the older logs, then the document, and then the logs that continue it: without the
//   document they are nothing, as the first of them does not begin a workspace.
import type { OpenedWorkspace } from '../../workspaces/storage.ts'
import { withFields } from './document-end.ts'
import { DocumentFile } from './document-file.ts'
import { endsPersistence, UncertainWriteError, type FileContext } from './file-context.ts'
import { LogFile } from './log-file.ts'
import { deltaLine, headerLine } from './log-lines.ts'
import { readWorkspace } from './read-workspace.ts'

/** The state of the files of a workspace. */
interface FileState {
  /** Whether the files are those of a workspace: a new one has none until its first write. */
  exists: boolean
  /** The number of the last delta. */
  seq: number
  /** The JSON text for the list that is on the disk; undefined if a person wrote the document. */
  about: string | undefined
  hasDocument: boolean
  /** The checksum of a document that names no log, which logs therefore name. */
  unnamed: string | undefined
  /** The generation of the first log that counts; undefined if none does. */
  firstLog: number | undefined
}

/** A workspace and its files. */
interface Parts {
  context: FileContext
  name: string
  file: DocumentFile
  /** The generations of the logs that exist, ascending; shared with the driver. */
  generations: number[]
}

/** Calls come one after the other. */
export class FileWorkspace {
  readonly #parts: Parts
  readonly #state: FileState
  /** Undefined until the first write: opening changes nothing. */
  #log: LogFile | undefined

  private constructor(parts: Parts, state: FileState) {
    this.#parts = parts
    this.#state = state
  }

  /** @param generations its logs, ascending. @param about for a new one. @throws {DamagedError} */
  static async open(
    context: FileContext,
    { name, generations, about }: { name: string; generations: number[]; about: string },
  ): Promise<{ workspace: FileWorkspace; opened: OpenedWorkspace }> {
    const file = new DocumentFile(context, name)
    const found = await readWorkspace(context, { name, file, generations })
    const hasDocument = found.document !== undefined
    const exists = hasDocument || found.about !== undefined
    const state = {
      exists,
      seq: found.seq,
      about: exists ? found.about : about,
      hasDocument,
      unnamed: found.unnamed,
      firstLog: found.firstLog,
    }
    return {
      workspace: new FileWorkspace({ context, name, file, generations }, state),
      opened: { checkpoint: found.document, deltas: found.deltas },
    }
  }

  /** A workspace that cannot be read, and can only be removed. @param generations its logs, ascending. */
  static damaged(context: FileContext, name: string, generations: number[]): FileWorkspace {
    const parts = { context, name, file: new DocumentFile(context, name), generations }
    return new FileWorkspace(parts, {
      exists: true,
      seq: 0,
      about: undefined,
      hasDocument: true,
      unnamed: undefined,
      firstLog: undefined,
    })
  }

  /** The JSON text for the list; undefined if no file has one. */
  get about(): string | undefined {
    return this.#state.exists ? this.#state.about : undefined
  }

  get logSize(): number {
    return this.#log?.size ?? 0
  }

  /** @throws {UncertainWriteError} if the delta may be persisted. @throws any other failure: then it is not. */
  async append(delta: string, about = this.#state.about): Promise<void> {
    const line = deltaLine(this.#state.seq + 1, delta)
    if (this.#log?.canAppend && this.#state.exists && about === this.#state.about)
      await this.#appendTo(this.#log, line)
    else await this.#begin(about, line)
    this.#state.seq += 1
  }

  async #appendTo(log: LogFile, line: string): Promise<void> {
    try {
      await log.append(line)
    } catch (error) {
      if (!log.isUncertain || endsPersistence(error)) throw error
      // The log may have the line: a new one continues after the line before.
      await this.#begin(this.#state.about, '').catch((cause: unknown) => {
        throw endsPersistence(cause)
          ? cause
          : new UncertainWriteError('a failed write could not be undone', { cause: error })
      })
      throw error
    }
  }

  /** Notes a use at a time, and what is known about the workspace if that changed. */
  async touch(at: Date, about = this.#state.about): Promise<void> {
    if (!this.#state.exists) return
    if (about !== this.#state.about) return this.#begin(about, '')
    await (this.#log ? this.#log.touch(at) : this.#parts.context.files.utimes(this.#path, at, at))
  }

  /** Begins a log with a header, and with lines that are persisted with it. */
  async #begin(about: string | undefined, lines: string): Promise<void> {
    const { about: before, hasDocument } = this.#state
    const isChanged = about !== undefined && (about !== before || !hasDocument)
    await this.#switch(
      { ...(hasDocument ? {} : { begins: !this.#state.exists }), ...(isChanged ? { about } : {}) },
      lines,
    )
    this.#state.about = about
    this.#state.exists = true
  }

  /** Continues with a new log. */
  async #switch(
    { begins = false, about }: { begins?: boolean; about?: string },
    lines: string,
  ): Promise<void> {
    const { seq, unnamed } = this.#state
    const generation = (this.#parts.generations.at(-1) ?? 0) + 1
    const header = headerLine({
      format: 1,
      generation,
      after: seq,
      ...(begins ? { begins } : {}),
      ...(unnamed === undefined ? {} : { document: unnamed }),
      ...(about === undefined ? {} : { about }),
    })
    const log = await LogFile.begin(this.#parts.context, {
      name: this.#parts.name,
      generation,
      lines: header + lines,
    })
    await this.#log?.close().catch(() => undefined)
    this.#parts.generations.push(generation)
    this.#state.firstLog ??= generation
    this.#log = log
  }

  /** @throws {UncertainWriteError} if it may be persisted. @throws any other failure: then the one before stays. */
  async checkpoint(document: Iterable<string>, about: string): Promise<void> {
    await this.#switch({}, '')
    const log = this.#parts.generations.at(-1) ?? 1
    await this.#parts.file.replace(withFields(document, { about, log, seq: this.#state.seq }))
    Object.assign(this.#state, { exists: true, about, hasDocument: true, unnamed: undefined, firstLog: log })
    await this.#removeLogs(log).catch(ignoreLeftovers)
  }

  /** Removes the logs before a generation. */
  async #removeLogs(before: number): Promise<void> {
    for (const generation of this.#parts.generations.filter((one) => one < before)) {
      await this.#parts.context.remove(
        this.#parts.name,
        this.#parts.context.layout.log(this.#parts.name, generation),
      )
      this.#parts.generations.splice(this.#parts.generations.indexOf(generation), 1)
    }
  }

  /** @throws {UncertainWriteError} if it may be removed. @throws any other failure: then all of it is there. */
  async drop(): Promise<void> {
    const { layout } = this.#parts.context
    const { hasDocument, firstLog = 0 } = this.#state
    await this.release()
    if (hasDocument) {
      await this.#removeLogs(firstLog)
      await this.#parts.context.remove(this.#parts.name, layout.previous(this.#parts.name))
      await this.#parts.context.remove(this.#parts.name, this.#path)
    } else {
      await this.#removeLogs(firstLog + 1)
    }
    await this.#parts.context.syncNames().catch((cause: unknown) => {
      throw new UncertainWriteError('the removal of a workspace could not be synced', { cause })
    })
    await this.#removeLogs(Number.POSITIVE_INFINITY).catch(ignoreLeftovers)
  }

  async release(): Promise<void> {
    await this.#log?.close()
    this.#log = undefined
  }

  get #path(): string {
    return this.#parts.context.layout.document(this.#parts.name)
  }
}

/** No reader counts these logs, and the next checkpoint removes them. */
function ignoreLeftovers(error: unknown): void {
  if (endsPersistence(error)) throw error
}
