// The storage driver for one data file (--data FILE), which has the workspace `default`; other workspaces are in
// memory.
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { MemoryStorage } from '../memory/index.ts'
import type { FileSaver } from './file-saver.ts'

export class FileStorage extends MemoryStorage {
  readonly #saver: FileSaver

  constructor(workspaces: Workspaces, saver: FileSaver) {
    super(workspaces)
    this.#saver = saver
  }

  override get isWell(): boolean {
    return this.#saver.isWell
  }

  override close(): Promise<void> {
    return this.#saver.close()
  }
}
