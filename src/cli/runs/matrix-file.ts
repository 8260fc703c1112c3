import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { libraryNameOf, type Settings } from '../../options/index.ts'
import { isSystemError, packageVersion, shownPath } from '../../runtime/host.ts'
import type { CommandLine } from './command.ts'
import { matrixOptions } from './matrix-options.ts'
import { CliError, exitCodes } from '../io.ts'
import { terminalSafe } from '../output.ts'

/** What became of a run with one other value. */
export interface MatrixResult {
  /** `create_status=200` */
  setting: string
  passed: boolean
}

const document = z.strictObject({
  /** Says what the file is, and in which form. */
  matrix: z.literal(1),
  version: z.string(),
  command: z.array(z.string()),
  /** A digest of all other options: their values may be secret, and long. */
  options: z.string(),
  results: z.array(z.strictObject({ setting: z.string(), passed: z.boolean() })),
})

type Document = z.infer<typeof document>

/**
 * The results of a matrix in a file, so that one that was interrupted goes on where it was. A file is only for the same
 * command, options and version: other results would tell nothing of this suite.
 */
export class MatrixFile {
  readonly #path: string
  readonly #shown: string
  readonly #document: Document

  private constructor(path: string, shown: string, content: Document) {
    this.#path = path
    this.#shown = shown
    this.#document = content
  }

  /**
   * Reads what there is, and finds out whether it can be written.
   * @throws {CliError} for a file that is for something else, and for one that cannot be read or written.
   */
  static async open(
    path: string,
    cwd: string,
    command: CommandLine,
    settings: Settings,
  ): Promise<MatrixFile> {
    const shown = shownPath(path, cwd)
    const wanted: Document = {
      matrix: 1,
      version: packageVersion(),
      command: [...command],
      options: digestOf(settings),
      results: [],
    }
    const text = await readIfThere(path, shown)
    if (text !== undefined) wanted.results = resultsIn(text, wanted, shown)
    const file = new MatrixFile(path, shown, wanted)
    await file.#write()
    return file
  }

  /** Whether the suite passed with a value; undefined when that was not tried. */
  resultOf(setting: string): boolean | undefined {
    return this.#document.results.find((result) => result.setting === setting)?.passed
  }

  async add(result: MatrixResult): Promise<void> {
    this.#document.results.push(result)
    await this.#write()
  }

  /** By renaming, so that an interruption leaves a whole file. */
  async #write(): Promise<void> {
    const part = `${this.#path}.tmp`
    try {
      await writeFile(part, `${JSON.stringify(this.#document, null, 2)}\n`)
      await rename(part, this.#path)
    } catch (error) {
      if (!isSystemError(error)) throw error
      throw new CliError(`error: --resume: cannot write '${this.#shown}' (${error.code})`, exitCodes.usage)
    }
  }
}

/** What the results depend on, less the token, which decides nothing. */
function digestOf(settings: Settings): string {
  const known = new Set<string>(matrixOptions.filter((name) => name !== 'adminToken').map(libraryNameOf))
  const values = Object.entries(settings).filter(([name]) => known.has(name))
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}

async function readIfThere(path: string, shown: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (!isSystemError(error)) throw error
    if (error.code === 'ENOENT') return undefined
    throw new CliError(`error: --resume: cannot read '${shown}' (${error.code})`, exitCodes.badFile)
  }
}

/** @throws {CliError} for results of something else, naming what differs. */
function resultsIn(text: string, wanted: Document, shown: string): MatrixResult[] {
  const refuse = (why: string): CliError =>
    new CliError(
      `error: --resume: '${shown}' ${why}; delete it to begin again, or name another file`,
      exitCodes.badFile,
    )
  const read = document.safeParse(parsed(text))
  if (!read.success) throw refuse('holds no results of matrix')
  const { command, options, version, results } = read.data
  if (JSON.stringify(command) !== JSON.stringify(wanted.command)) {
    throw refuse(`is of another command: ${terminalSafe(command.join(' '))}`)
  }
  if (version !== wanted.version) throw refuse(`is of version ${terminalSafe(version)} of the sandbox`)
  if (options !== wanted.options) throw refuse('is of other options')
  return results
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
