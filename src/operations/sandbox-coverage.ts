// Coverage of a sandbox: which contract points were exercised, as data or as a report.
import type { Storage } from '../workspaces/storage.ts'
import type { Coverage } from '../coverage/counting.ts'
import type { PointCatalogue } from '../coverage/points/catalogue.ts'
import {
  isReportFormat,
  reportFormats,
  type ReportFormat,
  type ReportWriter,
} from '../coverage/reports/index.ts'
import type { OperationId } from '../contract/declared.generated.ts'
import type { Narrowing } from '../coverage/reports/narrow.ts'
import type { CoverageReport } from '../coverage/reports/coverage-report.ts'
import type { Provenance } from '../input/resolve-assumptions.ts'
import { requireName } from '../workspaces/names.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'

/** What coverage is asked for. */
export interface CoverageOptions extends Narrowing {
  only?: readonly OperationId[] | undefined
  /** Only the calls in this workspace; all workspaces, those that are gone too, without it. */
  workspace?: string
  /** Where the sandbox serves, for the requests to paste. */
  url?: string
}

/** Which contract points the requests so far exercised. */
export interface SandboxCoverage {
  /**
   * The points, each with how many calls exercised it; a missing one with a request that would.
   * @throws {RangeError} for what can be no workspace, and for an unknown operation or facet.
   * @example (await sandbox.coverage.get()).points.filter(({ covered }) => !covered)
   */
  get(options?: CoverageOptions): Promise<CoverageReport>
  /**
   * The same as a document to read or to keep.
   * @throws {RangeError} for an unknown format, and as `get` does.
   * @example await writeFile('coverage.html', await sandbox.coverage.report('html'))
   */
  report(format: ReportFormat, options?: CoverageOptions): Promise<string>
  /** Starts to count again, for all workspaces or one. @throws {RangeError} for what can be no workspace. */
  clear(options?: Pick<CoverageOptions, 'workspace'>): void
}

/** The same before anybody looked whether there are such operations. */
type GivenOptions = Omit<CoverageOptions, 'only'> & Narrowing

/** What the coverage of a sandbox is made of. */
interface Parts {
  storage: Storage
  workspaces: Pick<Workspaces, 'all' | 'open'>
  /** Counts the calls of all workspaces. */
  total: Coverage
  points: PointCatalogue
  provenance: Provenance
  writerOf(format: ReportFormat): Promise<ReportWriter>
  /** Where clients reach a sandbox that was asked under this address; of those that it serves on without one. */
  addressOf(serverUrl?: string): string
}

function calibratedBy(provenance: Provenance): Pick<CoverageReport, 'calibrated'> {
  const observed = [...provenance.values()].filter((chosen) => chosen !== 'set')
  const [first] = observed
  return first ? { calibrated: { ...first, assumptions: observed.length } } : {}
}

export function sandboxCoverage(parts: Parts) {
  const { storage, workspaces, total, points, provenance, writerOf, addressOf } = parts
  const coverageOf = (name: string): Coverage => {
    requireName('workspace', name)
    return workspaces.open(name).coverage
  }
  const get = async ({ workspace, url, only, skip }: GivenOptions = {}): Promise<CoverageReport> => {
    const coverage = workspace === undefined ? total : coverageOf(workspace)
    await storage.readCoverage(workspace)
    const { reportOf } = await import('../coverage/reports/coverage-report.ts')
    const { narrowed } = await import('../coverage/reports/narrow.ts')
    const report = await reportOf(coverage, points, url ?? addressOf())
    return narrowed({ ...report, ...calibratedBy(provenance) }, { only, skip })
  }
  const report = async (format: ReportFormat, options?: GivenOptions): Promise<string> => {
    if (!isReportFormat(format)) {
      throw new RangeError(`format '${String(format)}': must be one of ${reportFormats.join(', ')}`)
    }
    const write = await writerOf(format)
    return write(await get(options))
  }
  return {
    get,
    report,
    /** As `report`, for somebody who asked under this address. */
    reportAt: (serverUrl: string, format: ReportFormat, options: GivenOptions) =>
      report(format, { ...options, url: addressOf(serverUrl) }),
    clear({ workspace } = {}) {
      if (workspace !== undefined) return coverageOf(workspace).clear()
      for (const each of workspaces.all()) ('coverage' in each ? each : each.shell)?.coverage.clear()
      // What is left are the calls of workspaces that are gone.
      total.clear()
    },
  } satisfies SandboxCoverage & Record<string, unknown>
}
