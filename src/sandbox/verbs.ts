import { optionTable } from '../options/index.ts'
import { describeAssumptions } from '../reading/resolve-assumptions.ts'
import type { Verbs, WorkspaceVerbs } from '../verbs/index.ts'
import { monotonicNow, packageVersion } from '../runtime/host.ts'
import { requireName } from '../workspaces/names.ts'
import { CoverageOfAll } from '../verbs/sandbox-coverage.ts'
import type { WorkspaceList } from '../verbs/workspace-list.ts'
import type { Started } from './start-service.ts'

/** Where the command line serves unless it is told otherwise. */
const usualAddress = `http://localhost:${optionTable.port.default}`

/** How the sandbox is. */
interface Life {
  /** When it was made, in the machine's own time. */
  started: number
  isWell(): boolean
  /** Where it serves, if it does. */
  url(): string | undefined
}

/** The verbs of a sandbox that the control plane and the library share. */
export function verbsOf(
  { service, points, total }: Started,
  life: Life,
  workspaces: WorkspaceList,
  workspace: (name: string) => WorkspaceVerbs,
): Verbs {
  const { assumptions, environment, baseUrl } = service
  const addressOf = (serverUrl: string): string => baseUrl?.href.replace(/\/$/, '') ?? serverUrl
  return {
    health: () => ({
      status: life.isWell() ? 'ok' : 'degraded',
      version: packageVersion(),
      uptime_seconds: Math.floor((monotonicNow() - life.started) / 1000),
    }),
    assumptions: () => describeAssumptions(assumptions),
    contract: () => points.list(),
    coverage: new CoverageOfAll({
      workspaces: () => service.workspaces.list(),
      total,
      points,
      open: (name) => {
        requireName('workspace', name)
        return service.workspaces.open(name)
      },
      url: () => addressOf(life.url() ?? usualAddress),
    }),
    addressOf,
    openapi: async (serverUrl) => {
      const { describeApi } = await import('../openapi/index.ts')
      return describeApi({
        assumptions,
        serverUrl: addressOf(serverUrl),
        environment,
        sandboxVersion: packageVersion(),
      })
    },
    schema: async (name) => {
      if (name === 'scenario') return (await import('../scenarios/scenario-schema.ts')).scenarioSchema()
      return (await import('../documents/fixtures-schema.ts')).fixturesSchema()
    },
    workspaces,
    workspace,
  }
}
