/** Replicas as clients see them, however they run. */
import type { SandboxRequest } from './requests.ts'

export interface Reply {
  readonly status: number
  /** As `comparable` gives it. */
  readonly answer: string
  readonly body: string
  /** What `x-sandbox-commit` says; undefined for an answer without one. */
  readonly version: number | undefined
}

export interface Fleet {
  readonly replicas: number
  /**
   * Undefined where nobody knows what became of the call: it was not answered, or the answer says so. Refused where the
   * answer says that nothing was done, as the store was away; what was done all the same is then a version that nobody
   * made.
   */
  ask(replica: number, workspace: string, request: SandboxRequest): Promise<Reply | 'refused' | undefined>
}
