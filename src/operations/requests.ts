// The journal of a workspace: list, filter, explain, verify and replay requests, export HAR.
import { z } from 'zod'
import type { Assumptions } from '../contract/assumptions.ts'
import type { Environment } from '../contract/versions.ts'
import { entryOf, type JournalEntry } from '../journal/entry.ts'
import { plainCopy } from '../json/copy.ts'
import { explain } from '../explain/index.ts'
import { fixtureOfCall, type CallFixture } from '../explain/fixture-of-call.ts'
import { rowsLookedUp, type RowPlace } from '../explain/rows-looked-up.ts'
import { sectionNames, type Explanation } from '../explain/explanation.ts'
import { filtered, requestFilter, type RequestFilter } from '../journal/filter.ts'
import { harOf, transferOf } from '../journal/har.ts'
import { notInJournal } from '../journal/not-in-journal.ts'
import type { Call } from '../call/index.ts'
import { redactor } from '../secrets/redact.ts'
import {
  verificationSchema,
  verify,
  type OrderVerification,
  type Verification,
  type Verified,
} from '../journal/verify.ts'
import { readInput } from '../input/read-input.ts'
import type { Provenance } from '../input/resolve-assumptions.ts'
import { streamedText } from '../workspaces/watchers.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import { operation, OtherAnswer } from './declare.ts'
import { replay, replayEdits, type Replayed, type ReplayEdits, type SendParts } from './replay-request.ts'

/** The journal of a workspace, for tests that check the calls of their client. Secrets in it are hidden. */
export interface SandboxRequests {
  /**
   * Returns the requests so far, newest first.
   * @throws {DocumentError} for an unknown filter or an invalid value.
   * @example requests.list({ operation: 'updateReward', status: '4xx' })
   */
  list(filter?: RequestFilter): JournalEntry[]
  /** Returns one request by its `x-sandbox-request-id`, with its explanation, or undefined. */
  get(id: string): ExplainedEntry | undefined
  /**
   * Returns why a request got its answer, or undefined if the journal does not have it.
   * @example requests.explain('req_default_3')?.summary
   */
  explain(id: string): Explanation | undefined
  /**
   * Returns the rows that a request looked up, as they were then, as a fixture that loads; undefined if the journal
   * does not have the request. Rows are complete, including secrets.
   * @example await createSandbox({ fixtures: sandbox.requests.fixture('req_default_3')?.fixtures })
   */
  fixture(id: string): CallFixture | undefined
  /** How many older requests the journal has dropped; see `journalSize`. */
  readonly dropped: number
  /**
   * Checks whether matching requests were made as often, or in the order, that is expected; if not, returns the nearest
   * ones.
   * @throws {DocumentError} for an unknown field or an invalid value.
   * @example requests.verify({ operation: 'updateReward', body: { status: 'AVAILABLE' }, count: 1 })
   */
  verify(expected: Verification | OrderVerification): Verified
  /**
   * Sends a request again, unchanged or edited: to a copy of the workspace in its current state, so that nothing here
   * changes, or to a workspace of your choice. Its body is sent with its original bytes.
   * @throws {NotFoundError} if the journal does not have it. @throws {DocumentError} for an unknown or invalid edit.
   * @throws {InvalidError} for a path that is not part of the API. @throws {ConflictError} for a body that the journal
   * has only in part, unless `body` replaces it, and at the limit of `maxWorkspaces`.
   * @example
   * const again = await sandbox.requests.replay('req_default_3', { headers: { 'x-sandbox-scenario': 'slow' } })
   * again.status   // 200; again.workspace is 'replay-1'
   */
  replay(id: string, edits?: ReplayEdits): Promise<Replayed>
  /** The requests as an HTTP Archive (HAR 1.2). */
  har(filter?: RequestFilter): object
  /** Deletes all of them. */
  clear(): void
}

/** An entry with its explanation. */
export type ExplainedEntry = JournalEntry & {
  explanation: Explanation
  /** The rows that the handler looked up, each once, in order, including those of lists. */
  reads: RowPlace[]
}

