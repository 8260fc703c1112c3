// The coverage options of the command line: which points count, the minimum, and the baseline file.
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

/** The coverage options after validation. */
export interface CoverageGates {
  /** Whether there is any gate. */
  readonly isGate: boolean
  /** Returns a report with only the points that count. */
  narrow(report: CoverageReport): CoverageReport
  /**
   * Returns why a report fails its gates, in sentences that name the option; none if it passes. Writes the baseline if
   * it does not exist or must be updated. A caller whose run failed for another reason passes `keepBaseline: false` and
   * so leaves the file unchanged.
   * @throws {CliError} for a file that cannot be written.
   */
  check(report: CoverageReport, options?: { mayWriteBaseline?: boolean }): Promise<string[]>
}

/**
 * Validates all options at the start, so that a long run does not end with an error about them.
 * @param points those of the contract.
 * @throws {CliError} for an unknown operation or facet, with a suggestion.
 * @throws {DocumentError} for a baseline that cannot be read.
 */
export async function openCoverageGates(
  { coverageOnly: only, coverageSkip: skip, coverageMin: minimums, ...options }: CoverageSettings,
  points: readonly ContractPoint[],
  cwd: string,
): Promise<CoverageGates> {
  const { coverageBaseline: file, coverageBaselineUpdate: isUpdate } = options
  const named = { only: flagOf('coverageOnly'), skip: flagOf('coverageSkip') }
  const counted = withUsageError('', () => narrowedPoints(points, { only, skip }, named))
  withUsageError(`${flagOf('coverageMin')}: `, () => requireCounted(minimums, counted))
  if (file !== undefined) await requireWritable(flagOf('coverageBaseline'), [file], cwd)
  const isThere = file !== undefined && existsSync(file)
  const baseline = isThere && !isUpdate ? await readBaseline(file, cwd) : undefined

  return {
    isGate: minimums.some(isGate) || file !== undefined,
    narrow: (report) => narrowed(report, { only, skip }),
    async check(report, { mayWriteBaseline = true } = {}) {
      const missed = missedMinimums(report, minimums)
      if (file === undefined) return missed
      const gate = `${flagOf('coverageBaseline')} ${shownPath(file, cwd)}`
      if (baseline) {
        const lost = lostSince(baseline, report)
        const hint = `; ${flagOf('coverageBaselineUpdate')} rewrites it`
        return [...missed, ...lost.map((sentence) => `${gate}: ${sentence}${hint}`)]
      }
      // A baseline without points would be a gate that never fails.
      if (report.covered === 0) return [...missed, `${gate}: it was not written, as no point is covered`]
      if (mayWriteBaseline && missed.length === 0) await writeBaseline(file, report, cwd)
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

/** One point a line, so that diffs are readable. */
async function writeBaseline(file: string, report: CoverageReport, cwd: string): Promise<void> {
  const text = JSON.stringify({ covered: baselineOf(report) }, null, 2)
  await writeFile(file, `${text}\n`).catch(cannotWrite(flagOf('coverageBaseline'), shownPath(file, cwd)))
}

function withUsageError<T>(option: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error
    throw new CliError(`error: ${option}${error.message}`)
  }
}
