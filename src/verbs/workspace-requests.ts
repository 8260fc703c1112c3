import type { Assumptions } from '../contract/assumptions.ts'
import type { Environment } from '../contract/versions.ts'
import { entryOf, type JournalEntry } from '../journal/entry.ts'
import { explain } from '../explain/index.ts'
import type { Explanation } from '../explain/explanation.ts'
import { filtered, requestFilter, type RequestFilter } from '../journal/filter.ts'
import { harOf } from '../journal/har.ts'
import type { Exchange } from '../exchange/index.ts'
import { redactor } from '../secrets/redact.ts'
import {
  verificationSchema,
  verify,
  type OrderVerification,
  type Verification,
  type Verified,
} from '../journal/verify.ts'
import { readInput } from '../reading/read-input.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'

/** The journal of a workspace, for tests that look at what their client sent. Secrets in it are hidden. */
export interface SandboxRequests {
  /**
   * The requests so far, newest first.
   * @throws {DocumentError} for an unknown filter or a bad value of one.
   * @example requests.list({ operation: 'updateReward', status: 200 })
   */
  list(filter?: RequestFilter): JournalEntry[]
  /** One request by its `x-sandbox-request-id`, with its explanation, or undefined. */
  get(id: string): ExplainedEntry | undefined
  /**
   * Why a request was answered as it was, or undefined where the journal does not hold it.
   * @example requests.explain('req_default_3')?.summary
   */
  explain(id: string): Explanation | undefined
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

/** An entry with why it was answered so. */
export type ExplainedEntry = JournalEntry & { explanation: Explanation }

/** What explanations draw on beside the workspace. */
export interface Surroundings {
  workspaces: Workspaces
  environment: Environment
  assumptions: Assumptions
  /** The path of `--base-url`; empty without one. */
  basePath: string
}

export class WorkspaceRequests implements SandboxRequests {
  readonly #workspace: Workspace
  readonly #surroundings: Surroundings

  constructor(workspace: Workspace, surroundings: Surroundings) {
    this.#workspace = workspace
    this.#surroundings = surroundings
  }

  get dropped(): number {
    return this.#workspace.journal.dropped
  }

  list(filter: RequestFilter = {}): JournalEntry[] {
    const { journal } = this.#workspace
    const hide = redactor(journal.secrets)
    return filtered(journal, readInput(requestFilter, filter, 'filter')).map((exchange) =>
      entryOf(exchange, hide),
    )
  }

  get(id: string): ExplainedEntry | undefined {
    const { journal } = this.#workspace
    const exchange = journal.find(id)
    if (!exchange) return undefined
    return { ...entryOf(exchange, redactor(journal.secrets)), explanation: this.#explain(exchange) }
  }

  explain(id: string): Explanation | undefined {
    const exchange = this.#workspace.journal.find(id)
    return exchange && this.#explain(exchange)
  }

  #explain(exchange: Exchange): Explanation {
    const own = this.#workspace
    const { workspaces, ...rest } = this.#surroundings
    return explain(exchange, {
      ...rest,
      journal: own.journal,
      state: own.state,
      baseline: workspaces.baseline,
      others: () => workspaces.list().filter((workspace) => workspace !== own),
    })
  }

  verify(asked: unknown): Verified {
    const { journal } = this.#workspace
    return verify(journal, readInput(verificationSchema(asked), asked, 'verify'), redactor(journal.secrets))
  }

  har(filter: RequestFilter = {}): object {
    const { journal } = this.#workspace
    const hide = redactor(journal.secrets)
    const exchanges = filtered(journal, readInput(requestFilter, filter, 'filter'))
    return harOf(
      exchanges.map((exchange) => ({ entry: entryOf(exchange, hide), origin: exchange.received.origin })),
    )
  }

  clear(): void {
    this.#workspace.journal.clear()
  }
}
