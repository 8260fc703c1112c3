// Health and readiness of a sandbox, for load balancers and operators.
import { z } from 'zod'
import type { Workspaces } from '../workspaces/workspaces.ts'
import { monotonicNow, packageVersion } from '../runtime/host.ts'
import { operation, OtherAnswer } from './declare.ts'

/** The health of a sandbox. */
export interface Health {
  /** `degraded` while changes cannot be saved, while the store is away, or while a workspace cannot be used. */
  status: 'ok' | 'degraded'
  version: string
  uptime_seconds: number
  /**
   * The workspaces whose files or values in the store are damaged or cannot be reached, if any: calls that name one are
   * answered 503. Also those that cannot be written at present, while others can: reads continue in them.
   */
  damaged?: readonly string[]
  /** The store, if there is one. All else is about this process. */
  store?: StoreHealth
}

/** The health of the store. */
export interface StoreHealth {
  status: 'ok' | 'away'
  /** Why it is away, in a sentence. */
  reason?: string
}

/** Readiness: whether a load balancer may route calls to this sandbox. */
export interface Readiness {
  ready: boolean
  /** Why not, in one sentence. */
  reason?: string
}

/** The dependencies of health and readiness. */
interface Watched {
  started: number
  workspaces: Pick<Workspaces, 'ownership'>
  closing: AbortSignal
}

export function sandboxHealth({ started, workspaces, closing }: Watched) {
  let isDraining = false
  // If one workspace of many cannot be used, calls to the others must still be routed here.
  const isServing = (): boolean => workspaces.ownership?.health.away === undefined
  return {
    /** Whether everything except single workspaces is healthy. */
    isServing,
    health(): Health {
      const { ownership } = workspaces
      const { away, damaged } = ownership?.health ?? { away: undefined, damaged: new Map<string, string>() }
      return {
        status: isServing() && damaged.size === 0 ? 'ok' : 'degraded',
        version: packageVersion(),
        uptime_seconds: Math.floor((monotonicNow() - started) / 1000),
        ...(damaged.size > 0 && { damaged: [...damaged.keys()] }),
        ...(ownership?.isShared && {
          store: away === undefined ? { status: 'ok' } : { status: 'away', reason: away },
        }),
      }
    },
    ready(): Readiness {
      if (isDraining || closing.aborted) return { ready: false, reason: ending }
      return { ready: true }
    },
    drain(): void {
      isDraining = true
    },
  }
}

const ending = 'The sandbox is shutting down: it finishes calls in flight and takes no new ones.'

/** The header that only a sandbox has, as other servers may answer the same words. */
export const mark = { name: 'x-sandbox', value: 'partner-rewards-sandbox' }

export const stopping = z.object({ status: z.literal('stopping') })

export const healthReport = z.looseObject({ status: z.string() })

interface HealthTarget {
  sandbox: Pick<ReturnType<typeof sandboxHealth>, 'health' | 'isServing' | 'ready'> & { stop(): void }
}

export const healthOperations = [
  operation({
    id: 'health',
    route: 'GET /_sandbox/health',
    about: 'show the health of the sandbox; always open',
    of: 'sandbox',
    guard: 'none',
    result: healthReport,
    others: { 503: healthReport },
    headers: { [mark.name]: mark.value },
    // If one workspace of many cannot be used, calls to the others must still be routed here.
    run: ({ sandbox }: HealthTarget) =>
      sandbox.isServing() ? sandbox.health() : new OtherAnswer(503, sandbox.health()),
  }),
  operation({
    id: 'ready',
    route: 'GET /_sandbox/ready',
    about:
      'show whether the sandbox is ready: 503 until the state is loaded, and while it shuts down; always open',
    of: 'sandbox',
    guard: 'none',
    result: z.object({ status: z.literal('ready') }),
    others: { 503: z.object({ status: z.literal('not_ready'), reason: z.string() }) },
    run({ sandbox }: HealthTarget) {
      const { ready, reason } = sandbox.ready()
      return ready ? { status: 'ready' } : new OtherAnswer(503, { status: 'not_ready', reason })
    },
  }),
  operation({
    id: 'close',
    route: 'POST /_sandbox/stop',
    about: 'stop the sandbox like SIGTERM: calls in flight are answered, and all data is saved',
    of: 'sandbox',
    status: 202,
    result: stopping,
    run({ sandbox }: HealthTarget) {
      sandbox.stop()
      return { status: 'stopping' }
    },
  }),
]
