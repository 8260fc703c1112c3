// Health and readiness of a sandbox, for load balancers and operators.
import type { Storage } from '../workspaces/storage.ts'
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
  /** The store that several processes share, if there is one. */
  store?: StoreHealth
}

/** The health of the shared store. */
export interface StoreHealth {
  status: 'ok' | 'away'
  /** Why it is away, in a sentence. */
  reason?: string
  /** Data that belongs to one process, and covers only its own calls. */
  per_replica: readonly string[]
}

/** Readiness: whether a load balancer may route calls to this sandbox. */
export interface Readiness {
  ready: boolean
  /** Why not, in one sentence. */
  reason?: string
}

const perReplica = ['findings', 'streams', 'metrics', 'uptime', 'audit log']

/** The dependencies of health and readiness. */
interface Watched {
  started: number
  storage: Pick<Storage, 'isWell' | 'damaged' | 'status' | 'notCaughtUp'>
  closing: AbortSignal
}

export function sandboxHealth({ started, storage, closing }: Watched) {
  let isDraining = false
  const isServing = (): boolean => storage.isWell
  return {
    /** Whether everything except single workspaces is healthy. */
    isServing,
    health(): Health {
      const unusable = storage.damaged
      return {
        status: isServing() && unusable.length === 0 ? 'ok' : 'degraded',
        version: packageVersion(),
        uptime_seconds: Math.floor((monotonicNow() - started) / 1000),
        ...(unusable.length > 0 && { damaged: unusable }),
        ...(storage.status && { store: { ...storage.status, per_replica: perReplica } }),
      }
    },
    ready(): Readiness {
      if (isDraining || closing.aborted) return { ready: false, reason: ending }
      const reason = storage.notCaughtUp
      return reason === undefined ? { ready: true } : { ready: false, reason }
    },
    drain(): void {
      isDraining = true
    },
  }
}

const ending = 'The sandbox is shutting down: it finishes calls in flight and takes no new ones.'
