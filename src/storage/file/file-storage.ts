// The driver for one data file (--data FILE), which holds the workspace `default`; the others are in memory.
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { MemoryStorage } from '../memory/index.ts'
import type { FileSaver } from './file-saver.ts'

export class FileStorage extends MemoryStorage {
  readonly #keeper: FileSaver

  constructor(workspaces: Workspaces, keeper: FileSaver) {
    super(workspaces)
    this.#keeper = keeper
  }

  override get isWell(): boolean {
    return this.#keeper.isWell
  }

  override close(): Promise<void> {
    return this.#keeper.close()
  }
}
