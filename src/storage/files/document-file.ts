// The state document of a workspace, replaced atomically: write aside, sync, rename. An adapter of lowdb.
import { Low, type Adapter } from 'lowdb'
import { isSystemError } from '../../runtime/host.ts'
import { giveName } from './fence.ts'
import { ifThere, TooLargeError, type OpenFile } from './files.ts'
import { endsPersistence, ownerOnly, type FileContext } from './file-context.ts'

type Chunks = Iterable<Uint8Array>

/**
 * Reads and writes bytes without parsing them. The adapters of lowdb follow no links, keep no mode and sync nothing, so
 * this is one of its own.
 */
export class DocumentFile implements Adapter<Chunks> {
  readonly #context: FileContext
  readonly #name: string
  readonly #path: string
  readonly #low: Low<Chunks>

  constructor(context: FileContext, name: string) {
    this.#context = context
    this.#name = name
    this.#path = context.layout.document(name)
    this.#low = new Low<Chunks>(this, [])
  }

  /** Undefined if there is none. @throws {TooLargeError} */
  async load(): Promise<Buffer | undefined> {
    await this.#low.read()
    const [bytes] = this.#low.data
    this.#low.data = []
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** @throws {UncertainWriteError} if it may be replaced. @throws any other failure: then the document before stays. */
  async replace(chunks: Chunks): Promise<void> {
    this.#low.data = chunks
    try {
      await this.#low.write()
    } finally {
      // The source of the chunks must be free for garbage collection.
      this.#low.data = []
    }
  }

  /** Null if the file does not exist. */
  async read(): Promise<Chunks | null> {
    const { files, maxBytes } = this.#context
    const found = await ifThere(files.stat(this.#path))
    if (found === undefined) return null
    if (found.size > maxBytes) throw new TooLargeError()
    return [await files.readFile(this.#path)]
  }

  async write(chunks: Chunks): Promise<void> {
    const context = this.#context
    const unfinished = context.unfinished(this.#name)
    const file = await context.files.open(unfinished, 'wx', ownerOnly)
    try {
      try {
        await this.#writeChunks(file, chunks)
        if (await this.#takeAfter(file)) await this.#retainPrevious()
        await file.sync()
      } finally {
        await file.close()
      }
      await context.giveName(unfinished, this.#path)
    } catch (error) {
      await context.removeUnfinished(unfinished)
      throw error
    }
  }

  /** Yields to the event loop after each chunk. */
  async #writeChunks(file: OpenFile, chunks: Chunks): Promise<void> {
    let size = 0
    for (const chunk of chunks) {
      size += chunk.byteLength
      if (size > this.#context.maxBytes) throw new TooLargeError()
      await file.writeFile(chunk)
    }
  }

  /** The new file keeps the mode and, if this process may set it, the owner of the old one. False if there is none. */
  async #takeAfter(file: OpenFile): Promise<boolean> {
    const before = await ifThere(this.#context.files.stat(this.#path))
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

  /** Keeps the document under a second name, which messages about damage give. No durability depends on it. */
  async #retainPrevious(): Promise<void> {
    const { files, layout } = this.#context
    const link = this.#context.unfinished(this.#name)
    try {
      await files.link(this.#path, link)
      await giveName(this.#context, link, layout.previous(this.#name))
    } catch (error) {
      if (endsPersistence(error) || !isSystemError(error)) throw error
    } finally {
      // Renaming changes nothing if both names are of the same file.
      await this.#context.removeUnfinished(link)
    }
  }
}
