import { resolve } from 'node:path'
import { createSandbox } from '../sandbox.ts'
import { DocumentError, formatProblems, type ProblemFormat } from '../seed/problems.ts'
import { exitCodes, type Io } from './io.ts'
import { readSettings, type FlagValues } from './settings.ts'

/** Checks the given state documents, or what `start` would load, and prints every problem. */
export async function validate(files: readonly string[], flags: FlagValues, io: Io): Promise<number> {
  const format = formatOf(flags['format'])
  try {
    const { fixtures, generate, seed, assume, allowAnyPan } = await readSettings(flags, io)
    const given = files.length > 0 ? files.map((file) => resolve(io.cwd, file)) : fixtures
    await createSandbox({
      fixtures: given,
      assume,
      allowAnyPan,
      ...(generate ? { generate } : {}),
      ...(seed === undefined ? {} : { seed }),
    })
    if (format === 'json') io.stdout(`${formatProblems([], 'json')}\n`)
    else if (format === 'text') io.stderr('No problems.\n')
    return exitCodes.fine
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    io.stdout(`${formatProblems(error.problems, format)}\n`)
    return exitCodes.badFile
  }
}

function formatOf(value: unknown): ProblemFormat {
  return value === 'json' || value === 'github' ? value : 'text'
}
