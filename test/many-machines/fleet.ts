/** Replicas as clients see them, however they run. */
import type { SandboxRequest } from './requests.ts'

export interface Reply {
  readonly status: number
  /** As `comparable` gives it. */
  readonly answer: string
  readonly body: string
  /** The value of `x-sandbox-commit`; undefined for an answer without one. */
  readonly version: number | undefined
  /** The value of `x-sandbox-request-id`, which only calls of the API have. */
  readonly id?: string
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
