// The members of a sandbox, in addition to those of its workspace `default`.
import { sandboxFindings } from '../explain/sandbox-findings.ts'
import type { EventLoopDelay } from '../runtime/event-loop-delay.ts'
import { packageVersion } from '../runtime/host.ts'
import type { ListenAt, SandboxServer, SchemaName, Verbs } from '../operations/index.ts'
import { coverageWriter } from '../inspector/reports/coverage-writers.ts'
import { sandboxCoverage } from '../operations/coverage.ts'
import { sandboxHealth } from '../operations/health.ts'
import {
  pinnedVerbs,
  workspaceVerbs,
  type VerbContext,
  type WorkspaceVerbs,
} from '../operations/sandbox-workspace.ts'
import { workspaceList } from '../operations/workspaces.ts'
import { ClosedError } from '../workspaces/closed.ts'
import { defaultWorkspace, requireName } from '../workspaces/names.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
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
  listen: (where?: ListenAt) => Promise<SandboxServer>
  stop: () => void
  close: () => Promise<void>
}

/** Finds or creates a workspace by its name and updates its last access. @throws {ClosedError} */
export function workspaceOpener(context: VerbContext): (name: string) => WorkspaceVerbs {
  const { workspaces } = context
  return (name) => {
    requireName('workspace', name)
    if (!workspaces.isCurrent(name)) throw new ClosedError(name)
    const workspace = workspaces.findOrCreate(name)
    touch(workspace)
    return workspaceVerbs(workspace, context)
  }
}

export function sandboxMembers(input: MemberParts): Verbs {
  const { parts, context, address, started, close } = input
  const { service, points, total, rules } = parts
  const { workspaces, environment, closing } = service
  const home = workspaceVerbs(workspaces.default, context)
  const ofHome = Object.keys(home)
  const visit = workspaceOpener(context)
  const sandbox = Object.assign(home, {
    home,
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
      workspaces.ownership?.hold(name)
      return whileOwned(visited, Object.keys(visited), workspaces)
    },
    async open(name: string) {
      requireName('workspace', name)
      await workspaces.open(name, name === defaultWorkspace || workspaces.policy.createsOnFirstUse)
      if (!(await workspaces.exists(name)) && !workspaces.policy.createsOnFirstUse)
        throw workspaces.notThere(name)
      const opened = pinnedVerbs(workspaces.findOrCreate(name), context)
      return whileOwned(opened, Object.keys(opened), workspaces)
    },
    saved: savedIn(workspaces, home.saved),
    workspaces: workspaceList(context),
    contract: () => points.list(),
    coverage: sandboxCoverage({
      workspaces,
      total,
      points,
      provenance: parts.provenance,
      writerOf: coverageWriter,
      addressOf: address,
    }),
    findings: sandboxFindings(rules, service.recorder.unmatched),
    ...sandboxHealth({ started, workspaces, closing }),
    metrics: () => metricsOf(input),
    reload: parts.reload,
    async openapi(
      serverUrl: string = inProcessOrigin,
      options: { sandbox?: boolean; control?: boolean } = {},
    ) {
      if (!options.control) return openapiOf(parts, address(serverUrl), options)
      const { resources } = await import('../control/index.ts')
      const { describeControl } = await import('../control/describe-control.ts')
      const operations = resources.flatMap((resource) => resource.operations)
      return describeControl(
        operations.filter(({ isPage }) => !isPage),
        address(serverUrl),
      )
    },
    schema,
    closing,
    stop: input.stop,
    close,
    [Symbol.asyncDispose]: close,
  })
  return whileOwned(sandbox, ofHome, workspaces)
}

/** Waits for writes, and until deleted workspaces are gone from storage. */
function savedIn({ ownership }: Workspaces, saved: () => Promise<void>): () => Promise<void> {
  return async () => {
    await Promise.all([saved(), ownership?.dropped()])
  }
}

/**
 * Returns the same operations for as long as this process owns the workspace. Later those of the workspace throw a
 * ClosedError, except for a call of the API, which opens it.
 * @param members those of the workspace.
 */
function whileOwned<T extends { readonly name: string }>(
  verbs: T,
  members: readonly string[],
  workspaces: Workspaces,
): T {
  if (!workspaces.ownership?.isShared) return verbs
  const guarded: ReadonlySet<string | symbol> = new Set(
    members.filter((member) => !['name', 'fetch', 'saved'].includes(member)),
  )
  return new Proxy(verbs, {
    get(target, member) {
      if (guarded.has(member) && !workspaces.isCurrent(target.name)) throw new ClosedError(target.name)
      return Reflect.get(target, member)
    },
  })
}

async function metricsOf({ parts: { service }, eventLoop }: MemberParts): Promise<string> {
  const { metricsText } = await import('../metrics/sandbox-metrics.ts')
  return metricsText({
    requests: service.recorder.metrics,
    workspaces: service.workspaces.list(),
    store: service.workspaces.ownership?.health.figures ?? {},
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
