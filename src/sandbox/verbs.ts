import { describeAssumptions } from '../contract/assumptions.ts'
import type { Verbs, WorkspaceVerbs } from '../control/verbs.ts'
import type { Service } from '../http/service.ts'
import { monotonicNow, packageVersion } from '../runtime/host.ts'
import type { WorkspaceList } from '../workspaces/workspace-list.ts'

/** How the sandbox is. */
interface Life {
  /** When it was made, in the machine's own time. */
  started: number
  isWell(): boolean
}

/** The verbs of a sandbox that the control plane and the library share. */
export function verbsOf(
  { assumptions, environment, baseUrl }: Pick<Service, 'assumptions' | 'environment' | 'baseUrl'>,
  life: Life,
  workspaces: WorkspaceList,
  workspace: (name: string) => WorkspaceVerbs,
): Verbs {
  return {
    health: () => ({
      status: life.isWell() ? 'ok' : 'degraded',
      version: packageVersion(),
      uptime_seconds: Math.floor((monotonicNow() - life.started) / 1000),
    }),
    assumptions: () => describeAssumptions(assumptions),
    openapi: async (serverUrl) => {
      const { describeApi } = await import('../http/openapi.ts')
      return describeApi({
        assumptions,
        serverUrl: baseUrl?.href.replace(/\/$/, '') ?? serverUrl,
        environment,
        sandboxVersion: packageVersion(),
      })
    },
    schema: async (name) => {
      if (name === 'scenario') return (await import('../scenarios/scenario-schema.ts')).scenarioSchema()
      return (await import('../seed/fixtures-schema.ts')).fixturesSchema()
    },
    workspaces,
    workspace,
  }
}
