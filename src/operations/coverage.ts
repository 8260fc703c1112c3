// Coverage of a sandbox: the contract points that were exercised, as data or as a report.
import { z } from 'zod'
import type { Coverage } from '../coverage/counting.ts'
import type { PointCatalogue } from '../coverage/points/catalogue.ts'
import {
  formats,
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
import type { ContractPoint } from '../coverage/points/point.ts'
import { receiverPointIds } from '../events/receiver-points.ts'
import { operation } from './declare.ts'

/** The options of a coverage query. */
export interface CoverageOptions extends Narrowing {
  only?: readonly OperationId[] | undefined
  /** Only the calls in this workspace; without it, all workspaces, including deleted ones. */
  workspace?: string
  /** The URL of the sandbox, for the requests to paste. */
  url?: string
}

/** The contract points that the requests so far exercised. */
export interface SandboxCoverage {
  /**
   * Returns the points, each with the number of calls that exercised it; a missing one has a request that would.
   * @throws {RangeError} for an invalid workspace name, and for an unknown operation or facet.
   * @example (await sandbox.coverage.get()).points.filter(({ covered }) => !covered)
   */
  get(options?: CoverageOptions): Promise<CoverageReport>
  /**
   * Returns the same as a document to read or to archive.
   * @throws {RangeError} for an unknown format, and like `get`.
   * @example await writeFile('coverage.html', await sandbox.coverage.report('html'))
   */
  report(format: ReportFormat, options?: CoverageOptions): Promise<string>
  /** Resets the counters of all workspaces or one. @throws {RangeError} for an invalid workspace name. */
  clear(options?: Pick<CoverageOptions, 'workspace'>): void
}

/** The same, before the operations are validated. */
type UnvalidatedOptions = Omit<CoverageOptions, 'only'> & Narrowing

/** The dependencies of coverage. */
interface Parts {
  workspaces: Pick<Workspaces, 'all' | 'findOrCreate'>
  /** Counts the calls of all workspaces. */
  total: Coverage
  points: PointCatalogue
  provenance: Provenance
  writerOf(format: ReportFormat): Promise<ReportWriter<CoverageReport>>
  /** Returns the URL of the sandbox for a client that used this address; without one, that of its first server. */
  addressOf(serverUrl?: string): string
}

function calibratedBy(provenance: Provenance): Pick<CoverageReport, 'calibrated'> {
  const observed = [...provenance.values()].flatMap((source) =>
    source.follows ? [] : (source.observed ?? []),
  )
  const [first] = observed
  return first ? { calibrated: { ...first, assumptions: observed.length } } : {}
}

export function sandboxCoverage(parts: Parts) {
  const { workspaces, total, points, provenance, writerOf, addressOf } = parts
  const coverageOf = (name: string): Coverage => {
    requireName('workspace', name)
    return workspaces.findOrCreate(name).coverage
  }
  const get = async ({ workspace, url, only, skip }: UnvalidatedOptions = {}): Promise<CoverageReport> => {
    const coverage = workspace === undefined ? total : coverageOf(workspace)
    const { reportOf } = await import('../coverage/reports/coverage-report.ts')
    const { narrowed } = await import('../coverage/reports/narrow.ts')
    const report = await reportOf(coverage, points, url ?? addressOf())
    return narrowed({ ...report, ...calibratedBy(provenance) }, { only, skip })
  }
  const report = async (format: ReportFormat, options?: UnvalidatedOptions): Promise<string> => {
    if (!isReportFormat(format)) {
      throw new RangeError(`format '${String(format)}': must be one of ${reportFormats.join(', ')}`)
    }
    const write = await writerOf(format)
    return write(await get(options))
  }
  return {
    get,
    report,
    /** Like `report`, for a client that used this address. */
    reportAt: (serverUrl: string, format: ReportFormat, options: UnvalidatedOptions) =>
      report(format, { ...options, url: addressOf(serverUrl) }),
    clear({ workspace } = {}) {
      if (workspace !== undefined) return coverageOf(workspace).clear()
      for (const each of workspaces.all()) ('coverage' in each ? each : each.shell)?.coverage.clear()
      // The rest are calls of deleted workspaces.
      total.clear()
    },
  } satisfies SandboxCoverage & Record<string, unknown>
}

const point = z.looseObject({
  id: z.string(),
  operation: z.string(),
  sentence: z.string(),
  section: z.string(),
})
const counted = { covered: z.boolean(), hits: z.number() }

export const coverageReport = z.object({
  total: z.number(),
  covered: z.number(),
  percent: z.number(),
  calibrated: z.object({ host: z.string(), at: z.string(), assumptions: z.number() }).exactOptional(),
  points: z.array(z.object({ ...point.shape, ...counted, exercise: z.string().exactOptional() })),
  /** Present if webhook events are served. */
  receiver: z
    .array(z.object({ id: z.enum(receiverPointIds), sentence: z.string(), ...counted }))
    .exactOptional(),
})

interface CoverageTarget {
  sandbox: { contract(): ContractPoint[]; coverage: ReturnType<typeof sandboxCoverage> }
}

/** The coverage of all workspaces, unless the request names one. */
const ofRequest = (workspace: string | undefined) => (workspace === undefined ? {} : { workspace })

export const coverageOperations = [
  operation({
    id: 'contract',
    route: 'GET /_sandbox/contract',
    about: 'list the contract points: what a partner can test',
    of: 'sandbox',
    partners: true,
    result: z.object({ points: z.array(point) }),
    run: ({ sandbox }: CoverageTarget) => ({ points: sandbox.contract() }),
  }),
  operation({
    id: 'coverage.report',
    route: 'GET /_sandbox/coverage',
    about: 'list which contract points were exercised',
    of: 'all',
    query: z.strictObject({
      format: z.enum(reportFormats).default('json').describe(reportFormats.join(', ')),
      only: z.string().optional().describe('only these operations, separated by commas'),
      skip: z.string().optional().describe('without these facets, separated by commas'),
    }),
    result: coverageReport,
    media: ({ format }) => formats[format].mediaType,
    expensive: true,
    run: ({ sandbox }: CoverageTarget, { query: { format, only, skip } }, { origin, workspace }) =>
      sandbox.coverage.reportAt(origin, format, {
        ...ofRequest(workspace),
        only: only?.split(','),
        skip: skip?.split(','),
      }),
  }),
  operation({
    id: 'coverage.clear',
    route: 'DELETE /_sandbox/coverage',
    about: 'set the counters of the contract points to zero',
    of: 'all',
    run: ({ sandbox }: CoverageTarget, _input, { workspace }) => sandbox.coverage.clear(ofRequest(workspace)),
  }),
]
