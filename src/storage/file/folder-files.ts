// The files of a data folder by the names of their workspaces: paths, names in messages, and how to open them.
import { join } from 'node:path'
import { maxSize } from '../../input/source-file.ts'
import { DataFile, type DataFileOptions } from './data-file.ts'
import type { Lock } from './lock.ts'
import type { DataOptions } from './open-data.ts'
import { dataPaths, type DataPaths } from './paths.ts'

/** The machine's time, which decides about idle workspaces. */
export interface FolderTime {
  /** Monotonic, in ms. */
  now(): number
  every(milliseconds: number, run: () => unknown): () => void
}

export interface FolderOptions extends Omit<DataOptions, 'lock'> {
  time: FolderTime
  /**
   * Interval (ms) at which the files of a workspace in use are marked; after a crash, idle time counts from the last
   * mark.
   */
  usesNotedEvery: number
}

/** Maps names to files without knowing which workspaces exist. */
export class FolderFiles {
  /** The path as the file system has it. */
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

  /** The name of a workspace's file in messages. */
  shown(name: string): string {
    return `${this.options.name}/${name}.json`
  }

  /** Returns the file of a workspace, if it may exist. */
  open(name: string): Promise<DataFile> {
    return DataFile.open(this.pathOf(name), this.#fileOptions)
  }

  /** The same without checking the disk. */
  at(name: string): DataFile {
    return DataFile.at(this.pathOf(name), this.#fileOptions)
  }

  get #fileOptions(): DataFileOptions & { lock: Lock } {
    return { lock: this.lock, sync: this.options.durability === 'fsync', maxBytes: maxSize }
  }
}