/** The dependencies of explanations in addition to the workspace. */
export interface RequestsContext {
  workspaces: Workspaces
  environment: Environment
  assumptions: Assumptions
  provenance: Provenance
  /** Its path is stripped from those of calls. */
  baseUrl: URL | undefined
  sendParts: SendParts
}

export function workspaceRequests(workspace: Workspace, context: RequestsContext) {
  const { journal } = workspace
  const { workspaces, environment, assumptions, provenance, baseUrl } = context
  const explained = (call: Call): Explanation =>
    explain(call, {
      environment,
      assumptions,
      provenance,
      basePath: baseUrl?.pathname.replace(/\/$/, '') ?? '',
      journal,
      state: workspace.state,
      baseline: workspace.own.state ?? workspaces.baseline,
      others: () => workspaces.owners.ofSameOwner(workspace).filter((other) => other !== workspace),
    })
  /** Returns the calls that match a filter, and the redactor of their secrets. */
  const found = (filter: unknown = {}) => {
    const hide = redactor(journal.secrets)
    const requested = readInput(requestFilter, filter, 'filter')
    return { calls: filtered(journal, requested, hide), hide }
  }
  const listed = (filter?: unknown): JournalEntry[] => {
    const { calls, hide } = found(filter)
    return calls.map((call) => entryOf(call, hide))
  }
  const archived = (filter?: unknown): object => {
    const { calls, hide } = found(filter)
    return harOf(calls.map((call) => ({ entry: entryOf(call, hide), transfer: transferOf(call) })))
  }
  const explainedEntry = (call: Call): ExplainedEntry => {
    const reads = rowsLookedUp(call.resolution).map(({ collection, id }) => ({ collection, id }))
    return { ...entryOf(call, redactor(journal.secrets)), explanation: explained(call), reads }
  }
  const verified = (requested: unknown) =>
    verify(journal, readInput(verificationSchema(requested), requested, 'verify'), redactor(journal.secrets))
  /** With numbers kept as their text, for writing them out. */
  const own = {
    explained,
    /** The redactor for everything that is shown of the workspace. */
    hide: () => redactor(journal.secrets),
    /** Returns the events after the one of a number, or after the last; see `Journal.after`. */
    after: (number: number) => journal.after(number),
    get last() {
      return journal.last
    },
    /** Returns the entry of a call in the form of a stream. */
    streamed: (call: Call) => streamedText(call, journal),
    list: listed,
    har: archived,
    get(id: string): ExplainedEntry | undefined {
      const call = journal.find(id)
      return call && explainedEntry(call)
    },
    /** Returns all of them, each with its explanation, newest first. */
    all: (): ExplainedEntry[] => Array.from(journal.calls(), explainedEntry),
    fixture(id: string): CallFixture | undefined {
      const call = journal.find(id)
      return call && fixtureOfCall(call, { journal, state: workspace.state })
    },
    verify: verified,
    replay: (id: string, edits: unknown = {}, requireHeld?: () => void) =>
      replay(workspace, context, id, edits, requireHeld),
  }
  return {
    own,
    get dropped() {
      return journal.dropped
    },
    list: (filter) => plainCopy(listed(filter)),
    get: (id) => plainCopy(own.get(id)),
    fixture: (id) => plainCopy(own.fixture(id)),
    explain(id) {
      const call = journal.find(id)
      return call && explained(call)
    },
    verify: (requested) => plainCopy(verified(requested)),
    replay: async (id, edits) => plainCopy(await own.replay(id, edits)),
    har: (filter) => archived(filter),
    clear: () => journal.clear(),
  } satisfies SandboxRequests & Record<string, unknown>
}

