import { entryOf, type JournalEntry } from '../journal/entry.ts'
import { filtered, requestFilter, type RequestFilter } from '../journal/filter.ts'
import { harOf } from '../journal/har.ts'
import { redactor } from '../journal/redact.ts'
import {
  verificationSchema,
  verify,
  type OrderVerification,
  type Verification,
  type Verified,
} from '../journal/verify.ts'
import { readInput } from '../seed/read-input.ts'
import type { Workspace } from './workspace.ts'

/** The journal of a workspace, for tests that look at what their client sent. Secrets in it are hidden. */
export interface SandboxRequests {
  /**
   * The requests so far, newest first.
   * @throws {DocumentError} for an unknown filter or a bad value of one.
   * @example requests.list({ operation: 'updateReward', status: 200 })
   */
  list(filter?: RequestFilter): JournalEntry[]
  /** One request by its `x-sandbox-request-id`, or undefined. */
  get(id: string): JournalEntry | undefined
  /** How many older requests the journal no longer holds; see `journalSize`. */
  readonly dropped: number
  /**
   * Whether requests of a kind were made as often, or in the order, that was asked for; else what came nearest.
   * @throws {DocumentError} for an unknown field or a bad value.
   * @example requests.verify({ operation: 'updateReward', body: { status: 'AVAILABLE' }, count: 1 })
   */
  verify(asked: Verification | OrderVerification): Verified
  /** The requests as an HTTP Archive (HAR 1.2). */
  har(filter?: RequestFilter): object
  /** Forgets all of them. */
  clear(): void
}

export class WorkspaceRequests implements SandboxRequests {
  readonly #workspace: Workspace

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  get dropped(): number {
    return this.#workspace.journal.dropped
  }

  list(filter: RequestFilter = {}): JournalEntry[] {
    const { journal } = this.#workspace
    const hide = redactor(journal.secrets)
    return filtered(journal, readInput(requestFilter, filter, 'filter')).map((record) =>
      entryOf(record, hide),
    )
  }

  get(id: string): JournalEntry | undefined {
    const { journal } = this.#workspace
    const record = journal.find(id)
    return record && entryOf(record, redactor(journal.secrets))
  }

  verify(asked: unknown): Verified {
    const { journal } = this.#workspace
    return verify(journal, readInput(verificationSchema(asked), asked, 'verify'), redactor(journal.secrets))
  }

  har(filter: RequestFilter = {}): object {
    const { journal } = this.#workspace
    const hide = redactor(journal.secrets)
    const records = filtered(journal, readInput(requestFilter, filter, 'filter'))
    return harOf(records.map((record) => ({ entry: entryOf(record, hide), origin: record.origin })))
  }

  clear(): void {
    this.#workspace.journal.clear()
  }
}
