// What the command line asks of coverage: which points count, how many must be covered, and the file of the baseline.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { baselineOf, isGate, lostSince, missedMinimums, requireCounted } from '../coverage/gates.ts'
import type { ContractPoint } from '../coverage/points/point.ts'
import type { CoverageReport } from '../coverage/reports/coverage-report.ts'
import { narrowed, narrowedPoints } from '../coverage/reports/narrow.ts'
import { flagOf, type CommandSettings } from '../options/index.ts'
import { describeSchemaIssues, readBySchema } from '../input/schema-issues.ts'
import { InvalidError } from '../input/refusals.ts'
import { DocumentError } from '../input/problems.ts'
import { problemAt, readSource } from '../input/source-file.ts'
import { shownPath } from '../runtime/host.ts'
import { CliError } from './io.ts'
import { cannotWrite } from './output.ts'
import { requireWritable } from './runs/report-files.ts'

export type CoverageSettings = Pick<
  CommandSettings,
  'coverageOnly' | 'coverageSkip' | 'coverageMin' | 'coverageBaseline' | 'coverageBaselineUpdate'
>

/** What is asked of coverage, once all of it was found to be usable. */
export interface CoverageGates {
  /** Whether anything must be covered. */
  readonly isGate: boolean
  /** A report without what does not count. */
  narrow(report: CoverageReport): CoverageReport
  /**
   * Why a narrowed report does not pass, in sentences that name the option; none when it does. Writes the baseline
   * where it is not there or is to be written anew; whoever calls for a run that failed otherwise leaves that out.
   * @throws {CliError} for a file that cannot be written.
   */
  check(report: CoverageReport, options?: { keepBaseline?: boolean }): Promise<string[]>
}

/**
 * Looks at all that was asked for, so that nobody learns at the end of a long run that it means nothing.
 * @param points those of the contract.
 * @throws {CliError} for an operation or facet that there is not, with a suggestion.
 * @throws {DocumentError} for a baseline that cannot be read.
 */
export async function openCoverageGates(
  { coverageOnly: only, coverageSkip: skip, coverageMin: minimums, ...options }: CoverageSettings,
  points: readonly ContractPoint[],
  cwd: string,
): Promise<CoverageGates> {
  const { coverageBaseline: file, coverageBaselineUpdate: isUpdate } = options
  const named = { only: flagOf('coverageOnly'), skip: flagOf('coverageSkip') }
  const counted = asUsage('', () => narrowedPoints(points, { only, skip }, named))
  asUsage(`${flagOf('coverageMin')}: `, () => requireCounted(minimums, counted))
  if (file !== undefined) await requireWritable(flagOf('coverageBaseline'), [file], cwd)
  const isThere = file !== undefined && existsSync(file)
  const baseline = isThere && !isUpdate ? await readBaseline(file, cwd) : undefined

  return {
    isGate: minimums.some(isGate) || file !== undefined,
    narrow: (report) => narrowed(report, { only, skip }),
    async check(report, { keepBaseline = true } = {}) {
      const missed = missedMinimums(report, minimums)
      if (file === undefined) return missed
      const gate = `${flagOf('coverageBaseline')} ${shownPath(file, cwd)}`
      if (baseline) {
        const lost = lostSince(baseline, report)
        const hint = `; ${flagOf('coverageBaselineUpdate')} writes it anew`
        return [...missed, ...lost.map((sentence) => `${gate}: ${sentence}${hint}`)]
      }
      // One that names nothing would be a gate that nothing can fail.
      if (report.covered === 0) return [...missed, `${gate}: no point was covered, so it was not written`]
      if (keepBaseline && missed.length === 0) await writeBaseline(file, report, cwd)
      return missed
    },
  }
}

const baselineSchema = z.strictObject({ covered: z.array(z.string()) })

async function readBaseline(file: string, cwd: string): Promise<readonly string[]> {
  const source = await readSource(file, shownPath(file, cwd))
  const { data, issues } = readBySchema(baselineSchema, source.value)
  if (data) return data.covered
  const problems = [...describeSchemaIssues(issues, baselineSchema)]
  throw new DocumentError(problems.map(({ path, message, at }) => problemAt(source, path, message, at)))
}

/** One point a line, so that a change of it can be read. */
async function writeBaseline(file: string, report: CoverageReport, cwd: string): Promise<void> {
  const text = JSON.stringify({ covered: baselineOf(report) }, null, 2)
  await writeFile(file, `${text}\n`).catch(cannotWrite(flagOf('coverageBaseline'), shownPath(file, cwd)))
}

function asUsage<T>(option: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error
    throw new CliError(`error: ${option}${error.message}`)
  }
}