export const journalEntry = z.looseObject({
  id: z.string(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  status: z.number().nullable(),
  outcome: z.string(),
  error_type: z.string().nullable(),
})
export const journal = z.object({ requests: z.array(journalEntry), dropped: z.number() })

const fact = z.object({
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
  note: z.string().exactOptional(),
})
/** An entry of the journal with its explanation. */
export const explained = z.looseObject({
  explanation: z.object({
    id: z.string(),
    summary: z.string(),
    sections: z.array(z.object({ about: z.enum(sectionNames), facts: z.array(fact) })),
  }),
})

export const replayed = z.looseObject({
  workspace: z.string(),
  request_id: z.string(),
  status: z.number().nullable(),
  body: z.unknown(),
})

export const verified = z.object({ count: z.number() })
const difference = z.object({ at: z.string(), expected: z.unknown(), actual: z.unknown().exactOptional() })
export const notVerified = z.object({
  error: z.looseObject({ message: z.string() }),
  count: z.number(),
  nearest: z.array(
    z.object({
      id: z.string(),
      method: z.string(),
      path: z.string(),
      operation: z.string().nullable(),
      status: z.number().nullable(),
      differs: z.array(difference),
    }),
  ),
})

/** Maximum number of entries for which listing the journal is cheap: a few milliseconds. */
const cheapLimit = 20

interface RequestsTarget {
  workspace: { name: string; requests: ReturnType<typeof workspaceRequests> }
}

export const listRequests = operation({
  id: 'requests.list',
  route: 'GET /_sandbox/requests',
  about: 'list the calls, newest first',
  query: requestFilter.extend({
    format: z.enum(['json', 'har']).optional().describe('json, or har for an HTTP Archive'),
  }),
  word: 'filter',
  result: journal,
  expensive: ({ format, limit }) => format === 'har' || !(Number(limit) <= cheapLimit),
  run({ workspace: { requests } }: RequestsTarget, { query: { format, ...filter } }) {
    if (format === 'har') return requests.own.har(filter)
    return { requests: requests.own.list(filter), dropped: requests.dropped }
  },
})

export const requestsOperations = [
  listRequests,
  operation({
    id: 'requests.clear',
    route: 'DELETE /_sandbox/requests',
    verb: 'requests clear',
    about: 'delete the calls of the journal',
    printed: { note: (_, { workspace }) => `Cleared the journal of workspace '${workspace}'` },
    run: ({ workspace }: RequestsTarget) => workspace.requests.clear(),
  }),
  operation({
    id: 'requests.verify',
    route: 'POST /_sandbox/requests/verify',
    about: 'check that matching calls were made: a matcher with count, at_least or at_most; or in_order',
    body: z.looseObject({}),
    reads: true,
    result: verified,
    others: { 409: notVerified },
    run({ workspace }: RequestsTarget, { body }) {
      const found = workspace.requests.own.verify(body)
      if (found.holds) return { count: found.count }
      const { message, count, nearest } = found
      return new OtherAnswer(409, { error: { type: 'CONFLICT', message }, count, nearest })
    },
  }),
  operation({
    id: 'requests.get',
    route: 'GET /_sandbox/requests/:id',
    about:
      'show one call, with its explanation and the rows it read; with format=fixture, those rows as a fixture',
    query: z.strictObject({ format: z.enum(['json', 'fixture']).optional() }),
    result: explained,
    run({ workspace: { name, requests } }: RequestsTarget, { path: { id }, query: { format } }) {
      const found = format === 'fixture' ? requests.own.fixture(id) : requests.own.get(id)
      if (found) return found
      const size = requests.list({ limit: 1 }).length
      throw notInJournal({ dropped: requests.dropped, size }, name, id)
    },
  }),
  operation({
    id: 'requests.replay',
    route: 'POST /_sandbox/requests/:id/replay',
    about: 'send a call again, unchanged or edited, to a copy of the workspace or to another workspace',
    body: replayEdits.optional(),
    status: 201,
    result: replayed,
    run: ({ workspace }: RequestsTarget, { path, body }, { requireHeld }) =>
      workspace.requests.own.replay(path.id, body, requireHeld),
  }),
]
