// The results of a matrix in the file of --resume, so that one that was interrupted goes on where it was.
import { createHash } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Settings } from '../../options/index.ts'
import { isSystemError, packageVersion, shownPath } from '../../runtime/host.ts'
import type { CommandLine } from './command.ts'
import { readBytes } from '../../reading/source-file.ts'
import { matrixOptions } from './matrix-options.ts'
import { CliError, exitCodes } from '../io.ts'
import { jsonLines, valueOfJson } from '../json.ts'
import { cannotWrite, terminalSafe } from '../output.ts'
import { libraryOptions } from '../settings.ts'

/** What became of a run with one other value, such as `create_status=200`. */
const result = z.strictObject({ setting: z.string(), passed: z.boolean() })
type MatrixResult = z.infer<typeof result>

const document = z.strictObject({
  /** Says what the file is, and in which form. */
  matrix: z.literal(1),
  version: z.string(),
  command: z.array(z.string()),
  /** A digest of all other options: their values may be secret, and long. */
  options: z.string(),
  results: z.array(result),
})

type Document = z.infer<typeof document>

/** The results so far, in a file. */
export interface MatrixFile {
  /** Whether the suite passed with a value; undefined when that was not tried. */
  resultOf(setting: string): boolean | undefined
  add(result: MatrixResult): Promise<void>
}

/**
 * Reads what there is, and finds out whether it can be written. A file is only for the same command, options and
 * version: other results would tell nothing of this suite.
 *
 * @throws {CliError} for a file that is for something else, and for one that cannot be read or written.
 */
export async function openMatrixFile(
  path: string,
  cwd: string,
  command: CommandLine,
  settings: Settings,
): Promise<MatrixFile> {
  const shown = shownPath(path, cwd)
  const content: Document = {
    matrix: 1,
    version: packageVersion(),
    command: [...command],
    options: digestOf(settings),
    results: [],
  }
  const text = await readIfThere(path, shown)
  if (text !== undefined) content.results = resultsIn(text, content, shown)
  /** By renaming, so that an interruption leaves a whole file. */
  const write = async (): Promise<void> => {
    await writeFile(`${path}.tmp`, jsonLines(content))
    await rename(`${path}.tmp`, path)
  }
  let saving: Promise<unknown> = Promise.resolve()
  /** One after the other, as several runs may end at once. */
  const save = (): Promise<void> => {
    const saved = saving.then(write).catch(cannotWrite('--resume', shown))
    saving = saved.catch(() => undefined)
    return saved
  }
  await save()
  return {
    resultOf: (setting) => content.results.find((known) => known.setting === setting)?.passed,
    add: (added) => {
      content.results.push(added)
      return save()
    },
  }
}

/** What the results depend on, less the token, which decides nothing. */
function digestOf(settings: Settings): string {
  const names = matrixOptions.filter((name) => name !== 'adminToken')
  const values = libraryOptions(settings, names)
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}

async function readIfThere(path: string, shown: string): Promise<string | undefined> {
  try {
    return (await readBytes(path)).toString()
  } catch (error) {
    if (!isSystemError(error)) throw error
    if (error.code === 'ENOENT') return undefined
    throw new CliError(`error: --resume: cannot read '${shown}' (${error.code})`, exitCodes.badFile)
  }
}

/** @throws {CliError} for results of something else, naming what differs. */
function resultsIn(text: string, wanted: Document, shown: string): MatrixResult[] {
  const refuse = (why: string): CliError => {
    const message = `error: --resume: '${shown}' ${why}; delete it to begin again, or name another file`
    return new CliError(message, exitCodes.badFile)
  }
  const read = document.safeParse(valueOfJson(text))
  if (!read.success) throw refuse('holds no results of matrix')
  const { command, options, version, results } = read.data
  if (JSON.stringify(command) !== JSON.stringify(wanted.command)) {
    throw refuse(`is of another command: ${terminalSafe(command.join(' '))}`)
  }
  if (version !== wanted.version) throw refuse(`is of version ${terminalSafe(version)} of the sandbox`)
  if (options !== wanted.options) throw refuse('is of other options')
  return results
}
