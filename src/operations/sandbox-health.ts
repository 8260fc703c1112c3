// Health and readiness of a sandbox, for load balancers and operators.
import type { Storage } from '../workspaces/storage.ts'
import { monotonicNow, packageVersion } from '../runtime/host.ts'

/** How a sandbox is. */
export interface Health {
  /** `degraded` while nothing can be saved, while the store is away, or while a workspace cannot be used. */
  status: 'ok' | 'degraded'
  version: string
  uptime_seconds: number
  /**
   * The workspaces whose files, or values in the store, are damaged or cannot be reached, where there are some: calls that
   * name one are answered 503. And those that cannot be written just now, while others can: reading goes on in them.
   */
  damaged?: readonly string[]
  /** The store that several processes share, where there is one. */
  store?: StoreHealth
}

/** How the store is that several processes share. */
export interface StoreHealth {
  status: 'ok' | 'away'
  /** Why it is away, in a sentence. */
  reason?: string
  /** What each process has for itself, and tells of its own calls alone. */
  per_replica: readonly string[]
}

/** Whether a sandbox is to be sent calls. */
export interface Readiness {
  ready: boolean
  /** Why not, in a sentence. */
  reason?: string
}

const perReplica = ['findings', 'streams', 'metrics', 'uptime', 'audit log']

/** What health and readiness are found out from. */
interface Watched {
  started: number
  storage: Pick<Storage, 'isWell' | 'damaged' | 'status' | 'notCaughtUp'>
  closing: AbortSignal
}

export function sandboxHealth({ started, storage, closing }: Watched) {
  let isDraining = false
  const isServing = (): boolean => storage.isWell
  return {
    /** Whether all but single workspaces is well. */
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

const ending = 'It is ending: calls in flight are finished, and others are for somebody else.'
