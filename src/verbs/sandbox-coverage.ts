import type { Coverage } from '../coverage/counting.ts'
import type { PointCatalogue } from '../coverage/points/catalogue.ts'
import { formats, isReportFormat, reportFormats, type ReportFormat } from '../coverage/reports/index.ts'
import type { CoverageReport } from '../coverage/reports/coverage-report.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** What coverage is asked for. */
export interface CoverageOptions {
  /** Only the calls in this workspace; all workspaces, those that are gone too, without it. */
  workspace?: string
  /** Where the sandbox serves, for the requests to paste. */
  url?: string
}

/** Which contract points the requests so far exercised. */
export interface SandboxCoverage {
  /**
   * The points, each with how many calls exercised it; a missing one with a request that would.
   * @throws {RangeError} for what can be no workspace.
   * @example (await sandbox.coverage.get()).points.filter(({ covered }) => !covered)
   */
  get(options?: CoverageOptions): Promise<CoverageReport>
  /**
   * The same as a document to read or to keep.
   * @throws {RangeError} for an unknown format, and for what can be no workspace.
   * @example await writeFile('coverage.html', await sandbox.coverage.report('html'))
   */
  report(format: ReportFormat, options?: CoverageOptions): Promise<string>
  /** Starts to count again, for all workspaces or one. @throws {RangeError} for what can be no workspace. */
  clear(options?: Pick<CoverageOptions, 'workspace'>): void
}

type Counted = Pick<Workspace, 'coverage'>

/** What the coverage of a sandbox is made of. */
interface Parts {
  /** Those that there are now. */
  workspaces(): Iterable<Counted>
  /** Counts the calls of all workspaces. */
  total: Coverage
  points: PointCatalogue
  /** The workspace of this name. @throws {RangeError} */
  open(name: string): Counted
  /** Where the sandbox serves, unless the caller says. */
  url(): string
}

export class CoverageOfAll implements SandboxCoverage {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async get({ workspace, url }: CoverageOptions = {}): Promise<CoverageReport> {
    const { total, points, open, url: usual } = this.#parts
    const coverage = workspace === undefined ? total : open(workspace).coverage
    const { reportOf } = await import('../coverage/reports/coverage-report.ts')
    return reportOf(coverage, points, url ?? usual())
  }

  async report(format: ReportFormat, options: CoverageOptions = {}): Promise<string> {
    if (!isReportFormat(format)) {
      throw new RangeError(`format '${String(format)}': must be one of ${reportFormats.join(', ')}`)
    }
    const write = await formats[format].load()
    return write(await this.get(options))
  }

  clear({ workspace }: Pick<CoverageOptions, 'workspace'> = {}): void {
    const { workspaces, total, open } = this.#parts
    if (workspace !== undefined) {
      open(workspace).coverage.clear()
      return
    }
    for (const each of workspaces()) each.coverage.clear()
    // What is left are the calls of workspaces that are gone.
    total.clear()
  }
}
