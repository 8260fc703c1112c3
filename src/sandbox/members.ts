// The members of a sandbox, in addition to those of its workspace `default`.
import { sandboxFindings } from '../explain/sandbox-findings.ts'
import type { EventLoopDelay } from '../runtime/event-loop-delay.ts'
import { packageVersion } from '../runtime/host.ts'
import type { SandboxServer, SchemaName, Verbs } from '../operations/index.ts'
import { coverageWriter } from '../inspector/reports/coverage-writers.ts'
import { sandboxCoverage } from '../operations/sandbox-coverage.ts'
import { sandboxHealth } from '../operations/sandbox-health.ts'
import { workspaceVerbs, type VerbContext, type WorkspaceVerbs } from '../operations/sandbox-workspace.ts'
import { workspaceList } from '../operations/workspace-list.ts'
import { requireName } from '../workspaces/names.ts'
import type { Storage } from '../workspaces/storage.ts'
import { touch } from '../workspaces/open-uses.ts'
import { inProcessOrigin } from './in-process.ts'
import type { StartedService } from './start-service.ts'

/** The parts from which the members are built. */
interface MemberParts {
  parts: StartedService
  context: VerbContext
  /** The address at which clients reach the sandbox. @param serverUrl replaces the address of the port. */
  address: (serverUrl?: string) => string
  eventLoop: EventLoopDelay
  /** The start of the sandbox on the monotonic clock (ms). */
  started: number
  rowsFrom: () => readonly string[]
  listen: (where?: { port?: number; host?: string }) => Promise<SandboxServer>
  stop: () => void
  close: () => Promise<void>
}

/** Opens a workspace by its name and updates its last access. */
export function workspaceOpener(context: VerbContext): (name: string) => WorkspaceVerbs {
  return (name) => {
    requireName('workspace', name)
    const workspace = context.workspaces.open(name)
    touch(workspace)
    return workspaceVerbs(workspace, context)
  }
}

export function sandboxMembers(input: MemberParts): Verbs {
  const { parts, context, address, started, close } = input
  const { service, points, total, rules } = parts
  const { workspaces, environment, closing, storage } = service
  const home = workspaceVerbs(workspaces.default, context)
  const visit = workspaceOpener(context)
  return Object.assign(home, {
    environment,
    seed: workspaces.default.seed,
    get rowsFrom() {
      return input.rowsFrom()
    },
    version: packageVersion(),
    fetch: (request: string | URL | Request, init?: RequestInit) => context.call(request, init),
    listen: input.listen,
    workspace: (name: string) => {
      const visited = visit(name)
      storage.hold(name)
      return visited
    },
    saved: savedIn(storage, home.saved),
    workspaces: workspaceList(context),
    contract: () => points.list(),
    coverage: sandboxCoverage({
      storage,
      workspaces,
      total,
      points,
      provenance: parts.provenance,
      writerOf: coverageWriter,
      addressOf: address,
    }),
    findings: sandboxFindings(rules, service.recorder.unmatched),
    ...sandboxHealth({ started, storage, closing }),
    metrics: () => metricsOf(input),
    reload: () => storage.rebase(parts.reload),
    openapi: (serverUrl: string = inProcessOrigin, options: { sandbox?: boolean } = {}) =>
      openapiOf(parts, address(serverUrl), options),
    schema,
    closing,
    stop: input.stop,
    close,
    [Symbol.asyncDispose]: close,
  })
}

/** Waits for writes, and until deleted workspaces are gone from storage. */
function savedIn(storage: Storage, saved: () => Promise<void>): () => Promise<void> {
  return async () => {
    await Promise.all([saved(), storage.dropped()])
  }
}

async function metricsOf({ parts: { service }, eventLoop }: MemberParts): Promise<string> {
  const { metricsText } = await import('../metrics/sandbox-metrics.ts')
  return metricsText({
    requests: service.recorder.metrics,
    workspaces: service.workspaces.list(),
    store: service.storage.figures,
    eventLoop,
  })
}

async function openapiOf(
  { service, provenance, webhooks }: StartedService,
  serverUrl: string,
  { sandbox = false }: { sandbox?: boolean },
): Promise<object> {
  const { describeApi } = await import('../openapi/index.ts')
  const { assumptions, environment, cursors } = service
  const { name: workspace, clock } = service.workspaces.default
  const about = { assumptions, provenance, serverUrl, environment, sandboxVersion: packageVersion() }
  const example = { workspace, cursors, now: clock.now() }
  return describeApi({ ...about, webhooks, sandbox, example })
}

async function schema(name: SchemaName): Promise<object> {
  if (name === 'webhooks') return (await import('../events/description-schema.ts')).webhooksSchema()
  if (name === 'scenario') return (await import('../scenarios/scenario-schema.ts')).scenarioSchema()
  return (await import('../fixtures/fixtures-schema.ts')).fixturesSchema()
}
