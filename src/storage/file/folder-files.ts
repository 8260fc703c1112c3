// The files of a folder of data by the names of their workspaces: where each is, how messages name it, how it is opened.
import { join } from 'node:path'
import { maxSize } from '../../input/source-file.ts'
import { DataFile, type DataFileOptions } from './data-file.ts'
import type { Lock } from './lock.ts'
import type { DataOptions } from './open-data.ts'
import { dataPaths, type DataPaths } from './paths.ts'

/** The machine's own time, by which workspaces are idle. */
export interface FolderTime {
  /** In milliseconds that only go forward. */
  now(): number
  every(milliseconds: number, run: () => unknown): () => void
}

export interface FolderOptions extends Omit<DataOptions, 'lock'> {
  time: FolderTime
  /** How often the files of a workspace are marked as used while it is (ms); after a crash it counts as idle since then. */
  usesNotedEvery: number
}

/** Knows nothing of which workspaces there are. */
export class FolderFiles {
  /** As the file system has it. */
  readonly #folder: string
  readonly lock: Lock
  readonly options: FolderOptions

  constructor(folder: string, lock: Lock, options: FolderOptions) {
    this.#folder = folder
    this.lock = lock
    this.options = options
  }

  pathOf(name: string): string {
    return join(this.#folder, `${name}.json`)
  }

  pathsOf(name: string): DataPaths {
    return dataPaths(this.pathOf(name))
  }

  /** How messages name the file of a workspace. */
  shown(name: string): string {
    return `${this.options.name}/${name}.json`
  }

  /** The file of a workspace that is there, or may be. */
  open(name: string): Promise<DataFile> {
    return DataFile.open(this.pathOf(name), this.#fileOptions)
  }

  /** The same, without a look at it. */
  at(name: string): DataFile {
    return DataFile.at(this.pathOf(name), this.#fileOptions)
  }

  get #fileOptions(): DataFileOptions & { lock: Lock } {
    return { lock: this.lock, sync: this.options.durability === 'fsync', maxBytes: maxSize }
  }
}
