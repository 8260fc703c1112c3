// The names of the files of workspaces: one file with its logs, or a folder with those of many workspaces.
import { basename, dirname, join } from 'node:path'
import type { Files } from './files.ts'

/** The workspace of `--data FILE`. */
const onlyName = 'default'

/** The files of a workspace in their folder. */
export interface WorkspaceFiles {
  hasDocument: boolean
  hasPrevious: boolean
  /** The generations of its logs, ascending. */
  generations: number[]
}

/** Maps names of workspaces to paths, and back. */
export class FileLayout {
  readonly folder: string
  readonly isFolder: boolean
  /** The name of the one file; undefined for a folder. */
  readonly #file: string | undefined

  /** @param path as the file system has it, without links. */
  constructor(path: string, isFolder: boolean) {
    this.isFolder = isFolder
    this.folder = isFolder ? path : dirname(path)
    this.#file = isFolder ? undefined : basename(path)
  }

  /** The state document: `FILE`, or `NAME.json` in a folder. */
  document(name: string): string {
    return join(this.folder, this.#file ?? `${name}.json`)
  }

  /** The document before, if the file system has hard links. */
  previous(name: string): string {
    return `${this.document(name)}.previous`
  }

  /** The log of a generation: `FILE.7.log`, or `NAME.7.log` in a folder. */
  log(name: string, generation: number): string {
    return join(this.folder, `${this.#file ?? name}.${generation}.log`)
  }

  /** Scans the folder. */
  async scan(files: Files): Promise<Map<string, WorkspaceFiles>> {
    const found = new Map<string, WorkspaceFiles>()
    const of = (name: string): WorkspaceFiles => {
      const known = found.get(name) ?? { hasDocument: false, hasPrevious: false, generations: [] }
      found.set(name, known)
      return known
    }
    for (const file of await files.readdir(this.folder)) {
      const log = this.#suffixOf(file, /^([\w-]{1,64})\.([1-9]\d{0,14})\.log$/, /^\.([1-9]\d{0,14})\.log$/)
      const document = this.#suffixOf(file, /^([\w-]{1,64})\.json(\.previous)?$/, /^(\.previous)?$/)
      if (log) of(log.name).generations.push(Number(log.suffix))
      else if (document?.suffix === undefined && document) of(document.name).hasDocument = true
      else if (document) of(document.name).hasPrevious = true
    }
    for (const { generations } of found.values()) generations.sort((a, b) => a - b)
    return found
  }

  #suffixOf(
    file: string,
    inFolder: RegExp,
    ofFile: RegExp,
  ): { name: string; suffix: string | undefined } | undefined {
    if (this.#file === undefined) {
      const [, name, suffix] = inFolder.exec(file) ?? []
      return name === undefined ? undefined : { name, suffix }
    }
    const found = file.startsWith(this.#file) ? ofFile.exec(file.slice(this.#file.length)) : undefined
    return found ? { name: onlyName, suffix: found[1] } : undefined
  }
}
