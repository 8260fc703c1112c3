// Health and readiness of a sandbox, for load balancers and operators.
import type { Workspaces } from '../workspaces/workspaces.ts'
import { monotonicNow, packageVersion } from '../runtime/host.ts'

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
